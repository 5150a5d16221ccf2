#!/bin/sh
# Work on ranks by itself (ranks_work.c): nothing lost, nothing twice, errors arrive, nobody hangs.
set -eu

# shellcheck source=test/mpi/helpers.sh
. "$CAROM_SOURCE_DIR/test/mpi/helpers.sh"

work=$CAROM_TEST_PROGRAMS/ranks_work
good='too often 0, wrong 0'

for n in 1 2 3 4; do
    for case in all threads; do
        exits 0 ranks $n "$work" $case
        [ "$(cat out)" = "status ok, complete 500, $good, others $([ $n -eq 1 ] && echo idle || echo helped), threads left" ] ||
            fail "$case on $n ranks: $(cat out)"
    done
done

# three times with the same followers; a third of the pieces; none; long answers
exits 0 ranks 3 "$work" phases
[ "$(grep -c "^status ok, complete 500, $good," out)" -eq 3 ] || fail "phases: $(cat out)"
exits 0 ranks 3 "$work" some
has out "status ok, complete 167, $good"
exits 0 ranks 3 "$work" nothing
has out "status ok, complete 0, $good"
exits 0 ranks 3 "$work" long
has out "status ok, complete 40, $good"

for n in 1 3; do
    # what fails, here or on another rank, ends the work once
    exits 0 ranks $n "$work" piece-fails
    has out 'status failed'
    has out 'piece 123 cannot be computed'
    has out "$good"
    # what cannot be taken: nothing is taken after it
    exits 0 ranks $n "$work" take-fails
    has out 'the disk is full'
    has out "$good"
    # interrupted: what was taken stands, nobody waits for piece 400, which never ends
    exits 0 ranks $n "$work" stops
    has out 'status interrupted'
    has out "$good"
done
exits 0 ranks 3 "$work" rank-fails
has out 'rank 1: this rank computes nothing'
has out "$good"
[ "$(wc -l < out)" -eq 1 ] || fail "more than one line: $(cat out)"
