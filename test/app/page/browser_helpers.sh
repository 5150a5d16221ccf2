# shellcheck shell=sh
# What tests in a browser need; skipped with a word where it is missing.
web=$CAROM_SOURCE_DIR/web

need_browser() {
    for program in node npm flock; do
        command -v $program >/dev/null || { echo "skipped: the tests in a browser need $program" && exit 0; }
    done
    browser=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
    test -n "$browser" || { echo "skipped: the tests in a browser need chromium (Debian: chromium; or CHROMIUM=/path/to/it)" && exit 0; }
    need_web_packages
}

# The packages that only tests of pages need, from the npm registry, once.
need_web_packages() {
    flock "$web/.lock" "$CAROM_SOURCE_DIR/scripts/web-packages" --all ||
        { echo "skipped: npm could not install what web/package-lock.json names (is there a network?)" && exit 0; }
}
