"""Single shot detector head: decode boxes and run NMS for each image."""
import functools

import numpy as np
import tensorflow as tf

ANCHORS = tf.constant([[y, x, 0.3, 0.3] for y in (0.25, 0.75) for x in (0.25, 0.75)], tf.float32)


def backbone():
    return tf.keras.Sequential([
        tf.keras.Input((16, 16, 3)),
        tf.keras.layers.Conv2D(8, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(4 * 5),
        tf.keras.layers.Reshape((4, 5)),
    ])


def decode(raw):
    centre = ANCHORS[:, :2] + 0.1 * tf.tanh(raw[..., :2])
    size = ANCHORS[:, 2:] * tf.exp(0.2 * tf.tanh(raw[..., 2:4]))
    return tf.concat([centre - size / 2, centre + size / 2], -1), tf.sigmoid(raw[..., 4])


def select(boxes, scores, limit, threshold):
    keep, valid = tf.image.non_max_suppression_padded(
        boxes, scores, max_output_size=limit, iou_threshold=threshold, pad_to_max_output_size=True)
    return tf.gather(boxes, keep), valid


class Detector(tf.Module):
    def __init__(self, limit=3, threshold=0.5):
        super().__init__()
        self.net = backbone()
        self.pick = functools.partial(select, limit=limit, threshold=threshold)

    def postprocess(self, boxes, scores):
        n = tf.shape(boxes)[0]
        kept, counts = tf.TensorArray(tf.float32, n), tf.TensorArray(tf.int32, n)
        for i in tf.range(n):
            chosen, valid = self.pick(boxes[i], scores[i])
            kept = kept.write(i, chosen)
            counts = counts.write(i, valid)
        return kept.stack(), counts.stack()

    @tf.function
    def detect(self, images):
        boxes, scores = decode(self.net(images, training=False))
        return self.postprocess(boxes, scores)


def synthetic(n, seed=0):
    rng = np.random.default_rng(seed)
    images = rng.normal(0, 0.1, size=(n, 16, 16, 3)).astype("float32")
    for img in images:
        y, x = rng.integers(0, 10, 2)
        img[y:y + 6, x:x + 6] += 1.0
    return images


def main():
    detector = Detector()
    total = 0
    for images in tf.data.Dataset.from_tensor_slices(synthetic(12)).batch(4):
        boxes, counts = detector.detect(images)
        total += int(tf.reduce_sum(counts))
        print(boxes.shape, counts.numpy())
    print("boxes", total)


if __name__ == "__main__":
    main()
