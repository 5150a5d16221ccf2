#!/bin/sh
# carom solve and carom bench from outside: lines, JSON, files, pictures, exit statuses.
set -eu

fail() {
    echo "FAILED: $*"
    exit 1
}
has() { # has FILE TEXT
    grep -qF -- "$2" "$1" || fail "$1 lacks '$2'"
}
# between LOW VALUE HIGH
between() {
    awk -v low="$1" -v value="$2" -v high="$3" 'BEGIN { exit !(value != "" && low <= value && value <= high) }' ||
        fail "'$2' is not between $1 and $3"
}
# number FILE KEY: the value of a key that is there once
number() {
    sed -n "s/.*\"$2\":\\([-0-9.e+]*\\).*/\\1/p" "$1"
}
# ends STATUS arguments: exit status, output in the files out and err
ends() {
    wanted=$1
    shift
    status=0
    "$CAROM" "$@" > out 2> err || status=$?
    [ "$status" -eq "$wanted" ] || fail "$*: exit status $status instead of $wanted: $(cat err)"
}
# refused TEXT -- arguments: exit status 2, a message, nothing on stdout
refused() {
    text=$1
    shift 2
    ends 2 "$@"
    has err "$text"
    [ ! -s out ] || fail "$*: something on stdout"
}
# is_json FILE: one line without NaN; all are read as JSON at the end
objects=0
is_json() {
    [ "$(wc -l < "$1")" -eq 1 ] || fail "$1 is not one line"
    if grep -qiE '[:,\[]-?(nan|inf)' "$1"; then fail "$1 holds NaN or infinity"; fi
    objects=$((objects + 1))
    cp "$1" "object-$objects.json"
}

"$CAROM_TEST_PROGRAMS/make_contact_files"

# ---- one file: a line and what the solution is ----
ends 0 solve slide.hdf5
[ ! -s err ] || fail 'messages on stderr'
for text in 'slide.hdf5 ' ' ok ' '|q| = 5.38516480713' '|r| = 4.17612260356, |u| = 4.4' '0 open, 1 sliding, 0 sticking' \
    '1/2 r.W r + q.r = -9.64' 'u_T.r_T = -5.28' 'stored r     all zero and no solution: none was stored' 'stored u     ' 'guesses      2 in the file'; do
    has out "$text"
done
# a warm start from the solution needs no iteration
ends 0 solve slide.hdf5 --guess 2 --json
has out '"iterations":0,'
ends 0 solve slide.hdf5 --quiet
[ ! -s out ] || fail '--quiet is not quiet'

# ---- JSON ----
ends 0 solve formula.hdf5 --json --tol 1e-9
is_json out
for key in results file solver status contacts dimension iterations error wall_s tolerance absolute_error q_norm r_norm u_norm \
    energy dissipation open sliding sticking options; do
    has out "\"$key\":"
done
has out '"file":"formula.hdf5","solver":"auto","status":"ok","contacts":10,"dimension":3,'
between 0 "$(number out error)" 1e-9
between 6.2143896 "$(number out u_norm)" 6.2143897
between -361.1708891 "$(number out energy)" -361.1708889
between -103.747193 "$(number out dissipation)" -103.747192
has out '"open":0,"sliding":7,"sticking":3,'

# ---- a stored solution is judged; zeros where r was not stored are not ----
ends 0 solve slide.hdf5 --json
has out '"stored_error":null,"stored":{"r_is_zero":true,"r_error":null,"u_of_r":null,"u_difference":'
between 0 "$(number out u_difference)" 1e-15

# ---- no solution: a proof, whichever solver failed; never ok ----
for solver in auto nsgs ADMM NSN-AC-GP PPA-NSN-AC-GP FP-VI-UPK; do
    for file in squeezed fixed; do
        ends 1 solve $file.hdf5 --solver $solver --json --max-seconds 2
        is_json out
        has out '"status":"infeasible"'
        has out '"existence":"none","direction":['
        has out '"infeasible":{"W_d":'
        has err "$file.hdf5: there is no solution: a direction d of normal reactions has q.d = -"
    done
done
has out '"direction":[1,0,0],"infeasible":{"W_d":0,"q_d":-1,'
ends 1 solve squeezed.hdf5
has out 'stored r     error '
has out 'stored u     4.879500e-01 from W r + q of the stored r'
# a doubt is none: reactions grow, but nothing is proved
ends 1 solve unsolvable.hdf5 --json --max-seconds 2
has out '"existence":"doubtful","direction":['
has err 'it is not sure that there is a solution'
if grep -q '"infeasible"' out; then fail 'a doubt is called a proof'; fi

# ---- files of the collection are solved, none is called infeasible ----
collection=${CAROM_FCLIB:-$CAROM_SOURCE_DIR/../shared/fclib}
if [ -d "$collection" ]; then
    for file in "$collection"/*.hdf5; do
        status=0
        "$CAROM" solve "$file" --json --max-seconds 20 > out 2> err || status=$?
        [ "$status" -eq 0 ] || fail "$file: exit status $status: $(cat err)"
        has out '"status":"ok"'
    done
else
    echo "no files in $collection: that part is skipped"
fi

# ---- what a file is, without solving it ----
ends 0 show slide.hdf5
for text in 'slide.hdf5: a frictional contact problem (FCLIB), local' 'title: one sliding contact' \
    'contacts: 1, 3 numbers each' 'solution: r (all zero), u' 'guesses: 2'; do
    has out "$text"
done
ends 0 show global.hdf5 --json
is_json out
has out '"kind":"fclib-global","contacts":1,"dimension":3,"velocities":4,"equations":1,'
for command in run plot; do
    refused 'slide.hdf5 is no run file but a frictional contact problem (FCLIB): carom solve' -- $command slide.hdf5
done

# ---- orthotropic friction ----
set -- --solver uzawa-bipotential --option ratio=0.5 --option slip_ratio=1 --option angle=0.3
ends 0 solve formula.hdf5 "$@" --json --tol 1e-9
is_json out
between 0 "$(number out error)" 1e-9
for key in certificate power largest_power penetration outside; do
    has out "\"$key\":"
done
between 0 "$(number out largest_power)" 1e-7
between 0 "$(number out penetration)" 1e-7
has out '"ratio":0.5,"slip_ratio":1,"angle":0.29999999999999999'
ends 0 solve formula.hdf5 "$@" --plot pictures
has out 'certificate  power'
# with round cones it is the same problem as ever, and nothing is certified
ends 0 solve formula.hdf5 --solver uzawa-bipotential --option angle=0.3 --json --tol 1e-9
between 6.2143896 "$(number out u_norm)" 6.2143897
if grep -q certificate out; then fail 'a certificate of round cones'; fi
refused 'solved by --solver uzawa-bipotential' -- solve formula.hdf5 --option ratio=0.5
refused 'solved by --solver uzawa-bipotential' -- solve formula.hdf5 --solver nsgs --option angle=0.5
refused 'no place for orthotropic' -- solve formula.hdf5 "$@" --write solved
refused 'in the plane' -- solve plane.hdf5 "$@"
refused 'ratio' -- solve formula.hdf5 --solver uzawa-bipotential --option ratio=-1

# ---- the plane, and a global problem with an equation ----
ends 0 solve plane.hdf5 --json
has out '"dimension":2,'
has out '"r_norm":4.1761226'
ends 0 solve global.hdf5 --write solved
ends 0 solve solved/global.hdf5
sed -n 's/.*stored r *error \([-0-9.e+]*\).*/\1/p' out > stored
between 0 "$(cat stored)" 1e-12
ends 0 solve plane.hdf5 --write solved/deep/er
ends 0 solve solved/deep/er/plane.hdf5
sed -n 's/.*stored r *error \([-0-9.e+]*\).*/\1/p' out > stored
between 0 "$(cat stored)" 1e-12
refused 'solved/global.hdf5 is there already; --force writes over it' -- solve global.hdf5 --write solved
ends 0 solve global.hdf5 --write solved --force

# ---- global problems without W ----
ends 0 solve global.hdf5 --direct --json
is_json out
has out '"solver":"direct","status":"ok",'
has out '"options":{}'
between 4.17612260 "$(number out r_norm)" 4.17612261
between 4.39999999 "$(number out u_norm)" 4.40000001
has out '"open":0,"sliding":1,"sticking":0,'
ends 0 solve global.hdf5 --direct --write directly --plot pictures/direct --history direct.csv --quiet
ends 0 solve directly/global.hdf5 --direct
sed -n 's/.*stored r *error \([-0-9.e+]*\).*/\1/p' out > stored
between 0 "$(cat stored)" 1e-12
# the same verdict as of the other solvers: the law part by part, and a proof where there is no solution
ends 0 solve global.hdf5 --json
for part in velocity reaction complementarity; do
    between 0 "$(number out $part)" 1e-7
done
ends 0 solve global.hdf5 --direct --json
has out '"residual":{"velocity":'
for part in velocity reaction complementarity; do
    between 0 "$(number out $part)" 1e-7
done
between 1e-17 "$(number out rounding)" 1e-14
for how in --direct --solver=nsgs; do
    ends 1 solve pressed.hdf5 $how --json --max-seconds 2
    has out '"status":"infeasible"'
    has out '"existence":"none","direction":['
    has err 'pressed.hdf5: there is no solution'
    ends 1 solve many-pressed.hdf5 $how --json --max-seconds 2
    has out '"proof":"not-attempted"'
    has err 'proof: not attempted, 501 contacts (at most 500)'
done
ends 1 solve global.hdf5 --direct --max-iterations 1 --tol 1e-300
has err 'not solved'
refused 'singular.hdf5: M is singular' -- solve singular.hdf5 --direct
refused 'slide.hdf5 holds a local problem' -- solve slide.hdf5 --direct
refused '--direct is a method of its own' -- solve global.hdf5 --direct --solver nsgs
refused '--direct is a method of its own' -- solve global.hdf5 --direct --option omega=1

# ---- solvers and their options ----
ends 0 solve formula.hdf5 --solver NSGS --option omega=1.8 --json
has out '"solver":"nsgs"'
has out '"omega":1.8'
between 50 "$(number out iterations)" 200
refused "solver 'nsgs-xx' is not known; did you mean 'nsgs'? Known: auto, nsgs," -- solve slide.hdf5 --solver nsgs-xx
refused "option of solver 'nsgs' 'omga' is not known; did you mean 'omega'? Known: " -- solve slide.hdf5 --solver nsgs --option omga=1
refused "solver 'nsgs', option omega: 7 is not in" -- solve slide.hdf5 --solver nsgs --option omega=7
"$CAROM" list solvers > solver-list
"$CAROM" list solvers --json > solvers.json
has solver-list 'coulomb: '
is_json solvers.json
has solvers.json '"name":"omega"'

# ---- history and pictures ----
ends 0 solve formula.hdf5 --history history.csv --plot pictures --quiet
if [ -s out ] || [ -s err ]; then fail '--quiet is not quiet'; fi
[ "$(head -1 history.csv)" = iteration,error,seconds ] || fail 'history has another head'
[ "$(sed -n 2p history.csv | cut -c1-19)" = 0,0.745254604052120 ] || fail 'history does not begin with r = 0'
between 0 "$(tail -1 history.csv | cut -d, -f2)" 1e-8
for picture in formula-error formula-cone; do
    for kind in png svg gp dat; do
        [ -s "pictures/$picture.$kind" ] || fail "no $picture.$kind"
    done
done
has pictures/formula-error.gp 'set logscale y'
[ "$(grep -c '^# index' pictures/formula-cone.dat)" -eq 3 ] || fail 'not a circle and two sets of reactions'
has pictures/formula-cone.gp 'sliding (7)'
# reactions lie in the cone
awk '/^[-0-9]/ && NF == 4 && $1 * $1 + $2 * $2 > 1.000001 { exit 1 }' pictures/formula-cone.dat || fail 'a reaction outside'
cp pictures/formula-cone.svg first.svg
(cd pictures && gnuplot formula-cone.gp)
cmp first.svg pictures/formula-cone.svg || fail 'the script does not draw the same picture again'

# ---- not solved: exit status 1, the best error, never "ok" ----
ends 1 solve unsolvable.hdf5 --max-iterations 50 --json
is_json out
has out '"status":"max-iterations"'
has out '"iterations":50,'
has err 'unsolvable.hdf5: not solved (max-iterations after 50 iterations): best error'
ends 1 solve unsolvable.hdf5 --max-seconds 0.05 --solver nsgs --option check=every-sweep
has out ' timeout '
ends 1 solve slide.hdf5 unsolvable.hdf5 plane.hdf5 --max-iterations 50
has out '2 of 3 solved to 1e-08'
[ "$(grep -c ' ok ' out)" -eq 2 ] || fail 'not two lines with ok'

# ---- bad input: exit status 2; good files are solved all the same ----
echo 'not HDF5' > text.hdf5
head -c 1000 slide.hdf5 > cut.hdf5
ends 2 solve slide.hdf5 text.hdf5 no-such.hdf5 singular.hdf5 cut.hdf5 plane.hdf5 --json
is_json out
[ "$(grep -o '"status":"ok"' out | wc -l)" -eq 2 ] || fail 'the good files are not solved'
[ "$(grep -o '"status":"bad-input"' out | wc -l)" -eq 4 ] || fail 'the bad files are not told'
for text in text.hdf5 no-such.hdf5 'singular.hdf5: M is singular' cut.hdf5; do
    has err "$text"
done
refused 'no-such.hdf5' -- solve no-such.hdf5
refused 'text.hdf5' -- solve text.hdf5 --json
refused 'which FCLIB file' -- solve
refused '--history needs one file; got 2' -- solve slide.hdf5 plane.hdf5 --history h.csv
refused 'there is no --guess 3' -- solve slide.hdf5 --guess 3
refused "--guess needs a whole number of at least 1; got '1.5'" -- solve slide.hdf5 --guess 1.5
refused '--tol must be between 0 and 1' -- solve slide.hdf5 --tol 0
refused '--max-seconds must be > 0' -- solve slide.hdf5 --max-seconds -1
refused "--max-iterations needs a whole number of at least 1; got '0'" -- solve slide.hdf5 --max-iterations 0
ends 0 solve slide.hdf5 --tol 9e-16
ends 1 solve formula.hdf5 --tol 1e-17 --max-iterations 20
has err 'below rounding'
ends 2 solve slide.hdf5 --history no/such/folder.csv
has err 'no/such/folder.csv'

# ---- bench ----
mkdir problems
cp slide.hdf5 plane.hdf5 formula.hdf5 unsolvable.hdf5 text.hdf5 problems
echo 'nothing' > problems/README
ends 0 bench problems --solvers nsgs,nsgs:omega=1.8 --max-seconds 0.05 --profile pictures/profile.svg --csv bench.csv
has err 'skipped: '
has err 'text.hdf5'
for text in 'formula ' 'nsgs:omega=1.8' 'unsolved by all: 1 of 4 problems' ' 75.0%'; do
    has out "$text"
done
[ "$(head -1 bench.csv)" = file,contacts,dimension,solver,status,iterations,error,seconds ] || fail 'CSV has another head'
[ "$(wc -l < bench.csv)" -eq 9 ] || fail 'CSV has not a line per problem and solver'
for kind in png svg gp dat tau.csv; do
    [ -s "pictures/profile.$kind" ] || fail "no profile.$kind"
done
has pictures/profile.gp 'set logscale x'
[ "$(head -1 pictures/profile.tau.csv)" = tau,solver,rho ] || fail 'the profile has another head'
ends 0 bench slide.hdf5 formula.hdf5 --solvers nsgs,nsgs:omega=1.8 --json
is_json out
[ "$(grep -o '"file":' out | wc -l)" -eq 4 ] || fail 'not a result per problem and solver'
for key in results file solver status contacts dimension iterations error wall_s profile tau fastest solved rho; do
    has out "\"$key\":"
done
ends 2 bench slide.hdf5 text.hdf5 --solvers nsgs
has out 'slide'
refused 'no problem to solve' -- bench text.hdf5 --solvers nsgs
refused '--solvers A,B,... is missing' -- bench problems
refused "solver 'x' is not known" -- bench problems --solvers nsgs,x
refused "solver 'nsgs' is given twice" -- bench problems --solvers nsgs,NSGS
refused "after ':' a solver needs name=value; got 'omega'" -- bench problems --solvers nsgs:omega
refused 'which FCLIB files' -- bench --solvers nsgs
refused 'no files *.hdf5 or *.h5' -- bench pictures --solvers nsgs
refused '--profile needs a name such as profile.svg' -- bench problems --solvers nsgs --profile profile

if command -v python3 > /dev/null; then
    python3 -c 'import json, sys; [json.load(open(name)) for name in sys.argv[1:]]' object-*.json || fail 'not JSON'
fi

# ---- published problems, where they are ----
published=${CAROM_FCLIB:-$CAROM_SOURCE_DIR/../shared/fclib}
if [ ! -f "$published/Box_Stacks-i0122-82-5.hdf5" ]; then
    echo "solve: no published problems in $published (CAROM_FCLIB names another directory): that part is skipped"
    echo "solve: all else as it should be"
    exit 0
fi
ends 0 solve "$published/Box_Stacks-i0122-82-5.hdf5" --tol 1e-10 --json
between 0.00211012141 "$(number out u_norm)" 0.00211012143
between -2.31720324e-5 "$(number out energy)" -2.31720323e-5
has out '"open":4,"sliding":4,"sticking":74,'
ends 0 solve "$published/Box_Stacks-i0122-82-5.hdf5" --direct --tol 1e-10 --json
between 0.00211012141 "$(number out u_norm)" 0.00211012143
between -2.31720324e-5 "$(number out energy)" -2.31720323e-5
has out '"open":4,"sliding":4,"sticking":74,'
ends 0 solve "$published/LMGC_GlobalFrictionContactProblem00046.hdf5" --write . --json
between -0.57386027 "$(number out energy)" -0.57386026
has out '"open":0,"sliding":0,"sticking":9,'
ends 0 solve LMGC_GlobalFrictionContactProblem00046.hdf5 --json
between 0 "$(number out stored_error)" 1e-8
ends 0 solve "$published/LMGC_100_PR_PerioBox-i00361-60-03000.hdf5" --json
has out '"open":3,"sliding":0,"sticking":57,'
ends 0 solve "$published/CubeH8.hdf5" --json
between 0.018230286 "$(number out r_norm)" 0.018230288
ends 0 solve "$published/OneObject-i1028-138.hdf5" "$@" --json
between 0 "$(number out error)" 1e-8
between 0 "$(number out largest_power)" 1e-9
ends 0 bench "$published/CubeH8.hdf5" "$published/Rover1040.hdf5" --solvers nsgs
echo "solve: all as it should be"
