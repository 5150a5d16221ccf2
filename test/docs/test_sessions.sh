#!/bin/sh
# The check of sessions finds outputs that differ; the pages have tests of their own.
set -eu
mkdir wrong
cat >wrong/page.md <<'END'
<!-- model: fall -->
```lua
local y = coordinates("y")
mass(1)
potential(y)
integrate { h = 0.1, until_t = 1 }
measure { low = minimum(y), rate = dot(y) }
```

```console
$ carom run fall.lua | tail -2
    low   -0.5
    rate  -1
$ carom run fall.lua | tail -2
    low   -0.5
    rate  -1.01
$ carom run fall.lua | tail -2
    low   ...
$ carom run fall.lua | tail -2
    low   -0.5
$ carom run fall.lua | head -2
fall.lua
  scheme     moreau-jean, h = 0.1, ... 10 steps
$ carom run fall.lua --scheme fast
fall.lua
```
END
if python3 -B "$CAROM_SOURCE_DIR/test/docs/check_sessions.py" wrong "$CAROM" page.md >found; then
    echo "a page with wrong sessions passed" >&2
    exit 1
fi
cat found
grep -q 'page.md:14: .*\[-1.01\] instead of \[-1\]' found
grep -q 'page.md:19: .*carom goes on with rate' found
grep -q "page.md:24: " found
grep -q '6 commands, 3 with another output' found
