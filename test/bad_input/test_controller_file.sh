#!/bin/sh
# A model file may name any file as a controller: nothing of what it holds is shown.
set -u
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

for content in 'root:secret:0:0' '2 2
secret' '0 1
0 secret'; do
    printf '%s\n' "$content" > private.txt
    echo "local r = drill_run { controller = 'file', controller_file = 'private.txt' }
measure { speed = r.period }" > model.lua
    status=0
    "$CAROM" run model.lua > out 2> err || status=$?
    [ "$status" -eq 2 ] || fail "exit status $status instead of 2"
    has err 'private.txt:'
    if grep -q secret out err; then fail "the message shows what the file holds: $(cat err)"; fi
done
mkfifo pipe
echo "local r = drill_run { controller = 'file', controller_file = 'pipe' }
measure { speed = r.period }" > model.lua
refused run 2 'not a plain file' -- model.lua
echo "files stay private"
