/* periodic: periodic motions with impacts, their multipliers and their branches.
 *
 *   oscillator.h         linear oscillators against obstacles, in their modes
 *   pattern.h            motions of these by the pattern of impacts at 0 and half the period
 *   modes.h              motions of these with k impacts of one contact
 *   harmonic_balance.h   the same with a contact force that is a cosine series
 *   shooting.h           motions of any model
 *   branch.h             curves of motions over a parameter
 *   multipliers.h        whether a motion is stable
 *   find.h               all of it on a model: finds, verifies and follows motions */
#ifndef CAROM_PERIODIC_H
#define CAROM_PERIODIC_H

#include "carom/periodic/find.h"
#include "carom/periodic/harmonic_balance.h"

#endif
