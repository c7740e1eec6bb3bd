"""Tensors whose bytes or structure matter: pictures, sound, files, numbers as text, sparse tensors."""

import pathlib
import struct
import tempfile

import tensorflow as tf


def picture():
    return tf.cast(tf.ones([4, 4, 3]), tf.uint8)


def path_of_file() -> str:
    file = pathlib.Path(tempfile.gettempdir(), "graphdoctor_probe.txt")
    file.write_text("text", encoding="utf-8")
    return str(file)


BITMAP = b"BM" + struct.pack("<IIIIiiHHIIiiII", 58, 0, 54, 40, 1, 1, 1, 24, 0, 4, 0, 0, 0, 0) + bytes(4)
# Each of one shape and dtype, whatever the sample says.
MAKERS = {
    "png": lambda: tf.io.encode_png(picture()),
    "jpeg": lambda: tf.io.encode_jpeg(picture()),
    "bmp": lambda: tf.constant(BITMAP),
    "wav": lambda: tf.audio.encode_wav(tf.ones([8, 1]), 8000),
    "file": lambda: tf.constant(path_of_file()),
    "serialized": lambda: tf.io.serialize_tensor(tf.ones([2, 3])),
    "sparse": lambda: tf.sparse.from_dense(tf.ones([2, 3])),
}
TEXTS = {"number": "1", "bytes": "abcdefgh", "base64": "YWJj"}
