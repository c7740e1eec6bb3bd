"""Where the wall time of a running program goes: exact clocks where they are cheap, samples for the rest."""
