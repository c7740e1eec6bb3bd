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
    tape.watch(input_)
    logits = model(input_)
grad_for_eight = tape.gradient(logits[:, 7], input_)  # finds GD502

print(grad_for_eight)
