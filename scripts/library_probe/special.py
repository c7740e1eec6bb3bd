"""What trying cannot find out: arguments that depend on each other, and what must not be called."""

from library_probe.samples import (
    BOOLEAN,
    COMPLEX,
    FLOAT,
    IMAGE,
    IMAGES,
    INDICES,
    NUMBER,
    SEQUENCES,
    VOLUMES,
    Tensor,
    Tensors,
)

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
    "tensorflow.nn.experimental.", "tensorflow.image.non_max_suppression_padded", "keras.config.",
    "keras.mixed_precision.", "keras.backend.clear_session", "keras.backend.set_",
    "keras.backend.conv2d_transpose", "keras.utils.get_file", "keras.utils.set_random_seed",
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
    "keras.ops.irfft": (),
    "tensorflow.signal.irfft": ((2, 5), (3,), (2, 3, 5)),
    "tensorflow.signal.irfft2d": ((2, 5), (3, 2, 5)),
    "tensorflow.signal.irfft3d": ((2, 4, 5), (2, 2, 4, 5)),
    "tensorflow.signal.irfftnd": ((2, 5),),
    "tensorflow.quantization.fake_quant_with_min_max_vars_per_channel": ((4, 3), (5, 2, 3)),
    "tensorflow.image.combined_non_max_suppression": (),
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
    "keras.ops.irfft": {"x": Tensors()},
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
    **{
        f"tensorflow.io.{name}": {"contents": Tensor((), "string", values)}
        for name, values in {
            "decode_png": "png", "decode_jpeg": "jpeg", "decode_bmp": "bmp", "decode_image": "png",
            "extract_jpeg_shape": "jpeg",
        }.items()
    },
    "tensorflow.audio.decode_wav": {"contents": Tensor((), "string", "wav")},
    "tensorflow.io.decode_raw": {"input_bytes": Tensor((2,), "string", "bytes"), "out_type": "uint8"},
    "tensorflow.io.decode_base64": {"input": Tensor((2,), "string", "base64")},
    "tensorflow.io.read_file": {"filename": Tensor((), "string", "file")},
    "tensorflow.io.parse_tensor": {"serialized": Tensor((), "string", "serialized"), "out_type": "float32"},
    "tensorflow.io.encode_png": {"image": Tensor((4, 4, 3), "uint8")},
    "tensorflow.strings.to_number": {"input": Tensor((2,), "string", "number")},
    "tensorflow.strings.format": {"template": "{}", "inputs": FLOAT},
    "tensorflow.nn.conv1d": {
        "input": SEQUENCES, "filters": Tensor((2, 3, 2)), "stride": 1, "padding": "SAME",
    },
    "tensorflow.nn.conv3d": {
        "input": VOLUMES, "filters": Tensor((2, 2, 2, 3, 2)), "strides": (1, 1, 1, 1, 1), "padding": "SAME",
    },
    "tensorflow.nn.separable_conv2d": {
        "input": IMAGES, "depthwise_filter": Tensor((2, 2, 3, 1)), "pointwise_filter": Tensor((1, 1, 3, 2)),
        "strides": (1, 1, 1, 1), "padding": "SAME",
    },
    **{
        f"tensorflow.nn.{name}": {"input": sample, "ksize": 2, "strides": 2, "padding": "SAME"}
        for name, sample in {
            "avg_pool1d": SEQUENCES, "max_pool1d": SEQUENCES, "avg_pool3d": VOLUMES, "max_pool3d": VOLUMES,
        }.items()
    },
    "tensorflow.nn.depth_to_space": {"input": Tensor((1, 2, 2, 4)), "block_size": 2},
    "tensorflow.nn.sigmoid_cross_entropy_with_logits": {"labels": FLOAT, "logits": FLOAT},
    "tensorflow.image.crop_and_resize": {
        "image": Tensor((2, 4, 4, 3)), "boxes": Tensor((2, 4)), "box_indices": INDICES, "crop_size": (2, 2),
    },
    "tensorflow.image.extract_patches": {
        "images": IMAGES, "sizes": (1, 2, 2, 1), "strides": (1, 1, 1, 1), "rates": (1, 1, 1, 1),
        "padding": "SAME",
    },
    "tensorflow.image.pad_to_bounding_box": {
        "image": IMAGE, "offset_height": 0, "offset_width": 0, "target_height": 6, "target_width": 6,
    },
    "tensorflow.image.grayscale_to_rgb": {"images": Tensor((4, 4, 1))},
    "tensorflow.image.psnr": {"a": IMAGES, "b": IMAGES, "max_val": 1.0},
    "tensorflow.reverse_sequence": {
        "input": FLOAT, "seq_lengths": Tensor((2,), "int32", "equal"), "seq_axis": 1,
    },
    "tensorflow.math.invert_permutation": {"x": INDICES},
    "tensorflow.math.add_n": {"inputs": Tensors()},
    "tensorflow.math.accumulate_n": {"inputs": Tensors()},
    "tensorflow.concat": {"values": Tensors(), "axis": 0},
    "tensorflow.stack": {"values": Tensors()},
    "tensorflow.einsum": {"equation": "ij,jk->ik", "inputs": Tensors((FLOAT, Tensor((3, 4))))},
    "tensorflow.fill": {"dims": (2, 3), "value": NUMBER},
    "tensorflow.one_hot": {"indices": Tensor(dtype="int32"), "depth": 4},
    "keras.Input": {"shape": (3,)},
    "keras.ops.stack": {"x": Tensors()},
    "keras.random.randint": {"shape": (2, 3), "minval": 0, "maxval": 4},
    "keras.ops.einsum": {"subscripts": "ij,jk->ik", "operands": Tensors((FLOAT, Tensor((3, 4))))},
    "keras.ops.linspace": {"start": 1.0, "stop": 4.0, "num": 4},
    "tensorflow.linspace": {"start": 1.0, "stop": 4.0, "num": 4},
    "numpy.linspace": {"start": 1.0, "stop": 4.0, "num": 4},
    "numpy.logspace": {"start": 1.0, "stop": 4.0, "num": 4},
    "numpy.geomspace": {"start": 1.0, "stop": 4.0, "num": 4},
    "tensorflow.range": {"start": 5},
    "numpy.arange": {"start_or_stop": 5},
    "tensorflow.gather": {"params": FLOAT, "indices": INDICES},
}  # fmt: skip

ASSERTS = ("assert_negative", "assert_shapes", "assert_type")
PIPELINE = (
    "bucket_by_sequence_length", "choose_from_datasets", "concatenate", "flat_map", "group_by_window",
    "interleave", "rebatch", "rejection_resample", "scan", "unbatch", "with_options", "zip",
    "sample_from_datasets",
)  # fmt: skip
SCATTER = (
    "batch_scatter_update", "scatter_add", "scatter_div", "scatter_max", "scatter_min", "scatter_mul",
    "scatter_sub", "scatter_update",
)  # fmt: skip
# Their sizes hang on the values that they are given, which the samples do not show.
SIZED_BY_VALUES = (
    *(f"tensorflow.math.segment_{how}" for how in ("max", "mean", "min", "prod", "sum")),
    *(f"tensorflow.sparse.segment_{how}" for how in ("mean", "sqrt_n", "sum")),
    *(f"keras.ops.segment_{how}" for how in ("max", "min", "prod", "sum")),
    "tensorflow.experimental.numpy.nonzero", "tensorflow.experimental.numpy.compress", "keras.ops.nonzero",
    "tensorflow.experimental.numpy.arange", "keras.backend.arange",
)  # fmt: skip
DIVIDED = "int32=float64 int64=float64 uint32=float64 uint64=float64 " + " ".join(
    f"{small}=float32" for small in ("int8", "uint8", "int16", "uint16")
)
TO_BOX = "image:image@target_height,target_width"
OR_NEAREST = "if:method=nearest|same:{}|float32"
WRITING = ("save", "savetxt", "savez", "savez_compressed")
# Facts that hold beside those found: of Python numbers and of objects. Each is tested on the library.
STATED: dict[str, dict[str, object]] = {
    "tensorflow.print": {"result": "none"},
    "tensorflow.py_function": {"gradient": "inp"},
    "tensorflow.numpy_function": {"cut": "*"},
    "tensorflow.random.set_seed": {"result": "none"},
    "keras.utils.set_random_seed": {"result": "none", "effect": "random"},
    "tensorflow.einsum": {"shape": ""},
    "keras.ops.einsum": {"shape": ""},
    "tensorflow.experimental.numpy.einsum": {"shape": ""},
    **{f"tensorflow.io.{name}": {"shape": "rank:3"} for name in ("decode_jpeg", "decode_bmp")},
    "tensorflow.io.read_file": {"shape": "scalar"},
    "tensorflow.ensure_shape": {"shape": "param:shape"},
    "tensorflow.gather": {"unless": []},  # of `batch_dims` its shape knows nothing, and its dtype is the same
    "tensorflow.image.non_max_suppression_overlaps": {
        "result": "tensor",
        "shape": "rank:1",
        "dtype": "int32",
    },
    "tensorflow.image.non_max_suppression_padded": {"result": "tuple:2", "dtype": "int32 / int32"},
    **{f"tensorflow.debugging.{name}": {"result": "none"} for name in ASSERTS},
    **{f"tensorflow.data.Dataset.{name}": {"result": "object:tensorflow.data.Dataset"} for name in PIPELINE},
    **{f"tensorflow.Variable.{name}": {"result": "object:tensorflow.Variable"} for name in SCATTER},
    "tensorflow.constant": {"dtype": "param:dtype|same:value", "unless": ["shape"]},
    "tensorflow.convert_to_tensor": {"dtype": "param:dtype|same:value"},
    **{f"tensorflow.math.{name}": {"dtype": f"same:x,y {DIVIDED}"} for name in ("truediv", "divide")},
    "tensorflow.image.resize": {"shape": "image:images@size", "dtype": OR_NEAREST.format("images")},
    "tensorflow.image.resize_with_pad": {"shape": TO_BOX, "dtype": OR_NEAREST.format("image")},
    "tensorflow.image.resize_with_crop_or_pad": {"shape": TO_BOX},
    "tensorflow.image.pad_to_bounding_box": {"shape": TO_BOX},
    "tensorflow.image.crop_to_bounding_box": {"shape": TO_BOX},
    "tensorflow.image.crop_and_resize": {"shape": "crops:image,boxes@crop_size"},
    "tensorflow.io.decode_png": {"shape": "rank:3", "dtype": "param:dtype|uint8"},
    "tensorflow.io.decode_csv": {"dtype": ""},
    "tensorflow.one_hot": {"dtype": "param:dtype|same:on_value,off_value else=float32"},
    "tensorflow.random.gamma": {"dtype": "param:dtype|float32"},
    "tensorflow.random.poisson": {"shape": ""},
    "tensorflow.linalg.matmul": {"dtype": "param:output_type|same:a,b"},
    "numpy.clip": {"shape": "broadcast:a,a_min,a_max", "dtype": "promote:a,a_min,a_max"},
    "tensorflow.ragged.constant": {"dtype": "param:dtype|", "shape": ""},
    "tensorflow.signal.irfft": {"dtype": "same:input_tensor complex64=float32 complex128=float64"},
    "tensorflow.math.top_k": {"shape": "last:input@k / last:input@k"},
    "keras.ops.top_k": {"shape": "last:x@k / last:x@k"},
    **{
        f"{name}.random.categorical": {"shape": "last:logits@num_samples"} for name in ("tensorflow", "keras")
    },
    "keras.ops.arange": {
        "shape": "range:start,stop,step",
        "dtype": "param:dtype|promote:start,stop,step",
        "unless": [],
    },
    **{f"keras.ops.{name}": {"shape": ""} for name in ("dot", "tile", "linspace")},
    "keras.utils.to_categorical": {"shape": "", "dtype": ""},
    **{name: {"shape": ""} for name in SIZED_BY_VALUES},
    # The gradient was looked for with real numbers, of which these have none.
    **{
        name: {"gradient": parameter, "cut": ""}
        for name, parameter in {
            "tensorflow.math.angle": "input",
            "tensorflow.math.imag": "input",
            "tensorflow.experimental.numpy.angle": "z",
            "tensorflow.experimental.numpy.imag": "val",
            "keras.ops.angle": "x",
            "keras.ops.imag": "x",
        }.items()
    },
    "tensorflow.math.zeta": {"gradient": "q", "cut": "x", "shape": "broadcast:x,q"},
    "tensorflow.linspace": {"dtype": "same:start,stop int32=float64 int64=float64"},
    "tensorflow.range": {"dtype": "param:dtype|promote:start,limit,delta"},
    "numpy.einsum": {"result": "array"},
    "numpy.convolve": {"shape": "rank:1", "dtype": "promote:a,v"},
    "numpy.flatnonzero": {"shape": "rank:1"},
    "numpy.gradient": {"result": "unknown", "shape": "", "dtype": ""},
    "numpy.fft.rfft": {"shape": "rfft:a"},
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
