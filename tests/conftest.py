"""Every test session compiles from a clean Numba cache in a folder of its own, shared by its worker processes."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings

if "HOLDEM_TEST_SESSION" not in os.environ:
    _folder = tempfile.mkdtemp(prefix="holdem-tests-")
    os.environ["HOLDEM_TEST_SESSION"] = _folder
    os.environ["NUMBA_CACHE_DIR"] = str(Path(_folder) / "numba")
    os.environ["HOLDEM_CACHE"] = str(Path(_folder) / "cache")
    atexit.register(shutil.rmtree, _folder, ignore_errors=True)

# The first example of a test may compile a kernel, so no example has a deadline; failures replay the same way.
settings.register_profile(
    "holdem", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("holdem")
