import tensorflow as tf

from ferry.plan import crossings
from ferry.pricing import revenue

total = 0.0
for crossing in crossings(10):
    total += float(revenue(tf.constant(crossing.hour), tf.constant(crossing.fare)))
print("total", round(total, 2))
