"""What a parameter is tried with, by its name."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Tensor:
    """A tensor to be made: floats from 0.1 to 0.9, integers 0 and 1; or all equal; or positive definite."""

    shape: tuple[int, ...] = (2, 3)
    dtype: str = "float32"
    values: str = "spread"


@dataclasses.dataclass(frozen=True)
class Tensors:
    """A list of tensors."""

    items: tuple[Tensor, ...] = (Tensor(), Tensor())


FLOAT, INTEGER, BOOLEAN, TEXT = Tensor(), Tensor(dtype="int32"), Tensor(dtype="bool"), Tensor((2,), "string")
SQUARE, COMPLEX, VECTOR = Tensor((3, 3)), Tensor(dtype="complex64"), Tensor((4,))
IMAGE, IMAGES, VOLUMES = Tensor((4, 4, 3)), Tensor((1, 4, 4, 3)), Tensor((1, 4, 4, 4, 3))
INDICES, NUMBER, LIST = Tensor((2,), "int32"), Tensor(()), Tensors()
SEQUENCES = Tensor((2, 4, 3))
DEFINITE, INTEGERS = Tensor((3, 3), values="definite"), Tensor((4,), "int32")
SPARSE = Tensor(values="sparse")
GENERIC = (
    FLOAT, INTEGER, 2, BOOLEAN, TEXT, SQUARE, LIST, VECTOR, COMPLEX, IMAGES, NUMBER, "a", INTEGERS,
    (2, 3), IMAGE,
)  # fmt: skip
LAST = (DEFINITE, SEQUENCES, VOLUMES, Tensor((), "int32"), Tensor((1, 2), "complex64"))


def identity(x: object, *rest: object) -> object:
    return x


def always(*values: object) -> bool:
    return True


BY_NAME: dict[str, tuple[object, ...]] = {
    "map_func": (identity,), "predicate": (always,), "transformation_func": (identity,),
    "reduce_func": (identity,),
    "index": (0, INDICES), "batch_size": (2,), "count": (2,), "buffer_size": (2,), "start_time": (1,),
    "type": ("int32",), "sp_input": (SPARSE,), "sp_a": (SPARSE,), "sp_b": (SPARSE,), "sp_inputs": (SPARSE,),
    "self": (FLOAT, INTEGER, BOOLEAN, NUMBER, COMPLEX), "shape": ((2, 3), (6,)), "dims": ((2, 3),),
    "size": ((2, 3), (2, 2), 2), "newshape": ((3, 2),), "new_shape": ((3, 2),),
    "output_shape": ((2, 3), (1, 4, 4, 3)), "target_shape": ((2, 3),), "axis": (0, -1),
    "axes": ((0,), 0, (1, 0)), "axis1": (0,), "axis2": (1,), "perm": ((1, 0),),
    "dtype": ("float32", "int32"), "out_type": ("float32", "int32"), "output_type": ("int32", "int64"),
    "depth": (4,), "num_classes": (4,), "k": (2, 1), "n": (2,), "N": (4,), "M": (4,), "num": (4,),
    "num_rows": (3,), "num_columns": (2,), "repeats": (2,), "reps": ((2, 2),), "multiples": ((2, 2),),
    "paddings": (((1, 1), (1, 1)),), "pad_width": (((1, 1), (1, 1)),), "shift": (1,),
    "num_or_size_splits": (3, 1), "indices_or_sections": (1, 3),
    "indices": (INDICES, Tensor((2, 1), "int32"), 1), "ids": (INDICES,),
    "segment_ids": (Tensor((2,), "int32"), Tensor((2, 3), "int32")), "num_segments": (2,),
    "condition": (BOOLEAN,), "mask": (BOOLEAN, Tensor((2,), "bool")), "value": (NUMBER, FLOAT, 2.0),
    "fill_value": (NUMBER, 2.0), "input_tensor": (FLOAT, BOOLEAN), "tensors": (LIST,), "arrays": (LIST,),
    "arys": (LIST,), "values": (FLOAT, LIST), "tup": (LIST,), "seq": (LIST,), "xs": (LIST,),
    "inputs": (FLOAT, LIST, INTEGER, IMAGES, SEQUENCES, TEXT), "image": (IMAGE, IMAGES),
    "images": (IMAGES, IMAGE), "img1": (Tensor((1, 16, 16, 3)),), "filters": (Tensor((2, 2, 3, 2)),),
    "img2": (Tensor((1, 16, 16, 3)),), "a": (FLOAT, SQUARE, DEFINITE), "b": (FLOAT, SQUARE, 2),
    "strides": (1, (1, 1, 1, 1)), "ksize": (2, (1, 2, 2, 1)), "padding": ("SAME", "VALID", 1),
    "rate": (0.5,), "filter": (Tensor((2, 2, 3, 2)),), "labels": (FLOAT, INDICES, INTEGER),
    "logits": (FLOAT,), "predictions": (FLOAT,), "targets": (FLOAT, INDICES),
    "y_true": (FLOAT, INTEGER, INDICES), "y_pred": (FLOAT,), "clip_value_min": (NUMBER, 0.0),
    "clip_value_max": (NUMBER, 1.0), "clip_norm": (1.0,), "t_list": (LIST,),
    "equation": ("ij,jk->ik", "ij->ji"), "seed": ((1, 2), 1), "subscripts": ("ij->ji",),
    "block_shape": ((1, 1),), "block_size": (2,), "crops": (((0, 0), (0, 0)),), "maxlen": (4,),
    "lengths": (INDICES,), "start": (NUMBER, Tensor((), "int32"), 0),
    "stop": (NUMBER, Tensor((), "int32"), 4), "limit": (4,), "delta": (1,), "begin": ((0, 0),),
    "pattern": ("a",), "rewrite": ("b",), "delta_": (1,), "frame_length": (2,), "frame_step": (1,),
    "signal": (VECTOR,), "signals": (VECTOR, Tensor((2, 8))), "fft_length": (4,), "window_length": (4,),
    "x": (FLOAT, INTEGER, BOOLEAN, SQUARE, IMAGES, COMPLEX, VECTOR),
    "boxes": (Tensor((2, 4)), Tensor((1, 2, 4))), "scores": (Tensor((2,)),), "max_output_size": (2,),
    "box_indices": (INDICES,), "crop_size": ((2, 2),), "target_height": (2,), "target_width": (2,),
    "offset_height": (0,), "offset_width": (0,), "central_fraction": (0.5,), "factor": (0.5,),
    "lower": (0.5,), "upper": (1.5,), "max_delta": (0.2,), "gain": (1,), "contrast_factor": (0.5,),
    "saturation_factor": (0.5,), "gamma": (1.0,), "scale": (NUMBER, 1.0), "offset": (NUMBER, 0.0),
    "mean": (NUMBER,), "variance": (NUMBER,), "variance_epsilon": (0.001,), "matrix": (SQUARE,),
    "rhs": (SQUARE,), "diagonal": (Tensor((3,)),), "tensor": (FLOAT, SQUARE, IMAGES, TEXT),
    "diag": (Tensor((3,)),), "input": (FLOAT, INTEGER, TEXT, IMAGES, SQUARE, VECTOR, COMPLEX),
    "updates": (FLOAT, Tensor((2,))), "params": (FLOAT,), "p": (0.5,), "q": (0.5,), "lam": (1.0,),
    "low": (0.0,), "high": (4,), "counts": (Tensor((2,)),), "probs": (Tensor((2,)),),
    "alpha": (Tensor((2,)), 1.0), "beta": (1.0,), "num_samples": (2,), "sequence_length": (INDICES,),
    "sequence": (VECTOR, LIST), "hypothesis": (TEXT,), "separator": (",",), "tensor_list": (LIST,),
    "input_length": (INDICES,), "pos": (0,), "len": (1,), "num_buckets": (4,), "bins": (4,), "bits": (8,),
    "nbins": (4,), "sorted_sequence": (VECTOR,), "value_range": ((0.0, 1.0),), "rank": (2,),
    "name": ("name",), "key": ((1, 2), "a"), "scalar": (NUMBER,), "source": (0,), "destination": (1,),
    "obj": (1, 0), "v": (VECTOR,), "xp": (VECTOR,), "fp": (VECTOR,), "ord": (2,), "order": (1, 2),
    "deg": (1,), "decimals": (1,), "minlength": (4,), "features": (FLOAT, IMAGES, TEXT),
    "weights": (FLOAT, Tensor((2, 2, 3, 2)), Tensor((3, 3))), "biases": (Tensor((3,)),),
    "bias": (Tensor((3,)),), "message": ("a",), "rtol": (0.1,), "atol": (0.1,),
    "true_classes": (Tensor((2, 1), "int64"),), "num_true": (1,), "num_sampled": (2,), "unique": (True,),
    "range_max": (8,), "min": (0.0,), "max": (1.0,), "x_min": (0.0,), "x_max": (1.0,),
    "kernel": (Tensor((2, 2, 3, 2)), Tensor((2, 3, 2))), "pool_size": (2, (2, 2)), "data_format": (None,),
    "chol": (SQUARE,), "diagonals": (Tensor((3, 4)),), "starts": (INDICES,), "limits": (INDICES,),
    "minval": (0.0,), "maxval": (1.0,), "stddev": (1.0,), "query": (SEQUENCES, Tensor((2, 4, 2, 3))),
    "bin_edges": (VECTOR, (0.2, 0.5)), "num_bits": (8,), "c": (3,), "reduction": ("sum", None),
    "separators": (",",), "nest": (LIST,), "structure": (LIST, FLOAT),
    "start_indices": (Tensor((2,), "int32"), (0, 0)), "slice_sizes": ((1, 2),), "sizes": ((1, 2),),
}  # fmt: skip

DTYPE_PARAMETERS = (
    "dtype",
    "out_type",
    "output_type",
    "out_dtype",
    "output_dtype",
    "Tout",
    "index_type",
    "out_idx",
    "type",
    "counts_dtype",
)
SHAPE_PARAMETERS = (
    "shape",
    "size",
    "dims",
    "newshape",
    "new_shape",
    "output_shape",
    "num",
    "N",
    "M",
    "n",
    "num_rows",
)
SHAPES = ((2, 3), (3, 3), (4,), (5, 2, 3), (3, 4), (2, 3, 3), (1, 4, 4, 3), (2, 1), (4, 4, 3), ())
DTYPES = ("float32", "float64", "float16", "int32", "int64", "uint8", "bool", "complex64")
EITHER = (True, False)
# Values of optional parameters, beside the flags (True and False), by name.
OPTIONS: dict[str, tuple[object, ...]] = {
    "axis": (0, -1, 1, (0, 1), (0, -1)), "axes": (0, 1, (0, 1)), "batch_dims": (1,), "ord": (1,),
    "num": (3,), "perm": ((1, 0),), "depth": (3,), "k": (1,), "name": ("name",), "seed": (1,),
    "num_columns": (5,), "batch_shape": ((2,),), "M": (5,), "size": (3, (2, 3)),
    "full_matrices": (True, False), "side": ("right",), "data_format": ("NHWC",), "stop": (7,),
    "limit": (7,), "weights": (Tensor(),),
}  # fmt: skip
