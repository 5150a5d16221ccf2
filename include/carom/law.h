/* law: friction laws as data, and the choice between their static and dynamic sets. */
#ifndef CAROM_LAW_H
#define CAROM_LAW_H

#include "carom/convex.h"

typedef enum carom_friction_shape {
    CAROM_FRICTION_NONE,
    CAROM_FRICTION_ISOTROPIC,  /* 1 coefficient: mu */
    CAROM_FRICTION_ELLIPTIC,   /* 2: semi-axes along the two slip components */
    CAROM_FRICTION_POLYGONAL,  /* 2 per vertex */
    CAROM_FRICTION_ASYMMETRIC, /* 2, one slip component: opposing negative slip, opposing positive slip */
} carom_friction_shape;

const char *carom_friction_shape_name(carom_friction_shape shape);

/* One cone: its shape and number of coefficients. The coefficients themselves come from the model. */
typedef struct carom_friction_cone {
    carom_friction_shape shape;
    int coefficients;
} carom_friction_cone;

/* Friction of a contact. With two_level the static cone rules steps that start from sticking, the dynamic
 * cone all others (Moreau 1986, section 12, Remark 1); otherwise only `dynamic_cone` is used. */
typedef struct carom_friction_law {
    bool two_level;
    carom_friction_cone static_cone, dynamic_cone;
} carom_friction_law;

/* Number of coefficients of a law: static ones first, then dynamic ones. */
int carom_friction_law_coefficients(const carom_friction_law *law);

/* The set D_1 of a step that started sticking or not, from the law's coefficients (which must outlive the
 * set: polygons point into them). */
carom_planar_set carom_friction_law_set(const carom_friction_law *law, const double *coefficients,
                                        int tangents, bool sticking);

/* Checks coefficients: finite, not negative, polygon convex around 0. */
carom_status carom_friction_law_check(const carom_friction_law *law, const double *coefficients, int tangents,
                                      const char *contact_name, carom_error *error);

/* ---- registry --------------------------------------------------------------------------------- */

typedef struct carom_law_entry {
    const char *name;
    const char *kind;    /* "friction" or "impact" */
    const char *summary; /* what it is and how a model file writes it */
} carom_law_entry;

size_t carom_law_count(void);
const carom_law_entry *carom_law_at(size_t index);

#endif
