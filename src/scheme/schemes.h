/* The schemes, in the order in which lists show them: a new one is its file or folder, and a line here. */
#ifndef CAROM_SCHEME_SCHEMES_H
#define CAROM_SCHEME_SCHEMES_H

/* clang-format off */
#define CAROM_SCHEMES(ENTRY)         \
    ENTRY(scheme_elast)              \
    ENTRY(scheme_billiard)           \
    ENTRY(scheme_inel)               \
    ENTRY(scheme_moreau_friction)    \
    ENTRY(scheme_moreau_jean)        \
    ENTRY(scheme_paoli_schatzman)    \
    ENTRY(scheme_sweeping)           \
    ENTRY(scheme_event_driven)       \
    ENTRY(scheme_event_driven_linear) \
    ENTRY(scheme_penalty)            \
    ENTRY(scheme_newmark_contact)    \
    ENTRY(scheme_generalized_alpha)  \
    ENTRY(scheme_dai_euler)          \
    ENTRY(scheme_dai_theta)
/* clang-format on */

#endif
