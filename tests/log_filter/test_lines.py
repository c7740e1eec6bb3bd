"""Which lines are log noise of TensorFlow's start, and which are not."""

import pytest

from graphdoctor.log_filter import without_log, without_log_noise

NOT_LOG_NOISE = [
    "I0516 12:34:56.789012 140 train.py:12] epoch 3\n",
    "W0000 00:00:1794811379.225811   25127 gpu_device.cc:2431] Cannot dlopen some GPU libraries.\n",
    "F0000 00:00:1794811379.225811   25127 cpu_feature_guard.cc:44] The TensorFlow library was compiled"
    " to use AVX instructions, but these aren't available on your machine.\n",
    "2026-05-01 10:00:00.000000: W tensorflow/core/framework/op_kernel.cc:1830] OP_REQUIRES failed\n",
    "2026-05-01 10:00:00.000000: I service.cc: started\n",
    "WARNING: All log messages are kept\n",
    "WARNING:tensorflow:5 out of the last 5 calls triggered tf.function retracing.\n",
    "To enable the following instructions: read the manual.\n",
    "loss 3 I0000 00:00:1794811379.225811   25127 port.cc:153] oneDNN custom operations are on.\n",
    "a line without an end",
    "\n\n",
    "other\x0bbreaks\u2028of\rlines\r\n",
]
LOG_NOISE = [
    "WARNING: All log messages before absl::InitializeLog() is called are written to STDERR\n",
    "I0000 00:00:1794811379.225811   25127 port.cc:153] oneDNN custom operations are on. You may see more\n",
    "I0000 00:00:1794813926.903708   11821 cpu_feature_guard.cc:227] This TensorFlow binary is optimized to"
    " use available CPU instructions in performance-critical operations.\n"
    "To enable the following instructions: AVX2 AVX512F FMA, in other operations, rebuild TensorFlow with the"
    " appropriate compiler flags.\n",
    "2026-05-01 10:00:00.000000: I tensorflow/core/util/port.cc:113] oneDNN custom operations are on.\n",
    "2026-05-01 10:00:00.000000: I external/local_tsl/tsl/cuda/cudart_stub.cc:32] Could not find cuda\n",
    "E0000 00:00:1732000000.000000    1234 cuda_dnn.cc:8310] Unable to register cuDNN factory\n",
    "I0000 00:00:1794821573.273101    5852 device_compiler.h:208] Compiled cluster using XLA!  This line\n",
]


@pytest.mark.parametrize("text", NOT_LOG_NOISE)
def test_other_text_is_kept_to_the_letter(text: str) -> None:
    assert without_log_noise(text) == text


@pytest.mark.parametrize("text", LOG_NOISE)
def test_log_noise_is_left_out(text: str) -> None:
    assert without_log_noise(text) == ""
    assert without_log_noise(text.rstrip("\n")) == ""
    assert without_log_noise(f"before\n{text}after\n") == "before\nafter\n"


def test_all_at_once() -> None:
    mixed = [text for pair in zip(NOT_LOG_NOISE, LOG_NOISE, strict=False) for text in pair]
    assert without_log_noise("".join(mixed)) == "".join(NOT_LOG_NOISE[: len(LOG_NOISE)])


LOG = [
    "W0000 00:00:1794824841.140163   15655 assert_op.cc:38] Ignoring Assert operator assert/Assert\n",
    "2026-05-01 10:00:00.000000: W tensorflow/core/framework/op_kernel.cc:1830] OP_REQUIRES failed\n",
]


@pytest.mark.parametrize("text", [*LOG_NOISE, *LOG])
def test_the_whole_log_can_be_left_out(text: str) -> None:
    assert without_log(f"before\n{text}after\n") == "before\nafter\n"


@pytest.mark.parametrize("text", [text for text in NOT_LOG_NOISE if ".cc:" not in text])
def test_what_is_not_of_the_log_is_kept(text: str) -> None:
    assert without_log(text) == text
