#!/bin/sh
# Texts of pictures: Greek letters by name, lowered and raised parts, names of symbols; logarithmic axes; PNG, SVG and PDF.
set -eu
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > labels.lua << 'LUA'
local theta1, x_2, phibar = coordinates("theta1", "x_2", "phibar")
kinetic((dot(theta1)^2 + dot(x_2)^2 + dot(phibar)^2)/2)
initial { theta1 = 1, x_2 = 2, phibar = 1, [dot(x_2)] = 1 }
integrate { scheme = "moreau-jean", h = 1e-2, until_t = 1 }
plot { "texts", title = "\\omega_0 and F_N in m^2, x_{any}", xlabel = "\\alpha", ylabel = "\\notgreek", line { time() + 1, x_2, label = "\\Delta x_1" } }
plot { "names", x = time(), y = theta1 }
plot { "word", x = time(), y = phibar }
plot { "panels", panel { title = "a", xlog = true, ylog = true, line { time() + 1, x_2 } }, panel { title = "b", line { time(), x_2 } } }
LUA
"$CAROM" run labels.lua --plot p --quiet
has p/texts.gp 'set xlabel "α"'
has p/texts.svg '>α<'
has p/names.gp 'set ylabel "θ_{1}"'
has p/texts.gp 'notgreek' # no letter has this name: it stays
if grep -q 'φ' p/word.gp; then fail 'a name that only begins like a letter is none'; fi
# in the picture: 0 below the line beside omega, N, any; 2 above it
lowered() { grep -o "dy=\"$2[0-9.]*px\">$1</tspan>" p/texts.svg > /dev/null || fail "$1 is not at $2"; }
grep -q '>ω</tspan>' p/texts.svg || fail 'no omega'
grep -q '>Δ x</tspan>' p/texts.svg || fail 'no Delta in the legend'
for part in 0 N any 1; do lowered $part ''; done
lowered 2 -
# the second panel does not keep the axes of the first
awk '/set title "a"/ { panel = "a" } /set title "b"/ { panel = "b" }
     / set logscale (x|y)/ { set_[panel]++ } / unset logscale (x|y)/ { unset_[panel]++ }
     END { exit !(set_["a"] == 2 && !set_["b"] && unset_["b"] == 2) }' p/panels.gp || fail 'logarithmic axes'
for picture in texts names word panels; do
    for kind in png svg; do [ -s "p/$picture.$kind" ] || fail "no $picture.$kind"; done
    if echo 'print strstrt(GPVAL_TERMINALS, "pdfcairo")' | gnuplot 2>&1 | grep -qv '^0'; then
        head -c 5 "p/$picture.pdf" | grep -q '%PDF-' || fail "$picture.pdf is no PDF"
    fi
done
# the page has the same texts and axes
"$CAROM" run labels.lua --report labels.html --quiet 2> err || { has err 'built without its report page' && exit 0; }
PYTHONPATH=$CAROM_SOURCE_DIR/test/app/page python3 - << 'PYTHON'
from page_data import read_page

figures = {figure["name"]: figure for figure in read_page("labels.html")["figures"]}
assert figures["texts"]["title"] == "ω_0 and F_N in m^2, x_{any}"
panel, = figures["texts"]["panels"]
assert panel["x"]["label"] == "α" and panel["y"]["label"] == "\\notgreek" and panel["curves"][0]["label"] == "Δ x_1"
assert figures["names"]["panels"][0]["y"]["label"] == "θ_1" and figures["word"]["panels"][0]["y"]["label"] == "phibar"
assert [(p["x"]["log"], p["y"]["log"]) for p in figures["panels"]["panels"]] == [(True, True), (False, False)]
PYTHON
# what cannot be
cat labels.lua > wrong.lua
echo 'plot { "equal", equal = true, xlog = true, x = time(), y = x_2 }' >> wrong.lua
refused run 2 'equal' -- wrong.lua --quiet
