"""graphdoctor inside other programs: its Python interface."""
