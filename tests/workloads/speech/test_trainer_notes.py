"""What a trainer leaves out, it says."""

import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]


def test_characters_without_a_symbol_are_noted(tiny, tmp_path):
    from workloads.speech.trainer import Trainer

    (tmp_path / "texts.txt").write_text("One * star.\nTwo snowmen ☃ here.\nThree words here.\n" * 3)

    trainer = Trainer(tiny(texts=str(tmp_path / "texts.txt")))

    assert trainer.notes == ("characters left out of the texts: * ☃",)
