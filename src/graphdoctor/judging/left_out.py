"""The rules of other packages that could not be asked: a report without them is not complete."""

from graphdoctor.errors import RulePackageError
from graphdoctor.rule_packages import rule_sources


def rules_left_out() -> tuple[RulePackageError, ...]:
    """Why rules of other packages are left out; loads no rule where no package has any."""
    if not rule_sources():
        return ()
    from graphdoctor.rules.registry import rule_package_errors

    return rule_package_errors()
