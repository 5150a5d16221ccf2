"""Writes the C file of carom._native from declarations.h: write_module.py OUTPUT.c"""

import pathlib
import re
import sys

import cffi

here = pathlib.Path(__file__).parent
declarations = (here / "declarations.h").read_text()
builder = cffi.FFI()
builder.cdef(re.sub(r"/\*.*?\*/", "", declarations, flags=re.DOTALL))
builder.set_source("carom._native", '#include "bridge.h"\n#include "contact_bridge.h"\n#include "impact_bridge.h"\n')
builder.emit_c_code(sys.argv[1])
