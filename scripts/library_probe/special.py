"""What trying cannot find out: arguments that depend on each other, and what must not be called."""

from library_probe.samples import BOOLEAN, COMPLEX, FLOAT, IMAGES, INDICES, NUMBER, Tensor, Tensors

# Never called: they change settings of the process, write, delete, listen, download or wait.
NOT_CALLED = (
    "tensorflow.config.", "tensorflow.io.gfile.", "tensorflow.io.write", "tensorflow.distribute.",
    "tensorflow.summary.", "tensorflow.profiler.", "tensorflow.saved_model.", "tensorflow.train.",
    "tensorflow.random.set_seed", "tensorflow.load_", "tensorflow.test.", "tensorflow.data.experimental.",
    "tensorflow.debugging.enable", "tensorflow.debugging.disable", "tensorflow.debugging.experimental.",
    "tensorflow.debugging.set_", "tensorflow.autograph.", "tensorflow.function",
    "tensorflow.experimental.numpy.experimental_enable", "tensorflow.experimental.register_filesystem",
    "tensorflow.print", "tensorflow.py_function", "tensorflow.numpy_function",
    "tensorflow.experimental.async", "tensorflow.graph_util.", "tensorflow.queue.", "tensorflow.lookup.",
    "tensorflow.feature_column.", "tensorflow.io.matching_files", "tensorflow.device",
    "tensorflow.while_loop", "tensorflow.experimental.dlpack", "tensorflow.xla.", "tensorflow.sysconfig.",
    "tensorflow.init_scope", "tensorflow.dtypes.experimental.", "tensorflow.random.experimental.set_global",
    "tensorflow.nn.experimental.", "keras.config.", "keras.mixed_precision.", "keras.backend.clear_session",
    "keras.backend.set_", "keras.utils.get_file", "keras.utils.set_random_seed",
    "keras.utils.clear_session", "keras.saving.", "keras.models.", "keras.applications.",
    "keras.distribution.", "keras.utils.disable", "keras.utils.enable", "keras.utils.plot",
    "keras.utils.model_to_dot", "keras.visualization.", "keras.export.", "keras.utils.image_dataset",
    "keras.utils.audio", "keras.utils.text_dataset", "keras.preprocessing.", "keras.wrappers.",
    "keras.utils.save_img", "keras.dtype_policies.", "keras.utils.register", "keras.device",
    "keras.name_scope", "keras.ops.while_loop", "keras.ops.fori_loop", "keras.utils.load_img", "numpy.save",
    "numpy.load", "numpy.from", "numpy.gen", "numpy.set_", "numpy.setbufsize", "numpy.seterr",
    "numpy.random.seed", "numpy.random.set_", "numpy.test", "numpy.show", "numpy.info", "numpy.get_include",
    "numpy.printoptions", "numpy.errstate", "numpy.memmap",
)  # fmt: skip

# TensorFlow 2.21 ends the process (a failed CHECK) on some of the shapes that are tried; these are safe.
SAFE_SHAPES: dict[str, tuple[tuple[int, ...], ...]] = {
    "tensorflow.nn.conv2d_transpose": ((2, 4, 4, 3),),
    "tensorflow.signal.irfft": ((2, 5), (3,), (2, 3, 5)),
    "tensorflow.signal.irfft2d": ((2, 5), (3, 2, 5)),
    "tensorflow.signal.irfft3d": ((2, 4, 5), (2, 2, 4, 5)),
    "tensorflow.signal.irfftnd": ((2, 5),),
    "tensorflow.quantization.fake_quant_with_min_max_vars_per_channel": ((4, 3), (5, 2, 3)),
    "tensorflow.image.combined_non_max_suppression": (),
    "tensorflow.image.non_max_suppression_padded": (),  # each shape compiles for seconds
}

# Working calls that trying parameter by parameter does not find, or finds in an unusual form.
GIVEN: dict[str, dict[str, object]] = {
    "tensorflow.where": {"condition": BOOLEAN, "x": FLOAT, "y": FLOAT},
    "tensorflow.experimental.numpy.where": {"condition": BOOLEAN, "x": FLOAT, "y": FLOAT},
    "keras.ops.where": {"condition": BOOLEAN, "x1": FLOAT, "x2": FLOAT},
    "numpy.where": {"condition": BOOLEAN, "x": FLOAT, "y": FLOAT},
    "tensorflow.nn.conv2d_transpose": {
        "input": IMAGES, "filters": Tensor((2, 2, 3, 3)), "output_shape": (1, 8, 8, 3), "strides": 2,
    },
    "tensorflow.signal.irfft": {"input_tensor": COMPLEX},
    "tensorflow.signal.irfft2d": {"input_tensor": COMPLEX},
    "tensorflow.signal.irfft3d": {"input_tensor": Tensor((2, 2, 3), "complex64")},
    "tensorflow.quantization.fake_quant_with_min_max_vars_per_channel": {
        "inputs": FLOAT, "min": Tensor((3,)), "max": Tensor((3,)),
    },
    "tensorflow.image.combined_non_max_suppression": {
        "boxes": Tensor((1, 2, 1, 4)), "scores": Tensor((1, 2, 2)),
        "max_output_size_per_class": 2, "max_total_size": 2,
    },
    "tensorflow.concat": {"values": Tensors(), "axis": 0},
    "tensorflow.stack": {"values": Tensors()},
    "tensorflow.einsum": {"equation": "ij,jk->ik", "inputs": Tensors((FLOAT, Tensor((3, 4))))},
    "tensorflow.fill": {"dims": (2, 3), "value": NUMBER},
    "tensorflow.one_hot": {"indices": Tensor(dtype="int32"), "depth": 4},
    "keras.Input": {"shape": (3,)},
    "tensorflow.linspace": {"start": 1.0, "stop": 4.0, "num": 4},
    "numpy.linspace": {"start": 1.0, "stop": 4.0, "num": 4},
    "numpy.logspace": {"start": 1.0, "stop": 4.0, "num": 4},
    "numpy.geomspace": {"start": 1.0, "stop": 4.0, "num": 4},
    "tensorflow.range": {"start": 5},
    "numpy.arange": {"start_or_stop": 5},
    "tensorflow.gather": {"params": FLOAT, "indices": INDICES},
}  # fmt: skip

WRITING = ("save", "savetxt", "savez", "savez_compressed")
# Facts that hold beside those found: of Python numbers and of objects. Each is tested on the library.
STATED: dict[str, dict[str, object]] = {
    "tensorflow.print": {"result": "none"},
    "tensorflow.py_function": {"gradient": "inp"},
    "tensorflow.numpy_function": {"cut": "*"},
    "tensorflow.random.set_seed": {"result": "none"},
    "keras.utils.set_random_seed": {"result": "none", "effect": "random"},
    "tensorflow.constant": {"dtype": "param:dtype|same:value", "unless": ["shape"]},
    "tensorflow.convert_to_tensor": {"dtype": "param:dtype|same:value"},
    "tensorflow.linspace": {"dtype": "same:start,stop int32=float64 int64=float64"},
    "tensorflow.range": {"dtype": "param:dtype|promote:start,limit,delta"},
    "numpy.einsum": {"result": "array"},
    "numpy.ndarray.item": {"result": "python:number"},
    "numpy.ndarray.tolist": {"result": "python:list"},
    "numpy.random.seed": {"result": "none", "effect": "random"},
    **{f"numpy.{name}": {"result": "none", "effect": "write"} for name in WRITING},
    "numpy.arange": {"dtype": "param:dtype|promote:start_or_stop,stop,step"},
    "tensorflow.Variable.read_value": {"gradient": "self"},
    "tensorflow.Variable.value": {"gradient": "self"},
    **{  # behind a wrapper that warns when the result is not used
        f"tensorflow.TensorArray.{name}": {"result": "object:tensorflow.TensorArray"}
        for name in ("write", "scatter", "split", "unstack")
    },
}
