"""Fills the tables of library behaviour: importing this registers every model."""

import graphdoctor.dryrun.libraries.keras.calls
import graphdoctor.dryrun.libraries.keras.objects
import graphdoctor.dryrun.libraries.keras.optimizers
import graphdoctor.dryrun.libraries.keras.training
import graphdoctor.dryrun.libraries.methods_by_name
import graphdoctor.dryrun.libraries.numpy_arrays
import graphdoctor.dryrun.libraries.python.arithmetic
import graphdoctor.dryrun.libraries.python.builtin_functions
import graphdoctor.dryrun.libraries.python.command_lines
import graphdoctor.dryrun.libraries.python.containers
import graphdoctor.dryrun.libraries.python.derived_objects
import graphdoctor.dryrun.libraries.python.files
import graphdoctor.dryrun.libraries.python.introspection
import graphdoctor.dryrun.libraries.python.settings
import graphdoctor.dryrun.libraries.python.standard_library
import graphdoctor.dryrun.libraries.tensorflow.control_flow
import graphdoctor.dryrun.libraries.tensorflow.custom_operations
import graphdoctor.dryrun.libraries.tensorflow.datasets
import graphdoctor.dryrun.libraries.tensorflow.functions
import graphdoctor.dryrun.libraries.tensorflow.graph_functions
import graphdoctor.dryrun.libraries.tensorflow.saved_models
import graphdoctor.dryrun.libraries.tensorflow.stateful_objects
import graphdoctor.dryrun.libraries.tensorflow.tapes
import graphdoctor.dryrun.libraries.tensorflow.tensors  # noqa: F401
