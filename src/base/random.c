#include "carom/base.h"

double carom_random_uniform(carom_random *random, double low, double high)
{
    /* splitmix64: one addition and two multiply-xor-shift rounds. */
    uint64_t z = (random->state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return low + (high - low) * ((double)(z >> 11) * 0x1p-53);
}
