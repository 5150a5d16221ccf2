#!/bin/sh
# Every relative link, anchor and picture of the documents is there.
set -eu
check="python3 -B $CAROM_SOURCE_DIR/test/docs/check_links.py"

# The check finds what is wrong.
mkdir wrong
cat >wrong/README.md <<'END'
# A page

[good](#a-page) [file](missing.md) [heading](#missing) ![picture](missing.svg) `[code](is-no-link.md)`
END
if $check wrong >found; then
    echo "a page with broken links passed" >&2
    exit 1
fi
grep -q '4 links in 1 files, 3 wrong' found

printf '# A page\n\n```lua\nmass(1)\n\n[lost](missing.md)\n' >wrong/README.md
if $check wrong 2>found; then
    echo "a page with an unclosed code block passed" >&2
    exit 1
fi
grep -q 'README.md:3: this code block is not closed' found

$check "$CAROM_SOURCE_DIR"
