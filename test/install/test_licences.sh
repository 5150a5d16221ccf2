#!/bin/sh
# Programs that use libcarom stay free to choose their licence: no library that it links, at any depth, is under the
# GPL alone, and docs/dependencies.md names the terms of each one that it links itself.
set -eu

library=$CAROM_BUILD_DIR/libcarom.so
ldd "$library" >libraries.txt
cat libraries.txt
grep -q 'libklu\.' libraries.txt # the list is that of libcarom

# All of SuiteSparse that is GPL in Debian, and what else an engineer may reach for.
gpl='umfpack|cholmod|spqr|rbio|mongoose|glpk|gsl|gslcblas|fftw3|readline|qrupdate|cgal'
if grep -E "lib($gpl)[-_.0-9a-z]*\.so" libraries.txt; then
    echo "libcarom links a library under the GPL (above), which makes every program that uses it GPL"
    exit 1
fi
if grep -wE -- "-l($gpl)" "$CAROM_BUILD_DIR/carom.pc"; then
    echo "carom.pc links a library under the GPL (above)"
    exit 1
fi

readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(lib[^.]*\).*/\1/p' >direct.txt
grep -qx libklu direct.txt
while read -r name; do
    grep '^| `lib' "$CAROM_SOURCE_DIR/docs/dependencies.md" | grep -q "\`${name}[.\`]" || {
        echo "docs/dependencies.md does not say under which terms $name is"
        exit 1
    }
done <direct.txt
