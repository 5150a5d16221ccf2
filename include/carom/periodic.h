/* periodic: periodic motions with impacts, their multipliers and their branches. */
#ifndef CAROM_PERIODIC_H
#define CAROM_PERIODIC_H

#include "carom/periodic/modes.h"
#include "carom/periodic/pattern.h"

#endif
