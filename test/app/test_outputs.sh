#!/bin/sh
# What a command reads it never writes, two outputs are two files, two processes do not write one, failed writes are
# failures, and whatever goes wrong, what stood there before is as it was.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > ball.lua << 'LUA'
local e = param { "e", 0.8, min = 0, max = 1 }
local y = coordinates("y")
mass(1)
potential(9.81 * y)
contact { "floor", gap = y, restitution = e }
initial { y = 1 }
integrate { scheme = "moreau-jean", h = 0.001, until_t = 2 }
record { y = y }
measure { highest = maximum(y) }
plot { "height", panel { line { time(), y } } }
LUA
cp ball.lua ball.kept
ln ball.lua same.lua
ln -s ball.lua link.lua
mkdir folder
unchanged() {
    cmp -s ball.lua ball.kept || fail "$1 changed the model file"
}

# inputs are no outputs, by any name
for name in ball.lua ./ball.lua folder/../ball.lua same.lua link.lua; do
    refused run 2 'which this command reads' -- ball.lua --out $name
    refused run 2 'which this command reads' -- ball.lua --csv $name
    refused sweep 2 'which this command reads' -- ball.lua --over e=0,1 --csv $name
    refused sweep 2 'which this command reads' -- ball.lua --over e=0,1 --out $name
    refused continue 2 'which this command reads' -- ball.lua --param e --from 0 --to 1 --impacts floor --csv $name
    unchanged $name
done
"$CAROM" run ball.lua --out ball.h5 --quiet
cp ball.h5 ball.h5.kept

# a compressed run file is smaller, and carom reads the same from it
refused run 2 'give --out' -- ball.lua --compress

# --record: these columns alone, as they stand in the table of all of them
refused run 2 'give --out RUN.h5 or --csv FILE' -- ball.lua --record y
refused run 2 "no column 'yy'; they have t, " -- ball.lua --record energy,yy --csv some.csv
refused run 2 'the time is always kept' -- ball.lua --record t --csv some.csv
refused run 2 'give one of them' -- ball.lua --record y --sensitivity q:y --csv some.csv
"$CAROM" run ball.lua --no-family --quiet --csv all.csv --out all.h5
"$CAROM" run ball.lua --no-family --quiet --csv some.csv --out some.h5 --record energy,y,energy
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } { print $at["t"] "," $at["energy"] "," $at["y"] }' all.csv > cut.csv
cmp cut.csv some.csv || fail 'the selected columns are not those of the whole table'
[ "$(stat -c %s some.h5)" -lt "$(stat -c %s all.h5)" ] || fail 'the file of selected columns is not smaller'
refused plot 2 'run without --record' -- some.h5

"$CAROM" run ball.lua --compress --out packed.h5 --quiet
[ "$(wc -c < packed.h5)" -lt "$(wc -c < ball.h5)" ] || fail 'the compressed file is not smaller'
for name in ball packed; do "$CAROM" plot $name.h5 -o plots-$name > out; done
[ "$(wc -l < plots-ball/height.dat)" -gt 1000 ] || fail 'the plot has no rows to compare'
cmp -s plots-ball/height.dat plots-packed/height.dat || fail 'the compressed file has other rows'
refused run 2 'which this command reads' -- ball.h5 --out ball.h5
cmp ball.h5 ball.h5.kept || fail 'a run file was destroyed'
"$CAROM_TEST_PROGRAMS/make_contact_files" > /dev/null
cp global.hdf5 global.kept
refused solve 2 'which this command reads' -- global.hdf5 --history global.hdf5
refused solve 2 'is read by this command' -- global.hdf5 --write . --force
cmp global.hdf5 global.kept || fail 'a problem was destroyed'
echo '{"M": [1, 1], "W": [[1], [-1]], "velocity": [1, 0], "restitution": 1}' > system.json
cp system.json system.kept
refused impact 2 'which this command reads' -- --system system.json --law lzb --history system.json
cmp system.json system.kept || fail 'a system was destroyed'

# two outputs are two files
refused run 2 'are one file' -- ball.lua --out result --csv ./result
refused run 2 'are one file' -- ball.lua --out ball.h5 --csv folder/../ball.h5
refused sweep 2 'are one file' -- ball.lua --over e=0,1 --csv table --out table

# one process at a time
if command -v flock > /dev/null; then
    flock busy.h5.part sleep 20 &
    holder=$!
    flock busy.csv.new sleep 20 &
    other=$!
    while flock -n busy.h5.part true || flock -n busy.csv.new true; do sleep 0.05; done
    refused run 1 'is being written by another process' -- ball.lua --out busy.h5
    refused run 1 'is being written by another process' -- ball.lua --csv busy.csv
    kill $holder $other
fi

# standard output that takes nothing
for words in 'list' 'list experiments' 'help' 'help run' '--version' 'show ball.lua' 'show ball.lua --json' 'check ball.lua' \
    'run ball.lua' 'run ball.lua --json' 'run ball.lua --csv -' 'sweep ball.lua --over e=0,1' \
    'sweep ball.lua --over e=0,1 --csv -' 'impact --balls 3' 'solve global.hdf5' 'bench global.hdf5 --solvers nsgs' \
    'converge ball.lua --schemes moreau-jean --h 0.01,0.02'; do
    status=0
    # shellcheck disable=SC2086 # words are words
    "$CAROM" $words > /dev/full 2> err || status=$?
    [ "$status" -eq 1 ] || fail "carom $words > /dev/full: exit status $status instead of 1"
    grep -q 'No space left\|standard output failed\|writing' err || fail "carom $words > /dev/full: $(cat err)"
done

# a full disk (a limit for files stands in for it) leaves what was there
echo before > table.csv
"$CAROM" run ball.lua --until 1 --out kept.h5 --quiet
cp kept.h5 kept.copy
status=0
(
    ulimit -f 8
    "$CAROM" run ball.lua --out kept.h5 --csv table.csv --quiet 2> err
) || status=$?
[ $status -eq 1 ] || fail "full disk: exit status $status instead of 1"
has err 'File too large'
cmp kept.h5 kept.copy || fail 'a full disk destroyed a run file'
[ "$(cat table.csv)" = before ] || fail 'a full disk destroyed a table'
rm -f kept.h5.part

# who reads the old file goes on reading it, and permissions stay
chmod 640 kept.h5
exec 3< kept.h5
"$CAROM" run ball.lua --out kept.h5 --quiet || fail 'a reader was in the way'
cat <&3 | cmp - kept.copy || fail 'a reader lost its file'
exec 3<&-
[ "$(stat -c %a kept.h5)" = 640 ] || fail 'permissions changed'

# links are followed, devices are written to
ln -s kept.h5 pointer.h5
"$CAROM" run ball.lua --until 1 --out pointer.h5 --quiet
[ -L pointer.h5 ] || fail 'a link was replaced by a file'
cmp kept.h5 kept.copy || fail 'the file behind the link was not written'
"$CAROM" run ball.lua --csv /dev/null --quiet || fail '--csv /dev/null'
"$CAROM" run ball.lua --csv /dev/stdout --quiet | head -1 | grep -q '^t,' || fail '--csv /dev/stdout'
refused run 1 'No space left' -- ball.lua --csv /dev/full

# a picture that gnuplot could not write to its end replaces none
"$CAROM" run ball.lua --plot old --quiet
cp old/height.svg height.kept
status=0
(
    ulimit -f 20
    "$CAROM" run ball.lua --until 1.9 --every 10 --plot old --quiet 2> err
) || status=$?
[ $status -eq 1 ] || fail "cut picture: exit status $status instead of 1"
has err 'gnuplot could not complete it'
cmp old/height.svg height.kept || fail 'a cut picture replaced a whole one'
rm -r old

# what is no file is no output to go on with
mkfifo pipe
refused resume 2 'is not a regular file' -- pipe
refused resume 2 'is not a regular file' -- folder
refused impact 2 'it is a pipe' -- --system pipe
rm pipe

# nothing stays behind
[ "$(find . -name '*.new' -o -name '.drawing*')" = ./busy.csv.new ] ||
    [ -z "$(find . -name '*.new' -o -name '.drawing*')" ] || fail "left behind: $(find . -name '*.new' -o -name '.drawing*')"
"$CAROM" run ball.lua --plot pictures --quiet
[ "$(find pictures -type f | wc -l)" -eq 5 ] || fail 'pictures'
[ -s pictures/height.png ] || fail 'no picture'
unchanged everything
