"""A test session has a cache folder of its own, no shipped models, and compiled kernels that outlive it.

The folder of compiled kernels is named after the content of every kernel (`holdem.util.jit`), so that it cannot go
stale: the first session after a change compiles, the next ones do not.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings

from holdem.util.jit import kernel_digest, user_cache_folder

if "HOLDEM_TEST_SESSION" not in os.environ:
    _folder = tempfile.mkdtemp(prefix="holdem-tests-")
    os.environ["HOLDEM_TEST_SESSION"] = _folder
    os.environ.setdefault("NUMBA_CACHE_DIR", str(user_cache_folder() / f"numba-{kernel_digest()}"))
    os.environ["HOLDEM_CACHE"] = str(Path(_folder) / "cache")
    _no_models = Path(_folder) / "no models"  # commands here find those that a test packs, no others
    _no_models.mkdir()
    os.environ["HOLDEM_MODELS"] = str(_no_models)
    atexit.register(shutil.rmtree, _folder, ignore_errors=True)

# The first example of a test may compile a kernel, so no example has a deadline; failures replay the same way.
settings.register_profile(
    "holdem", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("holdem")
