"""Writes the C file of carom._native from declarations/: write_module.py OUTPUT.c"""

import pathlib
import re
import sys

import cffi

here = pathlib.Path(__file__).parent
declarations = "".join(file.read_text() for file in sorted((here / "declarations").glob("*.h")))
builder = cffi.FFI()
builder.cdef(re.sub(r"/\*.*?\*/", "", declarations, flags=re.DOTALL))
builder.set_source("carom._native", "".join(f'#include "{file.name}"\n' for file in sorted(here.glob("*bridge.h"))))
builder.emit_c_code(sys.argv[1])
