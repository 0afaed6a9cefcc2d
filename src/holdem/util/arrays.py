"""Array types by what an entry is: one name for one type in all signatures.

What an array means, and its shape, is said by its name and its docstring. These are for readers and mypy; nothing here
can be compiled into a kernel, which is why kernels may import it.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

Float32 = npt.NDArray[np.float32]
Float64 = npt.NDArray[np.float64]
Int8 = npt.NDArray[np.int8]
Int16 = npt.NDArray[np.int16]
Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
UInt8 = npt.NDArray[np.uint8]
UInt16 = npt.NDArray[np.uint16]
UInt32 = npt.NDArray[np.uint32]
UInt64 = npt.NDArray[np.uint64]
Bools = npt.NDArray[np.bool_]
AnyArray = npt.NDArray[Any]
