"""Check the source: annotations for the pull request, SARIF for code scanning, JSON for the comment."""

from workflow import give, graphdoctor, lines_of, temporary


def main() -> None:
    """Run `check`; its exit code is an output, so that what was found is uploaded before the job fails."""
    chosen = [*lines_of("INPUT_ARGUMENTS"), "--", *(lines_of("INPUT_PATHS") or ["."])]
    status = graphdoctor("check", "--output-format", "github", *chosen)
    sarif, report = temporary("graphdoctor.sarif"), temporary("graphdoctor.json")
    for file in (sarif, report):  # what has not changed is in the cache
        graphdoctor("check", "--exit-zero", "-o", str(file), *chosen)
    give("exit-code", str(status))
    for name, file in (("sarif", sarif), ("report", report)):
        give(name, str(file) if file.exists() else "")


if __name__ == "__main__":
    main()
