"""The private names of TensorFlow and Keras that the observer rests on, one file for each thing it hears.

Gradients and the witness have files of their own. Read and run on TensorFlow 2.16 to 2.21.
"""

from graphdoctor.observer.tensorflow_internals.cache_keys import (
    cached_keys,
    context_fields,
    literals,
    object_arguments,
)
from graphdoctor.observer.tensorflow_internals.construction import (
    READYING,
    functions_of_pipeline,
    hook_construction,
    hook_first_variables,
    hook_iterators,
)
from graphdoctor.observer.tensorflow_internals.counting import (
    call_count,
    call_counts,
    captures_of_called_function,
    counted_by,
    hook_hits,
    listen_to_hits,
)
from graphdoctor.observer.tensorflow_internals.disguising import (
    disguise,
)
from graphdoctor.observer.tensorflow_internals.failing import (
    CLEANING,
    hook_cleaning,
    hook_graph_errors,
    hook_runtime_errors,
)
from graphdoctor.observer.tensorflow_internals.functions import (
    code_of,
    describe_concrete,
    has_unknown_dimensions,
    is_per_instance,
    name_of,
    qualified_name,
    user_function,
    watch_calls,
)
from graphdoctor.observer.tensorflow_internals.places import (
    FILES,
    LOGGING_MODULE,
    PIPELINE_FILES,
    stack,
    traceback,
)
from graphdoctor.observer.tensorflow_internals.switches import (
    CONTEXT,
    FUNCTIONS,
    KERAS_3,
    MODELS,
    has_processors_only,
    hook_clustering,
    hook_eager_models,
    hook_eager_switch,
    hook_uncompiled_models,
)
from graphdoctor.observer.tensorflow_internals.tracing import (
    TRACING_MODULE,
    Installed,
    executing_eagerly,
    hook_converted_calls,
    hook_failed_conversions,
    install,
    is_tracing,
    silence_retracing_warning,
    tensorflow_version,
)
from graphdoctor.observer.tensorflow_internals.values import (
    belongs_to,
    concrete_shapes,
    is_static,
    is_symbolic,
    small_content,
    tensor_fields,
    tensor_name,
)

__all__ = [
    "CLEANING",
    "CONTEXT",
    "FILES",
    "FUNCTIONS",
    "KERAS_3",
    "LOGGING_MODULE",
    "MODELS",
    "PIPELINE_FILES",
    "READYING",
    "TRACING_MODULE",
    "Installed",
    "belongs_to",
    "cached_keys",
    "call_count",
    "call_counts",
    "captures_of_called_function",
    "code_of",
    "concrete_shapes",
    "context_fields",
    "counted_by",
    "describe_concrete",
    "disguise",
    "executing_eagerly",
    "functions_of_pipeline",
    "has_processors_only",
    "has_unknown_dimensions",
    "hook_cleaning",
    "hook_clustering",
    "hook_construction",
    "hook_converted_calls",
    "hook_eager_models",
    "hook_eager_switch",
    "hook_failed_conversions",
    "hook_first_variables",
    "hook_graph_errors",
    "hook_hits",
    "hook_iterators",
    "hook_runtime_errors",
    "hook_uncompiled_models",
    "install",
    "is_per_instance",
    "is_static",
    "is_symbolic",
    "is_tracing",
    "listen_to_hits",
    "literals",
    "name_of",
    "object_arguments",
    "qualified_name",
    "silence_retracing_warning",
    "small_content",
    "stack",
    "tensor_fields",
    "tensor_name",
    "tensorflow_version",
    "traceback",
    "user_function",
    "watch_calls",
]
