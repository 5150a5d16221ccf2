#!/bin/sh
# The project keeps the rules of the rooms.
exec "$CAROM_SOURCE_DIR/test/rooms/check-includes" "$CAROM_SOURCE_DIR"
