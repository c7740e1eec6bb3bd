"""TensorFlow's stored answers in the place of TensorFlow: what is kept is not run again.

A share of the programs, drawn again each day, is run all the same and held against what is kept. The share
is larger when the observer is another one than the one whose words are kept. `make oracle` runs all.
"""

import datetime
import hashlib
import os
import pathlib
from typing import Any

from tests.oracle_files import Answer, Asked, folder_of_versions, observer_digest, read_answer, write_answer
from tests.running import TensorFlowServer

# "all": run every program and keep the answer; "missing": those that have none; "": as stated above.
REFRESH = os.environ.get("GRAPHDOCTOR_ORACLE", "")
DATE = (
    os.environ.get("GRAPHDOCTOR_ORACLE_DATE")
    or datetime.datetime.now(datetime.timezone.utc).date().isoformat()
)
SHARE, SHARE_OF_ANOTHER_OBSERVER = 3, 20  # per cent
OBSERVER = "observer.txt"


def share() -> int:
    """How many per cent of the programs are run again."""
    kept = folder_of_versions() / OBSERVER
    same = kept.exists() and kept.read_text(encoding="utf-8").strip() == observer_digest()
    return SHARE if same else SHARE_OF_ANOTHER_OBSERVER


def is_drawn(key: str, date: str, per_cent: int) -> bool:
    """Whether a program is run on this day although its answer is kept."""
    drawn = int(hashlib.sha256(f"{date} {key}".encode()).hexdigest()[:8], 16)
    return drawn % 1000 < 10 * per_cent


class Oracle(TensorFlowServer):
    """Answers as TensorFlow did when it was asked last."""

    def __init__(self, directory: pathlib.Path, shared: pathlib.Path | None = None) -> None:
        super().__init__(directory, shared)
        self._per_cent = share()

    def ask(self, request: dict[str, object]) -> dict[str, Any]:
        """The answer to one request, as tests/tensorflow_server.py reads it."""
        asked = Asked(request)
        key = asked.key
        kept = read_answer(key)
        if REFRESH == "all" or (REFRESH and kept is None):
            return self._refresh(asked, key, kept)
        if kept is None:
            complete = (folder_of_versions() / OBSERVER).exists()
            assert not (os.environ.get("CI") and complete), (
                "no answer of TensorFlow is kept: run `make oracle`"
            )
            return super().ask(request)
        if not is_drawn(key, DATE, self._per_cent):
            return asked.replay(kept)
        answer = super().ask(request)
        compare(key, kept, asked.collect(answer))
        return _instead(asked, kept)

    def _refresh(self, asked: Asked, key: str, kept: Answer | None) -> dict[str, Any]:
        done = self.shared / f"{key}.refreshed"
        if done.exists() and kept is not None:
            return asked.replay(kept)
        answer = super().ask(dict(asked.request))
        if answer["timed_out"]:
            return answer
        now = asked.collect(answer)
        if kept is None or _facts(now, kept) != kept.facts():
            asked.forget()
            again = super().ask(dict(asked.request))
            now.repeats = now.facts() == asked.collect(again).facts()
            asked.forget()
            answer = asked.replay(now)
            write_answer(key, now)
        else:
            answer = _instead(asked, kept)
        done.touch()
        with (folder_of_versions() / "used.txt").open("a", encoding="utf-8") as used:
            used.write(f"{key}\n")
        return answer


def _instead(asked: Asked, kept: Answer) -> dict[str, Any]:
    """What is kept, in the place of a run that gave the same facts.

    What a test asks for next may depend on the rest, such as the seconds that a bar shows: it has to be what
    it asks for when the answer is replayed.
    """
    asked.forget()
    return asked.replay(kept)


def _facts(now: Answer, kept: Answer) -> list[str]:
    """The facts of a run, as far as those that are kept go."""
    now.repeats = kept.repeats
    return now.facts()


def compare(key: str, kept: Answer, now: Answer) -> None:
    """That the kept answer is what TensorFlow does and what the observer writes today."""
    facts, before = _facts(now, kept), kept.facts()
    gone = [fact for fact in before if fact not in facts]
    new = [fact for fact in facts if fact not in before]
    assert facts == before, (
        f"{key}.json is stale: kept and no longer true {gone}, true and not kept {new}; "
        "if TensorFlow or the observer is meant to do so: `make oracle`"
    )
