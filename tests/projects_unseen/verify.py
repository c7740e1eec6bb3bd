"""Runs the projects on TensorFlow and holds what happens against `verify` of their truth.

usage: verify.py [PATTERN…]

Writes `evidence.txt` beside each truth: what was printed, how often each graph function was traced
(`experimental_get_tracing_count`), how many gradients were None, how many programs XLA compiled.
"""

import collections
import fnmatch
import json
import os
import pathlib
import re
import runpy
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def watch(program):
    """Runs a program in this process and prints what it did as one line of JSON."""
    sys.path.insert(0, os.getcwd())
    sys.argv = [program]
    import tensorflow as tf
    from tensorflow.python.eager.polymorphic_function.polymorphic_function import Function

    functions, gradients = [], []
    init, gradient = Function.__init__, tf.GradientTape.gradient

    def remember(self, *args, **kwargs):
        init(self, *args, **kwargs)
        functions.append(self)

    def count(self, *args, **kwargs):
        result = gradient(self, *args, **kwargs)
        gradients.extend(g is None for g in ([result] if result is None else tf.nest.flatten(result)))
        return result

    Function.__init__, tf.GradientTape.gradient = remember, count
    error = None
    try:
        runpy.run_path(program, run_name="__main__")
    except Exception as failure:
        error = f"{type(failure).__name__}: {failure}"
    traces = collections.Counter()
    for function in functions:
        traces[function.python_function.__name__] += function.experimental_get_tracing_count()
    print("\nWATCHED " + json.dumps({"traces": traces, "gradients": len(gradients), "none": sum(gradients), "error": error}))


def run(case, side):
    """What the program of one side of a project printed, and what was counted."""
    probe = case / "probe.py"
    programs = [p for p in (case / side / "main.py", probe) if p.exists()]
    printed, seen = [], {"traces": collections.Counter(), "gradients": 0, "none": 0, "error": None, "compilations": 0}
    for program in programs:
        with tempfile.TemporaryDirectory() as dump:
            env = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", PYTHONDONTWRITEBYTECODE="1")
            env["XLA_FLAGS"] = f"--xla_dump_to={dump} --xla_dump_hlo_as_text"
            command = [sys.executable, "-P", __file__, "--watch", str(program)]
            out = subprocess.run(command, cwd=case / side, env=env, capture_output=True, text=True, check=False).stdout
            seen["compilations"] += len(list(pathlib.Path(dump).glob("*before_optimizations.txt")))
        text, _, counted = out.rpartition("\nWATCHED ")
        one = json.loads(counted)
        seen["traces"].update(one["traces"])
        seen["gradients"] += one["gradients"]
        seen["none"] += one["none"]
        seen["error"] = seen["error"] or one["error"]
        printed += [f"{program.name}: {line}" for line in text.splitlines() if line]
    return "\n".join(printed), seen


def broken(expected, function, printed, seen):
    """The conditions that do not hold."""
    traces = seen["traces"].get(function, 0)
    tests = {
        "traces_min": lambda v: traces >= v,
        "traces_max": lambda v: 1 <= traces <= v,
        "grads_none": lambda v: seen["none"] == v,
        "grads_none_min": lambda v: seen["none"] >= v,
        "grads_min": lambda v: seen["gradients"] >= v,
        "grads_max": lambda v: seen["gradients"] <= v,
        "compilations_min": lambda v: seen["compilations"] >= v,
        "compilations_max": lambda v: seen["compilations"] <= v,
        "stdout": lambda v: re.search(v, printed, re.M),
        "error": lambda v: re.search(v, seen["error"] or ""),
    }
    wrong = [f"{key} {value}" for key, value in expected.items() if not tests[key](value)]
    if seen["error"] and "error" not in expected:
        wrong.append("raised")
    return wrong


def main(patterns):
    bad = 0
    for truth_file in sorted(HERE.glob("*/truth.json")):
        case, truth = truth_file.parent, json.loads(truth_file.read_text())
        if patterns and not any(fnmatch.fnmatch(case.name, p) for p in patterns):
            continue
        evidence = []
        for side, expected in truth["verify"].items():
            printed, seen = run(case, side)
            wrong = broken(expected, truth.get("function"), printed, seen)
            bad += bool(wrong)
            print(case.name, side, "WRONG " + "; ".join(wrong) if wrong else "as expected", flush=True)
            error = re.sub(r"\s+", " ", re.sub(r"\x1b\[[0-9;]*m", "", seen["error"] or "none"))
            error = error if len(error) < 500 else f"{error[:200]} … {error[-250:]}"
            evidence += [f"== {side}: expected {json.dumps(expected)}: {'WRONG' if wrong else 'seen'}", printed]
            evidence += [f"traces {dict(seen['traces'])}; gradients {seen['gradients']}, None {seen['none']}; XLA compilations {seen['compilations']}", f"error {error}"]
        (case / "evidence.txt").write_text("\n".join(line for line in evidence if line) + "\n")
    return bad


if __name__ == "__main__":
    if sys.argv[1:2] == ["--watch"]:
        watch(sys.argv[2])
    else:
        sys.exit(main(sys.argv[1:]))
