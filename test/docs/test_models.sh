#!/bin/sh
# Every model of the documents (each ```lua block) can be checked and run; fragments with what they need.
set -eu
check="python3 -B $CAROM_SOURCE_DIR/test/docs/check_models.py"

# The check finds what is wrong: a fragment that does not say so, a message that is not the program's.
mkdir wrong
cat >wrong/page.md <<'END'
```lua
contact { "floor", gap = y }
```

<!-- refused: branch -->
```lua
local x = coordinates("x")
if x > 0 then mass(1) end
```

```console
$ carom run branch.lua
carom: branch.lua:2: something else
```

<!-- fragment: needs integrate -->
```lua
local x = coordinates("x")
mass(1)
```
END
if $check wrong "$CAROM" page.md >found; then
    echo "a page with wrong models passed" >&2
    exit 1
fi
grep -q 'page.md:2: carom check' found
grep -q 'page.md:7: the page shows another message' found
grep -q '3 models, 2 wrong' found

# Pages that have models, by their names in the source tree.
cd "$CAROM_SOURCE_DIR"
pages=$(grep -rl --include='*.md' '^```lua' README.md CONTRIBUTING.md bench docs)
cd "$OLDPWD"
# shellcheck disable=SC2086 # a list of names without spaces
$check "$CAROM_SOURCE_DIR" "$CAROM" $pages
