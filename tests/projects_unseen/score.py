"""Scores `graphdoctor check` on the projects of this folder. usage: score.py GRAPHDOCTOR [PATTERN…]

Hit: a finding of one of the truth's rules, within 3 lines of the cause or of an acceptable line, or in the function
concerned. False positive: any finding on a correct or fixed project. Only findings that are shown by default count.
"""

import fnmatch
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
NEAR_LINES = 3


def is_shown(finding):
    """Severity above NOTE, and confidence not LOW."""
    level = finding.get("confidence") or {}
    level = level.get("level", "HIGH") if isinstance(level, dict) else level
    return finding["severity"].upper() != "NOTE" and str(level).upper() != "LOW"


def findings(tool, folder):
    """What `check` shows of a project, run on a copy outside this repository."""
    with tempfile.TemporaryDirectory() as temporary:
        root = pathlib.Path(temporary, "project").resolve()
        shutil.copytree(folder, root, ignore=shutil.ignore_patterns("__pycache__"))
        command = [tool, "check", "--no-cache", "--exit-zero", "--output-format", "json", "."]
        out = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout
        found = [f for f in json.loads(out)["findings"] if is_shown(f)]
        for finding in found:
            finding["path"] = (root / finding["path"]).resolve().relative_to(root).as_posix()
        return found


def is_hit(finding, truth):
    """Whether a finding reports the mistake of the truth."""
    places = [(truth["file"], line) for line in truth["line"]]
    places += [(place["file"], line) for place in truth["also_acceptable"] for line in place["line"]]
    last = finding.get("end_line") or finding["line"]
    near = any(
        finding["path"] == file and finding["line"] - NEAR_LINES <= line <= last + NEAR_LINES
        for file, line in places
    )
    name = (finding.get("function") or {}).get("name", "").split(".")[-1]
    return finding["rule"] in truth["rules"] and (near or name == truth["function"])


def text(finding):
    return f"{finding['rule']} {finding['path']}:{finding['line']} {finding['message'][:100]}"


def main(tool, patterns):
    tool = shutil.which(tool) or str(pathlib.Path(tool).resolve())
    hits = mistakes = correct = flagged = 0
    for truth_file in sorted(HERE.glob("*/truth.json")):
        case, truth = truth_file.parent, json.loads(truth_file.read_text())
        if patterns and not any(fnmatch.fnmatch(case.name, p) for p in patterns):
            continue
        found = findings(tool, case / "before")
        wrong = found if truth["class"] == "clean" else findings(tool, case / "after")
        correct += 1
        flagged += bool(wrong)
        for finding in wrong:
            print("  false positive", case.name, text(finding))
        if truth["class"] == "clean":
            continue
        mistakes += 1
        mine = [f for f in found if is_hit(f, truth)]
        hits += bool(mine)
        if not mine:
            print("  miss", case.name, truth["rules"], truth["form"])
        for finding in found:
            if finding not in mine:
                print("  elsewhere", case.name, text(finding))
    print(f"recall {hits}/{mistakes}; correct or fixed projects flagged {flagged}/{correct}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
