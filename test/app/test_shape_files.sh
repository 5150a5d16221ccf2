#!/bin/sh
# Shapes from OBJ and STL files beside a model: read from there only, carried by run files and journals, errors with file and line.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/app/beside_model.sh
. "$CAROM_SOURCE_DIR/test/app/beside_model.sh"

mkdir -p models/shapes elsewhere
cat > models/shapes/cube.obj << 'OBJ'
# a cube of 100 mm
v 0 0 0
v 100 0 0
v 100 100 0
v 0 100 0
v 0 0 100
v 100 0 100
v 100 100 100
v 0 100 100
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
OBJ
# a floor of two triangles, as text and binary
cat > models/floor.stl << 'STL'
solid floor
facet normal 0 0 1
outer loop
vertex -2 -2 0
vertex 2 -2 0
vertex 2 2 0
endloop
endfacet
facet normal 0 0 1
outer loop
vertex -2 -2 0
vertex 2 2 0
vertex -2 2 0
endloop
endfacet
endsolid floor
STL
binary() { # binary COUNT CORNER...: a file of triangles of corners 0, 2 or -2 (binary floats)
    printf '%80s' 'a floor'
    printf '%b' "$1"
    shift
    for triangle in "$@"; do
        printf '\000\000\000\000\000\000\000\000\000\000\000\000'
        for number in $triangle; do
            case $number in
                2) printf '\000\000\000\100' ;;
                -2) printf '\000\000\000\300' ;;
                nan) printf '\000\000\300\177' ;;
                *) printf '\000\000\000\000' ;;
            esac
        done
        printf '\000\000'
    done
}
binary '\002\000\000\000' '-2 -2 0 2 -2 0 2 2 0' '-2 -2 0 2 2 0 -2 2 0' > models/binary.stl
cat > models/falls.lua << 'LUA'
local T = setting { "T", 1 }
local ground = setting { "ground", "floor.stl", choices = { "floor.stl", "binary.stl", "lists" } }
world { gravity = { 0, 0, -9.81 } }
pair  { friction = 0.5, rolling = 1e-3, torsion = 1e-3 }
local floor = fixed { "floor", shape = ground ~= "lists" and mesh { file = ground } or
  mesh { points = { { -2, -2, 0 }, { 2, -2, 0 }, { 2, 2, 0 }, { -2, 2, 0 } }, triangles = { { 1, 2, 3 }, { 1, 3, 4 } } } }
local cube  = body { "cube", shape = convex { file = "shapes/cube.obj", scale = 1e-3 }, density = 1000, at = { 0, 0, 0.2 },
                     rotation = { axis = { 1, 2, 3 }, angle = 0.7 }, spin = { 3, 2, 1 } }
local ball  = body { "ball", shape = sphere { 0.05 }, density = 1000, at = { 0.5, 0, 0.05 }, velocity = { 0.4, 0.2, 0 }, spin = { 1, 2, 3 } }
integrate { h = 1e-3, until_t = T }
measure { height = cube.z, weight = impulse(cube, floor) / 1e-3, kinetic = cube:kinetic() }
LUA

# from any directory; mass from the file, what lies on the mesh weighs 9.81 N; the same from lists
"$CAROM" run models/falls.lua --json > one.json
(cd elsewhere && "$CAROM" run ../models/falls.lua --json > ../two.json)
same_measures one.json two.json
python3 - << 'PYTHON'
import json
m = json.load(open("one.json"))["measures"]
value = lambda name: m[name] if isinstance(m[name], float) else m[name][0] if isinstance(m[name], list) else float(m[name])
assert abs(value("height") - 0.05) < 1e-7, m
assert abs(value("weight") - 9.81) < 1e-6, m
assert value("kinetic") == 0, m
PYTHON
for ground in binary.stl lists; do
    "$CAROM" run models/falls.lua --set ground=$ground --csv $ground.csv --quiet
done
"$CAROM" run models/falls.lua --csv one.csv --quiet
for ground in binary.stl lists; do
    cmp one.csv $ground.csv || fail "$ground: another motion"
done

# what reads the model again needs no files: runs again, pictures, sweeps, resumed runs
"$CAROM" run models/falls.lua --out run.h5 --quiet
read_without_files models/falls.lua --set T=40

# never from outside of the folder, nothing but plain files
cp models/floor.stl outside.stl
mkfifo models/pipe.stl
mkdir models/folder.obj
refuse() { # refuse FILE TEXT: of a mesh of this file
    printf 'world { gravity = { 0, 0, 0 } }\nfixed { "f", shape = mesh { file = "%s" } }\n' "$1" > models/bad.lua
    refused_at 2 "$2"
}
refuse_outside outside.stl
refuse shapes/../floor.stl 'not the name of a data file'
refuse pipe.stl 'not a plain file'
refuse folder.obj 'not a plain file'
refuse none.stl 'No such file'
refuse '' 'not the name of a data file'
cp models/floor.stl models/floor.ply
refuse floor.ply 'end with .obj or .stl'

# bad files: file and line, or triangle
bad() { # bad FILE TEXT: with the bytes of standard input
    cat > "models/$1"
    refuse "$1" "$2"
}
printf 'v 0 0 0\nv 1 0\n' | bad a.obj 'mesh: a.obj:2: a point is v and three numbers'
printf 'v 0 0 0\nv 1 nan 0\n' | bad a.obj 'a.obj'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n' | bad a.obj 'a.obj:4: a corner of a face'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\n' | bad a.obj 'a.obj: no faces'
printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n' | bad a.obj 'none of its 1 triangles has an area'
printf '' | bad a.obj 'no faces'
head -c 100000 /dev/zero | tr '\000' '\033' | bad a.obj 'no faces'
no_control_characters
printf 'v 0 0 0\nv 1e200 0 0\nv 0 1 0\nf 1 2 3\n' | bad a.obj 'must be finite'
head -n 5 models/floor.stl | bad a.stl 'a.stl: it ends inside a triangle'
sed 's/vertex 2 2 0/vertex 2 2 x/' models/floor.stl | bad a.stl 'mesh: a.stl:6: a corner is vertex and three numbers'
head -c 150 models/binary.stl | bad a.stl 'neither STL as text'
binary '\377\377\377\377' '-2 -2 0 2 -2 0 2 2 0' | bad a.stl 'neither STL as text'
binary '\001\000\000\000' '-2 -2 0 2 nan 0 2 2 0' | bad a.stl 'triangle 1: a coordinate is not finite'

# what the statements refuse
word() { # word SHAPE TEXT
    printf 'world { gravity = { 0, 0, 0 } }\nlocal s = %s\nbody { "b", shape = s, density = 1 }\n' "$1" > models/bad.lua
    refused run 2 "$2" -- models/bad.lua
}
word 'convex { file = "floor.stl" }' 'plane'
word 'mesh { file = 3 }' 'must be a text'
word 'mesh { file = "floor.stl", points = { { 0, 0, 0 } } }' 'not both'
word 'convex { file = "shapes/cube.obj", { 0, 0, 0 } }' 'not both'
word 'convex { file = "shapes/cube.obj", scale = 0 }' 'must be positive'
word 'convex { file = "shapes/cube.obj", scale = -1 }' 'must be positive'
word 'convex { file = "shapes/cube.obj", size = 1 }' "'size'"
word 'convex { { 0, 0, 0 }, scale = 2 }' 'scale is for files'
word 'mesh { file = "floor.stl" }' 'has no inside'
printf 'world { gravity = { 0, 0 } }\nlocal s = convex { file = "shapes/cube.obj" }\n' > models/bad.lua
refused run 2 'convex with a file is a shape of space' -- models/bad.lua
