import tensorflow as tf

input_ = tf.random.normal([1, 32])
model = tf.keras.Sequential([tf.keras.layers.Input((32,)), tf.keras.layers.Dense(10)])

with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(input_)
    logits = model.predict(input_)[:, 7]  # finds GD503
    logits_seven = tf.convert_to_tensor(logits)
grad_for_inp = tape.gradient(logits_seven, input_)

print(grad_for_inp)
