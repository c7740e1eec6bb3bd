"""Reads settings.ini into a plain object."""
import configparser
import pathlib
from types import SimpleNamespace

_CASTS = {
    "stations": int, "days": int, "seed": int,
    "units": int, "window": int,
    "epochs": int, "batch": int, "learning_rate": float, "l2": float,
    "debug_eager": bool, "threads": int,
}


def load(path=None):
    parser = configparser.ConfigParser()
    parser.read(path or pathlib.Path(__file__).with_name("settings.ini"))
    out = SimpleNamespace()
    for section in parser.sections():
        values = {key: _CASTS[key](raw) for key, raw in parser[section].items()}
        setattr(out, section, SimpleNamespace(**values))
    return out
