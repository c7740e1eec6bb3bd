"""The rules of our team: each module in here that has a Rule class is found by itself."""
