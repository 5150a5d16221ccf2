/* --jit: the tapes of a model as machine code, by the C compiler of the system. */
#ifndef CAROM_APP_JIT_H
#define CAROM_APP_JIT_H

#include "carom/run.h"

/* Compiles the tapes of the experiment, or finds them compiled in the cache ($XDG_CACHE_HOME/carom, ~/.cache/carom), and gives
 * the tapes their code, which has the same bits. Where that is not possible a line on standard error says why, and the tapes are
 * evaluated as without it. */
void jit_use(carom_experiment *experiment);

/* What help says about it. */
#define JIT_HELP                                                                                             \
    "  --jit                compile the model with the system's C compiler: the same numbers, sooner "       \
    "where\n"                                                                                                \
    "                       carom has no machine code of its own (not x86-64); kept in ~/.cache/carom\n"

#endif
