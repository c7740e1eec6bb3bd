"""Which worker a process is: from TF_CONFIG and launchers, and nothing is guessed."""

import json

import pytest

from graphdoctor.observer.process.cluster import host_of, rank_of, worker_of

CLUSTER = {"chief": ["a:1"], "worker": ["b:1", "c:1"], "ps": ["d:1"]}


def configured(kind: str, index: int, **cluster: list[str]) -> dict[str, str]:
    return {"TF_CONFIG": json.dumps({"cluster": cluster, "task": {"type": kind, "index": index}})}


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"TF_CONFIG": "not json"},
        {"TF_CONFIG": "[]"},
        {"TF_CONFIG": "{}"},
        {"TF_CONFIG": '{"task": 3}'},
        {"TF_CONFIG": '{"task": {"type": "worker", "index": "first"}}'},
        {"RANK": "3"},
        {"RANK": "three", "WORLD_SIZE": "4"},
        {"SLURM_PROCID": "1"},
    ],
)
def test_nothing_is_said_where_the_environment_says_nothing(environment: dict[str, str]) -> None:
    assert (worker_of(environment), rank_of(environment), host_of(environment)) == ("", None, "")


@pytest.mark.parametrize(
    ("kind", "index", "rank"), [("chief", 0, 0), ("worker", 0, 1), ("worker", 1, 2), ("ps", 0, None)]
)
def test_the_task_of_tf_config(kind: str, index: int, rank: int | None) -> None:
    environment = configured(kind, index, **CLUSTER)
    assert (worker_of(environment), rank_of(environment)) == (f"{kind} {index}", rank)
    assert host_of(environment) != ""


@pytest.mark.parametrize(
    "environment",
    [
        {"RANK": "3", "WORLD_SIZE": "4"},
        {"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "4"},
        {"SLURM_PROCID": "3", "SLURM_NTASKS": "4"},
    ],
)
def test_the_rank_of_a_launcher(environment: dict[str, str]) -> None:
    assert (worker_of(environment), rank_of(environment)) == ("", 3)
