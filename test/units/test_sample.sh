#!/bin/sh
# Commands in other units: the same significands, counts, doubts and warnings. test/units/check compares all experiments.
set -eu

"$CAROM_SOURCE_DIR/test/units/check" "$CAROM" --sample --known "$CAROM_SOURCE_DIR/test/units/known"

# a known deviation is allowed up to its size; words and counts are not deviations; a list without sizes is refused
cat > disturbed << 'PYTHON'
#!/usr/bin/env python3
"""The program, with a relative error of 2e-8 in the final state of a run in other units, and with more steps there"""
import json, os, subprocess, sys
done = subprocess.run([os.environ["CAROM"]] + sys.argv[1:], stdout=subprocess.PIPE, check=True)
if sys.argv[1] == "run" and "--units" in sys.argv:
    out = json.loads(done.stdout)
    for kind in "q", "v":
        out["final"][kind] = {name: x * (1 + 2e-8) for name, x in out["final"][kind].items()}
    out["steps"] += int(os.environ.get("STEPS", "0"))
    print(json.dumps(out))
else:
    sys.stdout.buffer.write(done.stdout)
PYTHON
chmod +x disturbed
# compare STATUS DEVIATION
compare() {
    status=0
    echo "run pendulum $2" > list
    "$CAROM_SOURCE_DIR/test/units/check" ./disturbed --few --kinds powers --only 'run pendulum' --known list > table 2>&1 || status=$?
    if [ "$status" -ne "$1" ]; then
        echo "FAILED: known deviation '$2': exit status $status: $(cat table)"
        exit 1
    fi
}
export CAROM
compare 0 3e-8
compare 1 1e-8
STEPS=1
export STEPS
compare 1 3e-8
unset STEPS
compare 1 ''
grep -q 'is not TASK DEVIATION' table
compare 1 0.5
