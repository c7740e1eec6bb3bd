"""Neovim without a window, with the configuration that the guide shows."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

GUIDE = pathlib.Path(__file__).parents[2] / "docs/guides/editor.md"
PROGRAM = """import tensorflow as tf


@tf.function
def scale(x, step):
    return x * step


for step in range(9):
    scale(tf.ones([3]), step)
"""
WAIT = """
vim.wait(120000, function() return #vim.diagnostic.get(0) > 0 end, 100)
for _, found in ipairs(vim.diagnostic.get(0)) do
  io.stdout:write("shown ", found.lnum + 1, ":", found.col + 1, " ", found.code, "\\n")
end
vim.cmd("qa!")
"""


@pytest.mark.long
def test_neovim_shows_what_check_finds(tmp_path: pathlib.Path) -> None:
    neovim = shutil.which("nvim")
    if neovim is None:
        reason = "no Neovim on this machine: `apt-get install neovim`"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    found = re.search(
        r"```lua\n(-- init\.lua, Neovim 0\.7.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL
    )
    assert found is not None
    server = pathlib.Path(sys.executable).with_name("graphdoctor")
    (tmp_path / "init.lua").write_text(found[1].replace('"graphdoctor", "server"', f'"{server}", "server"'))
    (tmp_path / "wait.lua").write_text(WAIT)
    (tmp_path / "train.py").write_text(PROGRAM)
    done = subprocess.run(
        [neovim, "--headless", "-n", "-u", "init.lua", "train.py", "-c", "luafile wait.lua"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "shown 10:25 GD101\n" in done.stdout, done.stderr
