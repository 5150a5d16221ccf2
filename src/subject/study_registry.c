/* All studies, one line each. */
#include "carom/run/study.h"

#define STUDIES(ENTRY)                                                                                       \
    ENTRY(study_bar_mode)                                                                                    \
    ENTRY(study_bar_wave)                                                                                    \
    ENTRY(study_bar_boundary)                                                                                \
    ENTRY(study_bar_scan)                                                                                    \
    ENTRY(study_bar_grid_mode)                                                                               \
    ENTRY(study_bar_front)                                                                                   \
    ENTRY(study_ring_orbit)                                                                                  \
    ENTRY(study_impact_mode)                                                                                 \
    ENTRY(study_harmonic_balance)                                                                            \
    ENTRY(study_sink_manifold)                                                                               \
    ENTRY(study_sink_forcing)                                                                                \
    ENTRY(study_sink_equilibria)                                                                             \
    ENTRY(study_sink_flow)                                                                                   \
    ENTRY(study_collide)                                                                                     \
    ENTRY(study_cone_project)                                                                                \
    ENTRY(study_slip_reaction)                                                                               \
    ENTRY(study_contact_solve)                                                                               \
    ENTRY(study_contact_history)                                                                             \
    ENTRY(study_cylinder_contact)                                                                            \
    ENTRY(study_limit_load)                                                                                  \
    ENTRY(study_frame_limit)                                                                                 \
    ENTRY(study_drill_run)                                                                                   \
    ENTRY(study_drill_analysis)                                                                              \
    ENTRY(study_drill_response)                                                                              \
    ENTRY(study_drill_modes)                                                                                 \
    ENTRY(study_drill_hinf)

#define CAROM_REGISTRY_TYPE const carom_study_ops
CAROM_REGISTRY(registry, "study", STUDIES);

size_t carom_study_count(void)
{
    return carom_registry_count(&registry);
}

const carom_study_ops *carom_study_at(size_t index)
{
    return carom_registry_at(&registry, index);
}

const carom_study_ops *carom_study_find(const char *name, carom_error *error)
{
    return carom_registry_find(&registry, name, error);
}

carom_status carom_study_add(const carom_study_ops *study, carom_error *error)
{
    return carom_registry_add(&registry, study, error);
}
