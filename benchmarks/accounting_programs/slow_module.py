"""A module that takes seconds to import, for `slow_import.py`."""

import time

time.sleep(2.0)
