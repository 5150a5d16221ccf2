"""Checks the reference of the C library: every name that the public headers use has its place in it.

    check_api.py SOURCE_DIRECTORY    writes the pages to api/ of the current directory"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "docs"))
import api  # noqa: E402


def main():
    _, places = api.write(root, pathlib.Path())
    missing, count = [], 0
    for header in api.headers(root):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        # Guards and the insides of macros are no names of the interface, nor are tags of structs that only the
        # library knows.
        text = re.sub(r"#include.*|#.*_H$|^ +struct carom_\w+ \*", "", text, flags=re.M)
        text = re.sub(r"(#define \w+\([^)]*\))(?:.*\\\n)*.*", r"\1", text)
        for name in sorted(set(re.findall(r"\b(?:carom_\w+|CAROM_\w+)\b", text)) - {"CAROM_PRINTF"}):
            count += 1
            if name not in places:
                missing.append(f"{header}: {name} is on no page of the reference")
    for name, place in places.items():
        page, _, anchor = place.partition("#")
        if f'<a id="{anchor}"></a>' not in pathlib.Path(page).read_text():
            missing.append(f"{page}: no anchor for {name}")
    print(*missing, f"{count} names, {len(missing)} missing", sep="\n")
    return 1 if missing or count == 0 else 0


sys.exit(main())
