import tensorflow as tf

input_ = tf.random.normal([1, 32, 32, 3])
model = tf.keras.Sequential(
    [
        tf.keras.layers.Conv2D(8, 3),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(10),
    ]
)

with tf.GradientTape() as tape:
    # let's say we are interested in the class with index 7
    logits_seven = model(input_)[:, 7]
grad_for_inp = tape.gradient(logits_seven, input_)  # finds GD501

print(grad_for_inp)
