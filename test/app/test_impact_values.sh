#!/bin/sh
# carom impact against numbers of the literature and closed forms. Cases are named as in the chapters of Winandy, Baumann and Leine (A, C, D,
# F, G: worked by hand) and of Nguyen and Brogliato (2018).
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/app/impact_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/impact_helpers.sh"

third=0.333333333333333

# A: three equal balls, the first strikes
impact 0 -- --masses 1,1,1 --law newton --restitution 0.3,0.9
near velocity 1e-12 0.133333333333333 0.433333333333333 0.433333333333333
near impulses 1e-12 0.866666666666667 0.433333333333333
near energy_after 1e-12 0.196666666666667
impact 0 -- --masses 1,1,1 --law poisson --restitution 0.3,0.9
near velocity 1e-12 0.133333333333333 0.233333333333333 0.633333333333333
near impulses 1e-12 0.866666666666667 0.633333333333333
near compression_impulses 1e-12 0.666666666666667 $third
near energy_after 1e-12 0.236666666666667
impact 0 -- --masses 1,1,1 --law poisson --restitution 0.5,2 --allow-gain
near velocity 1e-12 0 0 1
has err 'a restitution above 1 may create energy'

# C8, C9: four balls, struck from both ends
impact 0 -- --balls 4 --velocity 1,0,0,-1 --law newton --restitution 0.9,0.5,0.1
near velocity 1e-12 -0.7 0.2 0.2 0.3
near impulses 1e-12 1.7 1.5 1.3
impact 0 -- --balls 4 --velocity 1,0,0,-1 --law poisson --restitution 0.9,0.5,0.1
near velocity 1e-12 -0.9 0.3 0.3 0.3
near impulses 1e-12 1.9 1.6 1.3

# D: a block on two corners, from a file
cat > block.json << 'JSON'
{"M": [[2, 0], [0, 0.5]], "W": [[1, 1], [-0.4, 0.4]], "velocity": [-1, 0.3], "restitution": 0.5, "names": ["left", "right"]}
JSON
impact 0 -- --system block.json --law moreau
near gamma_before 1e-12 -1.12 -0.88
near gamma_after 1e-12 0.56 0.44
near impulses 1e-12 1.78125 1.21875
impact 0 -- --system block.json --law newton --restitution 0.7,0.2
near gamma_after 1e-12 0.784 0.176
near impulses 1e-12 2.1425 0.8175
impact 0 -- --system block.json --law poisson --restitution 0.7,0.2
near gamma_after 1e-12 0.710875 0.282875
near impulses 1e-12 2.01875 0.975
impact 0 -- --system block.json --law newton --velocity -0.5,1.25
near gamma_after 1e-11 0.5 0.329268292683
near impulses 1e-11 1.82926829268 0

# F2: three contacts of a particle in the plane, so that impulses are not unique
cat > redundant.json << 'JSON'
{"M": [2, 2], "W": [[1, 0, 0.6], [0, 1, 0.8]], "velocity": [-1, -2], "restitution": [0.5, 0.2, 0.8]}
JSON
impact 0 -- --system redundant.json --law newton
near velocity 1e-11 1.376 1.168
has err 'impulses are not unique'
impact 0 -- --system redundant.json --law poisson
near velocity 1e-9 0.698 0.928

# G: a closed contact that separates before
impact 0 -- --masses 1,1,1 --velocity 0,-1,-0.4 --law newton --restitution 0.5
near gamma_after 1e-12 0.5 -0.15
near impulses 1e-12 0.75 0
has out.json '"flags":{"kinematic":false,"kinetic":true,"energetic":true}'
has err 'a closed contact separates before the impact'
impact 0 -- --masses 1,1,1 --velocity 0,-1,-0.4 --law newton --restitution 0.5 --separating project
near gamma_after 1e-12 0.425 0
near impulses 1e-12 0.75 0.075
impact 0 -- --masses 1,1,1 --velocity 0.5,-0.5,0 --law newton --restitution 1,0
near gamma_after 1e-12 1 0
has out.json '"energetic":false}'

# Nguyen and Brogliato: Moreau's law, closed forms
impact 0 -- --masses 1,2,3,4 --law moreau --restitution 0.7
near velocity 1e-12 -0.53 0.17 0.17 0.17
near impulses 1e-12 1.53 1.19 0.68
impact 0 -- --masses 2,1,1,3,1 --velocity 1,.5,0,0,-.25 --law moreau --restitution 0.8
near velocity 1e-12 -0.29375 0.10625 0.50625 0.50625 0.70625
near impulses 1e-12 2.5875 2.98125 2.475 0.95625
near energy_before 1e-12 1.15625
near energy_after 1e-12 0.85390625
impact 0 -- --balls 5 --wall --law moreau --restitution 0.5
near velocity 1e-12 -0.5 -0.5 -0.5 -0.5 -0.5
near impulses 1e-12 1.5 3 4.5 6 7.5
near momentum_residual 1e-15 0
impact 0 -- --balls 100 --law moreau
near dispersion 1e-8 9.551879396

# binary collisions: 9 digits
impact 0 -- --balls 7 --decorated 0.5 --law binary
near velocity 1e-9 -0.193415638 -0.181069959 -0.018289895 0.029263832 0.117055327 0.624295077 0.858405731
near collisions 0 18
impact 0 -- --balls 7 --decorated 0.5 --law binary --order rl
near velocity 1e-9 -0.461848070 -0.046853743 0.034186297 0.261688504 0.383801777 0.468221308 0.702331962
near collisions 0 15
impact 0 -- --balls 7 --decorated 0.5 --law binary --order random --seed 1
near velocity 1e-9 -0.266654248 -0.229895699 -0.175071174 0.284509475 0.471472845 0.481227455 0.702331962
impact 0 -- --balls 7 --decorated 0.5 --law binary --sweep-once # Table 2: exact fractions
near velocity 1e-12 $third -0.444444444444444 0.296296296296296 -0.395061728395062 0.263374485596708 -0.351165980795610 0.702331961591221
impact 0 -- --balls 3 --restitution 0.5 --law binary
near velocity 1e-12 0.203125 0.234375 0.5625
near collisions 0 3
impact 0 -- --balls 10 --restitution 0.5 --law binary --tolerance 1e-9
near collisions 0 1554
impact 0 -- --balls 5 --wall --restitution 0.9 --law binary --order rl
near velocity 1e-9 -0.615388416 -0.591294910 -0.577157537 -0.576043407 -0.573454259
near collisions 0 27
impact 0 -- --masses 1,2,1 --wall --law binary --order rl
near velocity 1e-9 -1.962962963 -0.251028807 -0.144032922
impact 0 -- --balls 10 --random 1 --law binary
near collisions 0 30
impact 1 -- --balls 3 --restitution 0.0717 --law binary
has out.json '"status":"ended-by-rounding"'
has err 'z = 1.0005'

# LZB: published runs were repeated to 9 digits
impact 0 -- --balls 3 --law lzb
near velocity 1e-8 -0.070952354 0.076403039 0.994549315
near impulses 1e-8 1.070952354 0.994549315
near duration 1e-5 3.731456
impact 0 -- --balls 3 --law lzb --exponent 1 # closed form
near velocity 1e-9 -0.130261695065 0.150229569435 0.980032125630
near duration 1e-8 3.426976250
impact 0 -- --balls 3 --law lzb --stiffness 1,10 --exponent 1
near velocity 1e-8 -0.330993892 0.617171623 0.713822269
impact 0 -- --balls 3 --law lzb --exponent 1,1.5
near velocity 1e-8 -0.073734812 0.079642104 0.994092708
has err 'exponents differ'
impact 0 -- --balls 5 --law lzb --restitution 0.5
near velocity 1e-8 0.153976457 0.155352219 0.166498407 0.188325050 0.335847868
near energy_ratio 1e-8 0.223824895
near repeats 0 1 1 0 0
impact 0 -- --balls 4 --law lzb --restitution 1,.5,1
near velocity 1e-8 -0.071067696 0.091498990 0.204064697 0.775504009
impact 0 -- --balls 3 --wall --law lzb --restitution 0.9
near velocity 1e-8 -1.040560952 -0.902217046 -0.546912835
impact 0 -- --balls 3 --wall --law lzb --wall-stiffness 2.8284271247461903
near velocity 1e-8 -1.288007114 -1.086412587 -0.400930622
impact 0 -- --balls 2 --law lzb --restitution 0.7 # closed form
near velocity 1e-9 0.15 0.85
near duration 1e-8 2.073011930
# 1000 beads are of this steel; with one exponent only ratios of stiffness matter, so three of them move as above. tau = 2.49166e-5 s
impact 0 -- --balls 3 --law lzb --hertz 203e9,0.3,0.01,7780
near velocity 1e-8 -0.070952354 0.076403039 0.994549315
near duration 1e-9 9.2975e-5
# schemes of the source, step by step
impact 0 -- --balls 3 --law lzb --method time --dt 1e-3
near velocity 1e-10 -0.070550290129 0.075936641115 0.994613649015
near steps 0 3732
impact 0 -- --balls 3 --law lzb --method t --dt 1e-3 --start exact
near velocity 1e-10 -0.070550287640 0.075936633772 0.994613653868
impact 0 -- --balls 3 --law lzb --method impulse --dt 1e-3
near velocity 1e-3 -0.070952354 0.076403039 0.994549315

# several at once: a hundred balls
"$CAROM" impact --balls 100 --law moreau,binary,lzb --json > out.json
asked='100 balls'
sed 's/.*"law":"moreau"\(.*\)"law":"binary".*/\1/' out.json > moreau.json
sed 's/.*"law":"binary"\(.*\)"law":"lzb".*/\1/' out.json > binary.json
cp moreau.json out.json
near gap_to_lzb 1e-3 134.827
near good_velocities 0 96
cp binary.json out.json
near gap_to_lzb 1e-3 16.924
near good_velocities 0 98
near collisions 0 99
echo "impact: all numbers as they should be"
