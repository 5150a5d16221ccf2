/* The laws of impact, one line each: what lists, options and errors say of them comes from here. */
#ifndef CAROM_LAW_IMPACT_LAWS_H
#define CAROM_LAW_IMPACT_LAWS_H

/* clang-format off */
#define IMPACT_LAWS(ENTRY)       \
    ENTRY(carom_impact_moreau)   \
    ENTRY(carom_impact_newton)   \
    ENTRY(carom_impact_poisson)  \
    ENTRY(carom_impact_binary)   \
    ENTRY(carom_impact_lzb)
/* clang-format on */

#endif
