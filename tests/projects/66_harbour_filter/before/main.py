from harbour import TideFilter

print("filter", TideFilter.__name__)
