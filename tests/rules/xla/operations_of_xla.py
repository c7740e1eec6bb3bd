"""A call of each operation that GD901 counts among those XLA does not have, for the test that runs them."""

# Made outside the compiled function: of constants that stand inside, TensorFlow computes some beforehand.
OPERANDS = """
X = tf.random.uniform([4, 4])
VECTOR = tf.constant([1.0, 2.0, 3.0, 4.0])
NUMBERS = tf.constant([1, 2, 3, 1])
TEXTS = tf.constant(["1", "2"])
IMAGE = X[None, ..., None]
PICTURE = tf.zeros([4, 4, 3], tf.uint8)
SPARSE = tf.sparse.from_dense(tf.eye(3))
NUMBERED = tf.lookup.KeyValueTensorInitializer([1, 2], [3, 4])
TABLE = tf.lookup.StaticHashTable(NUMBERED, -1)
TOKENS = tf.lookup.KeyValueTensorInitializer(["1", "2"], tf.constant([0, 1], tf.int64))
VOCABULARY = tf.lookup.StaticVocabularyTable(TOKENS, 1)
MUTABLE = tf.lookup.experimental.MutableHashTable(tf.int32, tf.int32, -1)
DENSE = tf.lookup.experimental.DenseHashTable(tf.int32, tf.int32, -1, -2, -3)
HASHING = tf.keras.layers.Hashing(3)
INTEGERS = tf.keras.layers.IntegerLookup(vocabulary=[1, 2])
STRINGS = tf.keras.layers.StringLookup(vocabulary=["1", "2"])
SPECTRUM = tf.random.normal([5, 1, 4])
"""

CALLS = (
    "tf.py_function(abs, [X], tf.float32)",
    "tf.numpy_function(abs, [X], tf.float32)",
    "tf.timestamp()",
    "tf.unique_with_counts(NUMBERS).y",
    "tf.edit_distance(tf.sparse.from_dense([[1]]), tf.sparse.from_dense([[1]]))",
    "tf.histogram_fixed_width(VECTOR, [0.0, 5.0])",
    "tf.audio.decode_wav(tf.constant(b'x'))",
    "tf.image.combined_non_max_suppression(X[None, :, None], VECTOR[None, :, None], 2, 2)",
    "tf.image.crop_and_resize(IMAGE, [[0.0, 0.0, 1.0, 1.0]], [0], [2, 2])",
    "tf.image.draw_bounding_boxes(IMAGE, [[[0.0, 0.0, 1.0, 1.0]]], [[1.0]])",
    "tf.image.extract_glimpse(IMAGE, [2, 2], [[0.0, 0.0]])",
    "tf.io.decode_base64('YQ')",
    "tf.io.decode_csv(TEXTS, [0.0])",
    "tf.io.decode_image(tf.constant(b'x'), expand_animations=False)",
    "tf.io.decode_jpeg(tf.constant(b'x'))",
    "tf.io.decode_png(tf.constant(b'x'))",
    "tf.io.decode_raw(TEXTS, tf.uint8)",
    "tf.io.encode_jpeg(PICTURE)",
    "tf.io.encode_png(PICTURE)",
    "tf.io.matching_files('*.txt')",
    "tf.io.parse_tensor(tf.constant(b'x'), tf.float32)",
    "tf.io.read_file('text')",
    "tf.io.serialize_tensor(X)",
    "tf.linalg.eig(X)",
    "tf.linalg.logm(tf.cast(X, tf.complex64))",
    "tf.linalg.lu(X)",
    "tf.linalg.slogdet(X)",
    "tf.linalg.sqrtm(X)",
    "tf.math.segment_max(VECTOR, [0, 0, 1, 1])",
    "tf.math.segment_mean(VECTOR, [0, 0, 1, 1])",
    "tf.math.segment_sum(VECTOR, [0, 0, 1, 1])",
    "tf.nn.ctc_beam_search_decoder(SPECTRUM, [5])",
    "tf.nn.ctc_greedy_decoder(SPECTRUM, [5])",
    "tf.nn.dilation2d(IMAGE, tf.zeros([2, 2, 1]), [1, 1, 1, 1], 'SAME', 'NHWC', [1, 1, 1, 1])",
    "tf.nn.fractional_max_pool(IMAGE, 1.5)",
    "tf.nn.max_pool_with_argmax(IMAGE, 2, 2, 'VALID')",
    "tf.nn.sampled_softmax_loss(X, VECTOR, tf.ones([4, 1], tf.int64), X, 2, 4)",
    "tf.random.gamma([3], 2.0)",
    "tf.random.log_uniform_candidate_sampler(tf.constant([[1]], tf.int64), 1, 2, True, 5)",
    "tf.random.poisson([3], 2.0)",
    "tf.random.stateless_gamma([3], [1, 2], 2.0)",
    "tf.sets.intersection(NUMBERS[None], NUMBERS[None])",
    "tf.sets.union(NUMBERS[None], NUMBERS[None])",
    "tf.sparse.reduce_sum(SPARSE)",
    "tf.sparse.reorder(SPARSE).values",
    "tf.sparse.sparse_dense_matmul(SPARSE, tf.eye(3))",
    "tf.strings.as_string(X)",
    "tf.as_string(X)",
    "tf.strings.format('{}', X)",
    "tf.strings.join([TEXTS, TEXTS])",
    "tf.strings.length(TEXTS)",
    "tf.strings.lower(TEXTS)",
    "tf.strings.reduce_join(TEXTS)",
    "tf.strings.regex_full_match(TEXTS, 'a')",
    "tf.strings.regex_replace(TEXTS, 'a', 'b')",
    "tf.strings.strip(TEXTS)",
    "tf.strings.substr(TEXTS, 0, 1)",
    "tf.strings.to_hash_bucket(TEXTS, 3)",
    "tf.strings.to_hash_bucket_fast(TEXTS, 3)",
    "tf.strings.to_hash_bucket_strong(TEXTS, 3, [1, 2])",
    "tf.strings.to_number(TEXTS)",
    "tf.strings.unicode_decode(TEXTS, 'UTF-8')",
    "tf.strings.unicode_encode([[65]], 'UTF-8')",
    "tf.strings.unicode_split(TEXTS, 'UTF-8')",
    "tf.strings.unicode_transcode(TEXTS, 'UTF-8', 'UTF-16-BE')",
    "tf.strings.upper(TEXTS)",
)
# tf.print returns nothing, and tf.strings.split ends the whole process: each was run by itself.
# What is made outside and called inside.
OBJECT_CALLS = {
    "tensorflow.lookup.StaticHashTable.lookup": "TABLE.lookup(NUMBERS)",
    "tensorflow.lookup.StaticHashTable.size": "TABLE.size()",
    "tensorflow.lookup.StaticVocabularyTable.lookup": "VOCABULARY.lookup(TEXTS)",
    "tensorflow.lookup.StaticVocabularyTable.size": "VOCABULARY.size()",
    "tensorflow.lookup.experimental.MutableHashTable.lookup": "MUTABLE.lookup(NUMBERS)",
    "tensorflow.lookup.experimental.MutableHashTable.size": "MUTABLE.size()",
    "tensorflow.lookup.experimental.DenseHashTable.lookup": "DENSE.lookup(NUMBERS)",
    "tensorflow.lookup.experimental.DenseHashTable.size": "DENSE.size()",
    "keras.layers.Hashing": "HASHING(NUMBERS)",
    "keras.layers.IntegerLookup": "INTEGERS(NUMBERS)",
    "keras.layers.StringLookup": "STRINGS(TEXTS)",
}

# XLA raises for the last one, or ends the process ("Check failed: DataTypeCanUseMemcpy"): both were run.
NOT_CALLED = ("tensorflow.print", "tensorflow.strings.split", "keras.layers.TextVectorization")
