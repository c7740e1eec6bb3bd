"""Which worker of a cluster this process is: as the environment says, and nothing is guessed."""

import json
import os
import platform
from collections.abc import Mapping

# What a launcher sets for each process that it starts: its rank, and beside it how many there are.
LAUNCHERS = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("HOROVOD_RANK", "HOROVOD_SIZE"),
    ("SLURM_PROCID", "SLURM_NTASKS"),
    ("RANK", "WORLD_SIZE"),
)
COMPUTING = ("chief", "master", "worker")  # the tasks of TF_CONFIG that train, in the order of their ranks


def worker_of(environment: Mapping[str, str] = os.environ) -> str:
    """Which task of a cluster this process is, as `TF_CONFIG` says: `worker 1`."""
    task = _task(environment)
    return f"{task[0]} {task[1]}" if task is not None else ""


def rank_of(environment: Mapping[str, str] = os.environ) -> int | None:
    """The rank among the processes that train together; None where nothing says it."""
    task = _task(environment)
    if task is not None:
        kind, index, before = task
        return before + index if kind in COMPUTING else None
    for rank, size in LAUNCHERS:
        found = environment.get(rank, "")
        if found.isdecimal() and environment.get(size, "").isdecimal():
            return int(found)
    return None


def host_of(environment: Mapping[str, str] = os.environ) -> str:
    """The name of this machine, for a process that is one of several; empty for others."""
    return platform.node() if _task(environment) is not None or rank_of(environment) is not None else ""


def _task(environment: Mapping[str, str]) -> tuple[str, int, int] | None:
    """The type and index of the task, and how many tasks of other types train before it."""
    try:
        configured = json.loads(environment.get("TF_CONFIG", "{}"))
        kind, index = str(configured["task"]["type"]), int(configured["task"]["index"])
        cluster = configured.get("cluster", {})
        earlier = COMPUTING[: COMPUTING.index(kind)] if kind in COMPUTING else ()
        return kind, index, sum(len(cluster.get(one, ())) for one in earlier)
    except (ValueError, LookupError, TypeError, AttributeError):
        return None
