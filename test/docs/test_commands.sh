#!/bin/sh
# Every command line of the documents names commands, options, experiments, schemes, solvers and laws that exist.
set -eu
check="python3 -B $CAROM_SOURCE_DIR/test/docs/check_commands.py"

# The check finds what is wrong.
mkdir wrong
cat >wrong/page.md <<'END'
Write `carom dance ball.lua`, or

    build/carom run moreau-1986/trail-04 --sceme inel \
        --option theta2=1
    build/carom run ball.lua --scheme moreau --set e=0.5 | head -1
END
if $check wrong "$CAROM" page.md >found; then
    echo "a page with wrong command lines passed" >&2
    exit 1
fi
grep -q "page.md:1: .*there is no command 'dance'" found
grep -q "page.md:3: .*there is no experiment 'moreau-1986/trail-04'" found
grep -q "page.md:3: .*has no option '--sceme'" found
grep -q "page.md:3: .*an option 'theta2'" found
grep -q "page.md:5: .*there is no scheme 'moreau'" found
grep -q '3 command lines, 5 faults' found

cd "$CAROM_SOURCE_DIR"
pages=$(find README.md CONTRIBUTING.md bench docs -name '*.md')
cd "$OLDPWD"
# shellcheck disable=SC2086 # a list of names without spaces
$check "$CAROM_SOURCE_DIR" "$CAROM" $pages
