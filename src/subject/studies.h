/* All studies, one line each: what model files may call, lists, pages and errors come from here. */
#ifndef CAROM_SUBJECT_STUDIES_H
#define CAROM_SUBJECT_STUDIES_H

#include "carom/run/study.h"

/* clang-format off */
#define STUDIES(ENTRY)            \
    ENTRY(study_bar_mode)         \
    ENTRY(study_bar_wave)         \
    ENTRY(study_bar_boundary)     \
    ENTRY(study_bar_scan)         \
    ENTRY(study_bar_grid_mode)    \
    ENTRY(study_bar_front)        \
    ENTRY(study_ring_orbit)       \
    ENTRY(study_impact_mode)      \
    ENTRY(study_harmonic_balance) \
    ENTRY(study_sink_manifold)    \
    ENTRY(study_sink_forcing)     \
    ENTRY(study_sink_equilibria)  \
    ENTRY(study_sink_flow)        \
    ENTRY(study_collide)          \
    ENTRY(study_cone_project)     \
    ENTRY(study_slip_reaction)    \
    ENTRY(study_contact_solve)    \
    ENTRY(study_contact_history)  \
    ENTRY(study_cylinder_contact) \
    ENTRY(study_limit_load)       \
    ENTRY(study_frame_limit)      \
    ENTRY(study_drill_run)        \
    ENTRY(study_drill_analysis)   \
    ENTRY(study_drill_response)   \
    ENTRY(study_drill_modes)      \
    ENTRY(study_drill_hinf)
/* clang-format on */

#endif
