"""What is saved and loaded again keeps its signatures: the programs ran on 2.21, or raised TypeError."""

import inspect

import pytest
from tests.checking import check

HEAD = """
import os
import tempfile
import tensorflow as tf
class Server(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.int32)])
    def serve(self, ids):
        return ids + 1
    @tf.function
    def free(self, ids):
        return ids + 1
class Other(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.int64)])
    def serve(self, ids):
        return ids + 1
right, wrong = tf.ones([3, 2], tf.int32), tf.ones([3, 2], tf.int64)
"""
TAKEN = {
    "what the signature asks for": """
        tf.saved_model.save(Server(), "folder")
        tf.saved_model.load("folder").serve(right)
        """,
    "another folder, where something else lies": """
        tf.saved_model.save(Server(), "folder")
        tf.saved_model.load("elsewhere").serve(wrong)
        """,
    "what was saved there last": """
        tf.saved_model.save(Server(), "folder")
        tf.saved_model.save(Other(), "folder")
        tf.saved_model.load("folder").serve(wrong)
        """,
    "what was perhaps saved there last": """
        tf.saved_model.save(Server(), "folder")
        if os.environ.get("other"):
            tf.saved_model.save(Other(), "folder")
        tf.saved_model.load("folder").serve(wrong)
        """,
    "a function without a signature": """
        server = Server()
        server.free(wrong)
        tf.saved_model.save(server, "folder")
        tf.saved_model.load("folder").free(wrong)
        """,
    "a temporary folder of its own": """
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
            tf.saved_model.save(Server(), one)
            tf.saved_model.save(Other(), two)
            tf.saved_model.load(two).serve(wrong)
        """,
    "the signatures, which cast nothing and are called by name": """
        tf.saved_model.save(Server(), "folder")
        loaded = tf.saved_model.load("folder")
        loaded.signatures["serving_default"](ids=right)
        """,
}
REFUSED = {
    "another dtype": """
        tf.saved_model.save(Server(), "folder")
        tf.saved_model.load("folder").serve(wrong)
        """,
    "another shape, given by its name": """
        tf.saved_model.save(Server(), "folder")
        tf.saved_model.load("folder").serve(ids=tf.ones([3, 5], tf.int32))
        """,
    "from a temporary folder": """
        with tempfile.TemporaryDirectory() as folder:
            tf.saved_model.save(Server(), folder)
            loaded = tf.saved_model.load(folder)
            loaded.serve(wrong)
        """,
    "from a folder in a temporary folder": """
        path = os.path.join(tempfile.mkdtemp(), "1")
        tf.saved_model.save(Server(), path)
        serve = tf.saved_model.load(path).serve
        serve(wrong)
        """,
    "from a path that a function is given": """
        def export(path): tf.saved_model.save(Server(), str(path))
        def ask(path, ids): return tf.saved_model.load(str(path)).serve(ids)
        export("folder")
        ask("folder", wrong)
        """,
}


@pytest.mark.parametrize("program", TAKEN.values(), ids=TAKEN)
def test_what_a_loaded_function_takes(program: str) -> None:
    assert not check(HEAD + inspect.cleandoc(program), "GD104")


@pytest.mark.parametrize("program", REFUSED.values(), ids=REFUSED)
def test_what_a_loaded_function_refuses(program: str) -> None:
    assert [found.rule for found in check(HEAD + inspect.cleandoc(program), "GD104")] == ["GD104"]
