"""GD901."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import MAY, LibraryCall
from graphdoctor.refactoring.options.function_options import without_option
from graphdoctor.rules.event_places import at, called_text, function_at
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule

# Each was run under XLA on a CPU and raised (TensorFlow 2.21): tests/rules/xla/operations_of_xla.py.
UNSUPPORTED = {
    f"{group}{name}"
    for group, names in {
        "tensorflow.": "edit_distance histogram_fixed_width numpy_function print py_function timestamp"
        " unique_with_counts",
        "tensorflow.audio.": "decode_wav",
        "tensorflow.image.": "combined_non_max_suppression crop_and_resize draw_bounding_boxes"
        " extract_glimpse",
        "tensorflow.io.": "decode_base64 decode_csv decode_image decode_jpeg decode_png decode_raw"
        " encode_jpeg encode_png matching_files parse_tensor read_file serialize_tensor",
        "tensorflow.linalg.": "eig logm lu slogdet sqrtm",
        "keras.layers.": "Hashing IntegerLookup StringLookup TextVectorization",
        "tensorflow.lookup.": "StaticHashTable.lookup StaticHashTable.size StaticVocabularyTable.lookup"
        " StaticVocabularyTable.size",
        "tensorflow.lookup.experimental.": "DenseHashTable.lookup DenseHashTable.size"
        " MutableHashTable.lookup MutableHashTable.size",
        "tensorflow.math.": "segment_max segment_mean segment_sum",
        "tensorflow.nn.": "ctc_beam_search_decoder ctc_greedy_decoder dilation2d fractional_max_pool"
        " max_pool_with_argmax sampled_softmax_loss",
        "tensorflow.random.": "gamma log_uniform_candidate_sampler poisson stateless_gamma",
        "tensorflow.sets.": "intersection union",
        "tensorflow.sparse.": "reduce_sum reorder sparse_dense_matmul",
        "tensorflow.strings.": "as_string format join length lower reduce_join regex_full_match regex_replace"
        " split strip substr to_hash_bucket to_hash_bucket_fast to_hash_bucket_strong to_number"
        " unicode_decode unicode_encode unicode_split unicode_transcode upper",
    }.items()
    for name in names.split()
}


class XlaUnsupportedOperation(Rule):
    """XLA does not support `tf.print`, Python calls and strings: compiling the function fails.

    What it finds
    `tf.print`, `tf.py_function`, `tf.numpy_function`, an operation of `tf.strings`, a lookup in a table, or
    one of the numerical operations that XLA lacks (`tf.linalg.eig`, `tf.random.poisson`,
    `tf.math.segment_sum` …), in a function with `jit_compile=True`, or in a function that it calls.

    Why it matters
    XLA compiles the function as a whole. An operation it does not have raises InvalidArgumentError:
    "Detected unsupported operations when trying to compile graph".

    How to fix it
    Take the operation out of the compiled function: return the value and print it outside.

    When to leave it
    Never: it raises when the function is called.
    """

    id = "GD901"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"Detected unsupported operations when trying to compile graph .*?: (\w+) \(",
            meaning="XLA compiles this call and has no operation `{0}` for these dtypes",
            order="Move it out of the compiled function",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(jit_compile=True)
                def double(x):
                    tf.print("x", x)
                    return x * 2.0


                double(tf.ones([2]))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def double(x):
                    tf.print("x", x)
                    return x * 2.0


                double(tf.ones([2]))
                """,
            raises="InvalidArgumentError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        """Where the operation is known it explains the failure; else the failure itself."""
        found = [self._report(facts, event) for event in facts.of(LibraryCall) if _is_unsupported(event)]
        yield from found or super().judge(facts)

    def _report(self, facts: Facts, event: LibraryCall) -> Finding:
        return self.finding(
            facts.span(at(event)),
            f"XLA cannot compile `{called_text(facts, event) or event.name}`",
            function_at(event),
            event=event,
            fix=_fix(facts, event),
        )


def _is_unsupported(event: LibraryCall) -> bool:
    return event.compiled and event.name in UNSUPPORTED and event.reached != MAY


def _fix(facts: Facts, event: LibraryCall) -> Fix:
    """The function that XLA compiles, without it: it is the one that is traced."""
    history = facts.history_of(event)
    function = facts.sources.function(history.function) if history is not None else None
    edit = without_option(function, "jit_compile") if function is not None else None
    return offer("Remove `jit_compile`", edit)
