#!/bin/sh
# A disk that is full ends a sweep with one message; what was kept is there, and it goes on where there is room.
set -eu

# shellcheck source=test/mpi/helpers.sh
. "$CAROM_SOURCE_DIR/test/mpi/helpers.sh"

sed -i 's/every(0.5)/every(0.01)/' ball.lua # 2400 bytes per point
sweep="sweep ball.lua --over e=0:0.95:120 --no-times --quiet"
# shellcheck disable=SC2086
"$CAROM" $sweep --csv one.csv

# limited: no file longer than 100 kB; without shared memory, which is in files
cat > limited << 'END'
#!/bin/bash
ulimit -f 100
exec "$@"
END
chmod +x limited
# shellcheck disable=SC2086
exits 1 ranks 3 --mca btl self,tcp "$PWD/limited" "$CAROM_MPI" $sweep --csv ranks.csv
once "cannot write 'ranks.csv.part': File too large"
once 'carom resume ranks.csv goes on'
[ -s ranks.csv.part ] || fail 'there is no journal'
kept=$("$CAROM_SOURCE_DIR/test/mpi/kept_points" ranks.csv.part | wc -l)
if ! { [ "$kept" -gt 20 ] && [ "$kept" -lt 60 ]; }; then fail "$kept points are kept"; fi
exits 0 ranks 2 "$CAROM_MPI" resume ranks.csv
same one.csv ranks.csv

# a file system that is full, where one can be made
mkdir full
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=128k tmpfs full 2> /dev/null; then
    # shellcheck disable=SC2064
    trap "umount '$PWD/full'" EXIT
    # shellcheck disable=SC2086
    exits 1 ranks 2 "$CAROM_MPI" $sweep --csv full/ranks.csv
    once 'No space left on device'
    cp full/ranks.csv.part ranks2.csv.part
    exits 0 ranks 3 "$CAROM_MPI" resume ranks2.csv
    same one.csv ranks2.csv
fi
