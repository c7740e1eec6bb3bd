"""The lists of docs/precision agree with each other."""

import csv
import pathlib

FOLDER = pathlib.Path(__file__).parents[1] / "docs/precision"


def read(name: str) -> list[dict[str, str]]:
    """The rows of a list."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_label_is_of_a_finding_that_0_1_0_made_and_the_other_way_round() -> None:
    labelled = {(row["repository"], row["path"], row["line"], row["rule"]) for row in read("labels")}
    found = {
        (row["project"], row["path"], row["line"], row["rule"])
        for row in read("frozen-0.1.0")
        if row["severity"] in ("ERROR", "WRONG") and row["rule"] != "GD000"
    }
    assert found == labelled


def test_every_finding_is_of_a_listed_project_at_the_labelled_commit() -> None:
    commits = {row["project"]: row["commit"] for row in read("projects")}
    assert len(commits) == 37
    assert {row["project"] for row in read("frozen-0.1.0") + read("absent")} <= set(commits)
    assert all(commits[row["repository"]] == row["commit"] for row in read("labels"))


def test_every_label_of_a_round_is_of_a_project_chosen_for_it() -> None:
    chosen = {(row["round"], row["project"], row["commit"]) for row in read("rounds/projects")}
    assert {(row["round"], row["project"], row["commit"]) for row in read("rounds/labels")} <= chosen
    assert {row["label"] for row in read("rounds/labels")} == {"act", "harmless", "wrong"}


def test_a_project_is_in_one_round_only_and_was_not_used_before() -> None:
    projects = [row["project"] for row in read("rounds/projects")]
    assert len(projects) == len(set(projects))
    assert not set(projects) & {row["project"] for row in read("projects")}
