#!/bin/sh
# The check of the rooms accepts a good tree and finds each kind of fault in a bad one.
set -eu

check=$CAROM_SOURCE_DIR/test/rooms/check-includes
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# A small tree that keeps all rules, some of them barely.
make_good_tree() {
    rm -rf tree
    mkdir -p tree/src/base tree/src/law/impact/deep tree/src/law/friction tree/src/law/parts tree/src/io tree/src/app
    mkdir -p tree/include/carom/subject
    echo '#include "carom/base.h"' >tree/include/carom/law.h
    echo '#include <stddef.h>' >tree/include/carom/base.h
    printf '#include "carom/base.h"\n#include "carom/law.h"\n' >tree/include/carom/carom.h
    cat >tree/src/law/newton.c <<'END'
#include <stdio.h>
#include "carom/base.h"
#include "carom/law.h"
#include "carom/version.h"
#include "table.h"
/* exit( and printf( in a comment,
   #include "carom/model.h" too */
// stderr
int f(char *t) { return snprintf(t, 9, "exit(1) \" stdout %d", my_exit(1)); }
END
    echo 'int law_table;' >tree/src/law/table.h
    echo 'int law_part;' >tree/src/law/parts/part.h
    echo 'int deep;' >tree/src/law/impact/deep/deep.h
    echo 'int friction;' >tree/src/law/friction/friction.h
    printf '#include "law/impact/deep/deep.h"\n#include "law/parts/part.h"\n' >tree/src/law/impact/impact.c
    printf '#include "law/table.h"\n#include "law/parts/part.h"\n' >tree/src/law/impact/deep/deep.c
    echo '#include "carom/base.h"' >tree/include/carom/subject/bar.h
    echo '#include "carom/subject/bar.h"' >tree/src/io/study.c
    printf '#include <lua.h>\n#include <hdf5.h>\nvoid g(void *s) { fprintf(s, "x"); }\n' >tree/src/io/run.c
    printf '#include "carom/carom.h"\nint main(void) { printf("x"); exit(2); }\n' >tree/src/app/main.c
    # what app may not call: in a comment, in a text, as a part of another name, in another room, not called
    cat >tree/src/app/numbers.c <<'END'
/* carom_dot(3, a, b), and over lines
   carom_lu_factor(n, a, pivot) */
double g(void) { return h("carom_dot(") + my_carom_dot(1) + carom_dot_product(2) + carom_largest(3, x) + (step); }
END
    echo 'double d(void) { return carom_dot(3, a, b) + step(1); }' >tree/src/law/dot.c
    mkdir -p tree/mpi/include/carom
    printf '#include <mpi.h>\n#include "carom/law.h"\n' >tree/mpi/include/carom/mpi.h
    printf '#include "carom/mpi.h"\n#include "work.h"\n' >tree/mpi/work.c
    printf '#include "app/crew.h"\nint main(void) { printf("x"); exit(2); }\n' >tree/mpi/main.c
}

# expect_fault FILE LINE TEXT: with LINE added to FILE the check must fail and say TEXT about it.
expect_fault() {
    make_good_tree
    mkdir -p "$(dirname "tree/$1")"
    echo "$2" >>"tree/$1"
    if "$check" tree >report; then
        fail "accepted in $1: $2"
    elif ! grep -q "^$1:[0-9]*: .*$3" report; then
        fail "in $1: $2: the report does not say '$3':"
        cat report
    elif [ "$(wc -l <report)" -ne 1 ]; then
        fail "in $1: $2: more than one fault reported:"
        cat report
    fi
}

make_good_tree
if ! "$check" tree >report; then
    fail "a good tree is refused:"
    cat report
fi

expect_fault src/law/newton.c '#include "carom/model.h"' 'model comes after law'
expect_fault src/law/newton.c '# include <carom/scheme.h>' 'scheme comes after law'
expect_fault src/law/newton.c '#include "carom/subject/bar.h"' 'subject comes after law'
expect_fault src/app/main.c '#include "carom/subject/bar.h"' 'subjects are for io only'
expect_fault include/carom/base.h '#include "carom/law.h"' 'law comes after base'
expect_fault src/law/newton.c '#include "carom/carom.h"' 'includes every room'
expect_fault src/law/newton.c '#include "carom/unheard.h"' 'not the public header'
expect_fault src/law/newton.c '#include "../io/run.h"' 'reaches into another room'
expect_fault src/law/newton.c '#include "io/run.h"' 'reaches into another room'
expect_fault src/law/newton.c '#include "law/table.h"' 'its name is enough'
expect_fault src/law/impact/impact.c '#include "law/friction/friction.h"' 'out of reach of law/impact'
expect_fault src/law/friction/friction.h '#include "law/impact/deep/deep.h"' 'out of reach of law/friction'
expect_fault include/carom/law.h '#include "table.h"' 'internal header'
expect_fault src/law/newton.c '#include <lapacke.h>' 'only linalg may'
expect_fault src/law/newton.c '#include <cblas.h>' 'only linalg may'
expect_fault src/app/main.c '#include <hdf5.h>' 'only io may'
expect_fault src/app/main.c '#include <lauxlib.h>' 'only io may'
expect_fault src/app/main.c '#include <jansson.h>' 'only io may'
expect_fault src/io/run.c '#include <lapacke.h>' 'only linalg may'
expect_fault include/carom/io.h '#include <hdf5.h>' 'public header may not include hdf5.h'
expect_fault src/law/newton.c '#include HEADER' 'cannot be checked'
expect_fault src/cellar/wine.c 'int bottle;' 'not a room'
expect_fault src/law/newton.c 'void p(void) { printf("x"); }' 'only app may write'
expect_fault src/law/newton.c 'void p(void) { fprintf(stderr, "x"); }' 'only app may write'
expect_fault src/io/run.c 'void p(void) { fputs("x", stdout); }' 'only app may write'
expect_fault src/law/newton.c 'void p(void) { /* why */ puts ("x"); }' 'only app may write'
expect_fault src/law/newton.c 'void p(void) { exit(1); }' 'only app may end'
expect_fault src/law/table.h 'void p(void) { abort(); }' 'only app may end'
expect_fault src/app/main.c 'double d(void) { return carom_dot(3, a, b); }' 'app may not call carom_dot'
expect_fault src/app/main.c 'int d(void) { return 1+carom_lu_factor (3, a, p); } /* carom_dot( */' 'app may not call carom_lu_factor'
expect_fault src/app/plot/line.h 'void d(void) { carom_band_lu_solve(a, b); }' 'app may not call carom_band_lu_solve'
expect_fault src/app/main.c 'void d(void) { scheme->step(stepper, &error); }' 'app may not call step'
expect_fault src/law/newton.c '#include <mpi.h>' 'only mpi/ may'
expect_fault src/app/main.c '#include "carom/mpi.h"' 'only mpi/ may'
expect_fault mpi/work.c '#include "app/crew.h"' 'reaches into another room'
expect_fault mpi/work.c '#include "io/run.h"' 'reaches into another room'
expect_fault mpi/main.c '#include "io/run.h"' 'reaches into another room'
expect_fault mpi/work.c 'void p(void) { printf("x"); }' 'only app may write'
expect_fault mpi/work.c '#include <lapacke.h>' 'only linalg may'

mkdir empty
if "$check" empty >report; then
    fail "an empty tree is accepted"
fi

[ "$failures" -eq 0 ]
