"""A picture of Neovim with `graphdoctor server`: what its terminal shows, with its colours, as a page."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from rich.console import Console
from rich.text import Text

GUIDE = pathlib.Path(__file__).parents[1] / "guides/editor.md"
COLUMNS, ROWS = 140, 24
PATIENCE = 120
LOOK = """
vim.o.number, vim.o.signcolumn, vim.o.laststatus, vim.o.ruler = true, "yes", 0, false
vim.o.termguicolors = true
vim.cmd("syntax on | colorscheme slate")
vim.cmd("highlight Normal guifg=#e7e9ec guibg=#16181c | highlight SignColumn guibg=#16181c")
vim.cmd("highlight LspCodeLens guifg=#7fd08f gui=italic")
vim.diagnostic.config({
  virtual_text = { format = function(d) return d.code .. " " .. d.message:gsub("\\n.*", "") end },
})
"""


def neovim_configuration(command: str) -> str:
    """The configuration that the guide shows, with this graphdoctor."""
    text = GUIDE.read_text(encoding="utf-8")
    found = re.search(r"```lua\n(-- init\.lua, Neovim 0\.7.*?)```", text, re.DOTALL)
    if found is None:
        sys.exit(f"{GUIDE} shows no configuration of Neovim")
    return found[1].replace('"graphdoctor", "server"', f'"{command}", "server"')


def photographed(program: pathlib.Path, title: str) -> str:
    """The terminal with a program open in Neovim, after diagnostics and code lenses have come."""
    for needed in ("nvim", "tmux"):
        if shutil.which(needed) is None:
            sys.exit(f"no {needed} on this machine")
    with tempfile.TemporaryDirectory() as folder:
        init = pathlib.Path(folder) / "init.lua"
        command = pathlib.Path(sys.executable).with_name("graphdoctor")
        init.write_text(LOOK + neovim_configuration(str(command)), encoding="utf-8")
        tmux = ["tmux", "-S", f"{folder}/socket", "-f", "/dev/null"]
        size = ["-x", str(COLUMNS), "-y", str(ROWS)]
        editor = ["nvim", "-n", "-u", str(init), str(program)]
        subprocess.run([*tmux, "new-session", "-d", *size, *editor], check=True)
        try:
            subprocess.run([*tmux, "set", "-ga", "terminal-overrides", ",*256col*:Tc"], check=True)
            return _as_html(_awaited(tmux, title))
        finally:
            subprocess.run([*tmux, "kill-server"], check=True)


def _awaited(tmux: list[str], title: str) -> str:
    """The screen once it shows a text."""
    for _ in range(2 * PATIENCE):
        seen = subprocess.run([*tmux, "capture-pane", "-e", "-p"], check=True, capture_output=True, text=True)
        if title in Text.from_ansi(seen.stdout).plain:
            return seen.stdout
        time.sleep(0.5)
    sys.exit(f"Neovim does not show {title!r}")


def _as_html(screen: str) -> str:
    console = Console(record=True, width=COLUMNS, force_terminal=True, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(Text.from_ansi(screen.rstrip("\n")), soft_wrap=True)
    return console.export_html(inline_styles=True, code_format="<pre>{code}</pre>")
