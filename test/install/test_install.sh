#!/bin/sh
# What `make install` leaves can be used from elsewhere: the program finds its experiments, and C
# programs find the library through pkg-config and through CMake.
set -eu

step() {
    echo "== $*"
}

step install
cmake --install "$CAROM_BUILD_DIR" --prefix "$PWD/installed" >install.log
for file in bin/carom include/carom/carom.h include/carom/version.h share/man/man1/carom.1; do
    test -s "installed/$file"
done

# The tree may be moved after it was installed.
mv installed moved
prefix=$PWD/moved
library_directory=$(dirname "$(find "$prefix" -name libcarom.so)")
export LD_LIBRARY_PATH="$library_directory"
export PKG_CONFIG_PATH="$library_directory/pkgconfig"

step program
mkdir elsewhere
(cd elsewhere && "$prefix/bin/carom" list experiments) >experiments.txt
cat experiments.txt
grep -q moreau-1986/trial-04 experiments.txt
version=$("$prefix/bin/carom" --version)
case $version in
*"$(pkg-config --modversion carom)"*) ;;
*) echo "carom --version says '$version', carom.pc says $(pkg-config --modversion carom)" && exit 1 ;;
esac

cat >consumer.c <<'END'
#include <carom/carom.h>
#include <carom/version.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    carom_text text = {0};
    carom_text_append(&text, "carom %s", CAROM_VERSION);
    double matrix[] = {4.0, 0.0, 2.0, 5.0}, x[] = {8.0, 14.0};
    int failed_row = carom_cholesky_factor(2, matrix);
    carom_cholesky_solve(2, matrix, x);
    int good = failed_row == 0 && x[0] > 0.74 && x[0] < 0.76 && strlen(text.bytes) > 6;
    printf("%s: x = %g %g\n", text.bytes, x[0], x[1]);
    carom_text_free(&text);
    return !good;
}
END

step 'consumer by pkg-config, shared'
# The flags are words to split.
# shellcheck disable=SC2046
"$CC" -std=c17 consumer.c -o by_pkg_config $(pkg-config --cflags --libs carom)
./by_pkg_config
minor=$(pkg-config --modversion carom | cut -d. -f1,2)
ldd ./by_pkg_config | grep -q "$prefix.*libcarom.so.$minor"

step 'examples by pkg-config'
examples=$prefix/share/doc/carom/examples
for source in "$examples"/*.c; do
    name=$(basename "$source" .c)
    # shellcheck disable=SC2046
    "$CC" -std=c17 "$source" -o "$name" $(pkg-config --cflags --libs carom) -lm -pthread
    "./$name" >"$name.printed"
    diff -u "$examples/$name.out" "$name.printed"
done

step 'consumer by CMake, shared and static'
mkdir consumer
mv consumer.c consumer/main.c
cat >consumer/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(consumer C)
find_package(carom $minor REQUIRED)
add_executable(with_shared main.c)
target_link_libraries(with_shared carom::carom)
add_executable(with_static main.c)
target_link_libraries(with_static carom::carom_static)
END
cmake -G Ninja -S consumer -B consumer/build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" >cmake.log
cmake --build consumer/build
consumer/build/with_shared
env -u LD_LIBRARY_PATH consumer/build/with_static

step 'no private name is exported'
if nm -D --defined-only "$library_directory/libcarom.so" | grep -v ' carom_'; then
    exit 1
fi
