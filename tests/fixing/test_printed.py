"""What two runs print, line by line: what does not stay on the screen is no line."""

from graphdoctor.fixing.printed import lines_of

BAR = "{0}/2 {1}s - loss: {2}"


def bar(*states: tuple[int, str, float]) -> str:
    """A bar as Keras draws it into a file: each state but the last ends with what takes it back."""
    drawn = [BAR.format(*state) for state in states]
    return "".join(f"{state}{chr(8) * len(state)}\n" for state in drawn[:-1]) + f"{drawn[-1]}\n"


def test_how_often_a_bar_is_drawn_makes_no_line() -> None:
    slow = bar((1, "3", 2.5), (2, "5", 1.25), (2, "6", 0.5))
    fast = bar((1, "0", 2.5), (2, "0", 0.5))
    assert [line.words for line in lines_of(slow)] == [line.words for line in lines_of(fast)] == ["/ - loss:"]
    assert lines_of(slow)[0].numbers[-1] == 0.5


def test_the_last_state_of_a_bar_counts() -> None:
    assert lines_of(bar((1, "3", 2.5), (2, "5", 0.5))) != lines_of(bar((1, "3", 2.5), (2, "5", 0.75)))
