#!/bin/sh
# Films: size, number of pictures, pictures that differ; nothing is left behind; what is missing or wrong is said before the run.
set -eu
cat >ball.lua <<'END'
local y = coordinates("y")
kinetic(dot(y)^2/2)
potential(9.81*y)
contact { "floor", gap = y - 0.1, restitution = 0.8 }
initial { y = 1 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 1 }
draw { disc(0, y, 0.1), wall { { -1, 0 }, { 1, 0 } }, touch("floor", { 0, 0 }, { 0, 1 }) }
END
cat >bare.lua <<'END'
local y = coordinates("y")
kinetic(dot(y)^2/2)
integrate { scheme = "moreau-jean", h = 1e-2, until_t = 1 }
END

# refused TEXT ARGUMENT...: exit 2, with that text, and nothing is written
refused() {
    text=$1
    shift
    status=0
    "$CAROM" run "$@" >out 2>messages || status=$?
    if [ "$status" != 2 ] || ! grep -q -e "$text" messages || [ -s out ]; then
        echo "carom run $*: exit $status, not 2 with '$text':" >&2
        cat out messages >&2
        exit 1
    fi
}

# Programs that are there or not, of which none works.
mkdir none browser both
for name in browser/chromium both/chromium both/ffmpeg; do
    printf '#!/bin/sh\necho "this one only pretends" >&2\nexit 1\n' >$name
    chmod +x $name
done
status=0
PATH=$PWD/both "$CAROM" run ball.lua --quiet --video ball.mp4 2>messages || status=$?
[ "$status" = 1 ] # a browser that ends at once
grep -q 'has ended: this one only pretends' messages
[ ! -e ball.mp4 ]

missing() {
    folder=$1
    text=$2
    shift 2
    status=0
    PATH=$PWD/$folder "$CAROM" run ball.lua "$@" >out 2>messages || status=$?
    if [ "$status" != 2 ] || ! grep -q -e "$text" messages || [ -s out ]; then
        echo "without programs: carom run ball.lua $*: exit $status" >&2
        cat out messages >&2
        exit 1
    fi
}
missing none 'apt-get install ffmpeg' --video ball.mp4
missing browser 'apt-get install ffmpeg' --video ball.mp4
missing none 'apt-get install chromium' --frames pictures

refused 'ends with .mp4, .gif or .webm' ball.lua --video ball.avi
refused 'is for a film' ball.lua --fps 10
refused 'is for a film' ball.lua --size 320x240
refused 'is for a film' ball.lua --speed 2
refused '--fps' ball.lua --video ball.mp4 --fps 0
refused '--fps' ball.lua --video ball.mp4 --fps 1000
refused '--speed' ball.lua --video ball.mp4 --speed 0
for size in 320 320x 320x241 10x10 320x240x3 ax3 -320x240 99999x100; do
    refused '--size needs' ball.lua --video ball.mp4 "--size=$size"
done

for program in chromium ffmpeg ffprobe; do
    if ! command -v $program >/dev/null; then
        echo "film: $program is not installed: no film was made, that part is skipped"
        exit 0
    fi
done
TMPDIR=$PWD/scratch
export TMPDIR
mkdir scratch

mkdir full
touch full/something
refused 'not an empty folder' ball.lua --frames full
refused 'nowhere' ball.lua --video nowhere/ball.mp4
status=0
"$CAROM" run bare.lua --quiet --video bare.mp4 2>messages || status=$?
[ "$status" = 2 ] && grep -q 'does not say how it looks' messages && [ ! -e bare.mp4 ]
status=0
"$CAROM" run ball.lua --quiet --video long.mp4 --speed 1e-9 2>messages || status=$?
[ "$status" = 2 ] && grep -q 'a larger --speed' messages && [ ! -e long.mp4 ]

# One second at 10 pictures per second, both ends shown: 11 pictures.
probe() {
    ffprobe -v error -count_frames -select_streams v -show_entries "stream=width,height,nb_read_frames" -of csv=p=0 "$1"
}
same() {
    if [ "$1" != "$2" ]; then
        echo "got '$1', not '$2'" >&2
        exit 1
    fi
}
"$CAROM" run ball.lua --quiet --video ball.mp4 --frames pictures --fps 10 --size 320x240 --speed 1
same "$(probe ball.mp4)" 320,240,11
same "$(find pictures -name 'frame-000*.png' | wc -l)" 11
same "$(probe pictures/frame-00010.png)" 320,240,1
# The ball moves in all of them.
same "$(cd pictures && cksum frame-*.png | cut -d ' ' -f 1 | sort -u | wc -l)" 11
# Twice as fast: half of the pictures, and each of them is one of those.
"$CAROM" run ball.lua --quiet --video ball.gif --frames fast --fps 10 --size 320x240 --speed 2
same "$(probe ball.gif)" 320,240,6
for k in 0 1 2 3 4 5; do
    cmp fast/frame-0000$k.png "pictures/frame-000$(printf %02d $((2 * k))).png"
done
# The motion is too short for its own speed: a film of ten seconds.
"$CAROM" run ball.lua --video ball.webm --fps 2 --size 160x120 >out 2>messages
grep -q 'film: ball.webm (21 pictures, 10.5 s)' messages
same "$(probe ball.webm)" 160,120,21

# Of a run file: the same pictures, and no page beside them.
"$CAROM" run ball.lua --quiet --out ball.h5
"$CAROM" report ball.h5 --quiet --frames stored --fps 10 --size 320x240 --speed 2
same "$(find stored -name 'frame-*.png' | wc -l)" 6
cmp stored/frame-00000.png fast/frame-00000.png
[ ! -e ball.html ]

# Stopped while it is drawn: nothing is written, nothing is left.
setsid "$CAROM" run ball.lua --quiet --video stopped.mp4 --fps 100 2>messages &
job=$!
tries=0
while ! ls scratch/carom-film-*/frames-*/frame-00002.png >/dev/null 2>&1 && [ $tries -lt 600 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
kill -TERM $job
status=0
wait $job || status=$?
[ "$status" != 0 ] && grep -q stopped messages
[ ! -e stopped.mp4 ]
same "$(ls scratch)" ''
same "$(pgrep -f "$PWD/scratch" | wc -l)" 0
