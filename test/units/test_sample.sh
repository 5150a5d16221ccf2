#!/bin/sh
# Commands in other units: the same significands, counts, doubts and warnings. test/units/check compares all experiments.
set -eu

"$CAROM_SOURCE_DIR/test/units/check" "$CAROM" --sample --known "$CAROM_SOURCE_DIR/test/units/known"
