from ferry.plan import crossings
from ferry.pricing import revenue

total = 0.0
for crossing in crossings(10):
    total += float(revenue(crossing))
print("total", round(total, 2))
