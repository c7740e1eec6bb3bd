import tensorflow as tf

from paintmix import Mixer, RecipeSearch

search = RecipeSearch(Mixer.basic())
target = tf.constant([0.6, 0.3, 0.25])
search.find(target, steps=20)
kept = search.logits.numpy()
search.set_sharpness(20.0)
graph = float(search._descend(target))
search.logits.assign(kept)
eager = float(tf.reduce_sum(tf.square(search.mixer(search.amounts()) - target)))
print("graph", round(graph, 5), "eager", round(eager, 5), "agree", abs(graph - eager) < 1e-4)
