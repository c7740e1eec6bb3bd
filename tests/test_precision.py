"""The lists of docs/precision agree with each other, and the pages of the evaluation with them."""

import csv
import pathlib

import evaluation

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


def test_the_pages_of_the_evaluation_have_the_figures_of_the_labels() -> None:
    """When this fails: `python scripts/evaluation.py`."""
    for path, text in evaluation.pages().items():
        assert path.read_text(encoding="utf-8") == text


def test_every_set_of_the_evaluation_has_a_date() -> None:
    dated = {(row["kind"], row["number"]) for row in evaluation.read("dates.csv")}
    assert {number for kind, number in dated if kind == "round"} == {
        row["round"] for row in read("rounds/projects")
    }
    assert {number for kind, number in dated if kind == "programs"} == {
        row["number"] for row in evaluation.read("programs.csv")
    }
