#!/bin/sh
# What is listed is complete, and what is listed is documented: names with their summaries come from the
# registries, and the pages mention every one of them.
set -eu

docs=$CAROM_SOURCE_DIR/docs
fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# entries SECTION: its names; fails when one has no summary.
entries() {
    "$CAROM" list "$1" > shown
    [ "$(head -1 shown)" = "$1" ] || fail "carom list $1 begins with '$(head -1 shown)'"
    awk '/^  [^ ]/ { if (NF < 2) exit 1; print $1 }' shown > names || fail "carom list $1: a name without a summary"
    [ -s names ] || fail "carom list $1 is empty"
    awk '/^  [^ ]/' shown | sort | uniq -d > twice
    [ ! -s twice ] || fail "carom list $1: listed twice: $(cat twice)"
    cat names
}

# mentions FILE NAME: as code, such as `name`, `name {`, name( or "name"
mentions() {
    grep -qE "(^|[^a-z0-9_-])$2([^a-z0-9_-]|\$)" "$1"
}

for section in schemes solvers laws measures statements commands; do
    entries "$section" > "names.$section"
done

for section in laws measures statements; do
    while read -r name; do
        mentions "$docs/model-language.md" "$name" ||
            fail "docs/model-language.md does not mention '$name' of carom list $section"
    done < "names.$section"
done

# Every statement, measure and law can be shown, as text and as JSON.
for kind in statement measure; do
    while read -r name; do
        "$CAROM" show "$kind" "$name" > shown || fail "carom show $kind $name"
        head -1 shown | grep -q "^$name: ." || fail "carom show $kind $name: no summary"
        "$CAROM" show "$kind" "$name" --json | grep -q '"summary":"[^"]' || fail "carom show $kind $name --json"
    done < "names.${kind}s"
done

# A command and every option of its table stand in the manual page and on the page of the command line.
sed 's/\\//g' "$docs/carom.1" > manual
while read -r name; do
    grep -q "carom $name" manual || fail "docs/carom.1 lacks carom $name"
    grep -q "carom $name\|^## .*$name" "$docs/command-line.md" || fail "docs/command-line.md lacks carom $name"
    for option in $("$CAROM" list commands | awk -v name="$name" '
        /^  [^ ]/ { on = $1 == name; next }
        on { print }'); do
        grep -qF -- "$option" manual || fail "docs/carom.1 lacks $option of carom $name"
        grep -qF -- "$option" "$docs/command-line.md" || fail "docs/command-line.md lacks $option of carom $name"
    done
done < names.commands
