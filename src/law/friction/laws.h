/* The friction laws, one line each: what lists and model files say of them comes from here. */
#ifndef CAROM_LAW_FRICTION_LAWS_H
#define CAROM_LAW_FRICTION_LAWS_H

/* clang-format off */
#define FRICTION_LAWS(ENTRY)             \
    ENTRY(carom_friction_isotropic)      \
    ENTRY(carom_friction_static_dynamic) \
    ENTRY(carom_friction_elliptic)       \
    ENTRY(carom_friction_polygonal)      \
    ENTRY(carom_friction_asymmetric)     \
    ENTRY(carom_friction_weakening)
/* clang-format on */

#endif
