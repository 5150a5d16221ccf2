/* The statements of the model language, one line each: what model files may call, lists and errors come from here. */
#ifndef CAROM_IO_LUA_STATEMENTS_H
#define CAROM_IO_LUA_STATEMENTS_H

#include "carom/io.h"

/* clang-format off */
#define STATEMENTS(ENTRY)              \
    ENTRY(language_experiment)         \
    ENTRY(language_param)              \
    ENTRY(language_input)              \
    ENTRY(language_setting)            \
    ENTRY(language_variant)            \
    ENTRY(language_family)             \
    ENTRY(language_coordinates)        \
    ENTRY(language_kinetic)            \
    ENTRY(language_potential)          \
    ENTRY(language_mass)               \
    ENTRY(language_force)              \
    ENTRY(language_energy)             \
    ENTRY(language_contact)            \
    ENTRY(language_friction_force)     \
    ENTRY(language_joint)              \
    ENTRY(language_gap)                \
    ENTRY(language_impulse)            \
    ENTRY(language_reaction)           \
    ENTRY(language_beam)               \
    ENTRY(language_tube)               \
    ENTRY(language_round)              \
    ENTRY(language_rectangle)          \
    ENTRY(language_initial)            \
    ENTRY(language_integrate)          \
    ENTRY(language_stop)               \
    ENTRY(language_record)             \
    ENTRY(language_measure)            \
    ENTRY(language_unwrap)             \
    ENTRY(language_every)              \
    ENTRY(language_impact)             \
    ENTRY(language_touching)           \
    ENTRY(language_sticking)           \
    ENTRY(language_release)            \
    ENTRY(language_compute)            \
    ENTRY(language_plot)               \
    ENTRY(language_panel)              \
    ENTRY(language_line)               \
    ENTRY(language_points)             \
    ENTRY(language_segments)           \
    ENTRY(language_outline)            \
    ENTRY(language_curve)              \
    ENTRY(language_circle)             \
    ENTRY(language_values)             \
    ENTRY(language_profile)            \
    ENTRY(language_contact_map)        \
    ENTRY(language_scene)              \
    ENTRY(language_draw)                \
    ENTRY(language_segment)             \
    ENTRY(language_spring)              \
    ENTRY(language_damper)              \
    ENTRY(language_rod)                 \
    ENTRY(language_path)                \
    ENTRY(language_arrow)               \
    ENTRY(language_text)                \
    ENTRY(language_pin)                 \
    ENTRY(language_touch)               \
    ENTRY(language_wall)                \
    ENTRY(language_deformed)            \
    ENTRY(language_arc)                \
    ENTRY(language_dot)                \
    ENTRY(language_acceleration)       \
    ENTRY(language_time)               \
    ENTRY(language_table_of)           \
    ENTRY(language_chain)              \
    ENTRY(language_dispersion)         \
    ENTRY(language_velocity_gap)       \
    ENTRY(language_good_velocities)    \
    ENTRY(language_drill_string)       \
    ENTRY(language_soft_torque)        \
    ENTRY(language_body2d)             \
    ENTRY(language_revolute)           \
    ENTRY(language_prismatic)          \
    ENTRY(language_distance)           \
    ENTRY(language_clearance)          \
    ENTRY(language_disc_disc)          \
    ENTRY(language_disc_ring)          \
    ENTRY(language_disc_line)          \
    ENTRY(language_corner_line)        \
    ENTRY(language_corner_disc)        \
    ENTRY(language_bar)                \
    ENTRY(language_beam2d)             \
    ENTRY(language_bar_chain)          \
    ENTRY(language_ring)               \
    ENTRY(language_particle_list)      \
    ENTRY(language_energy_sink)        \
    ENTRY(language_world)              \
    ENTRY(language_pair)               \
    ENTRY(language_body)               \
    ENTRY(language_fixed)              \
    ENTRY(language_driven)             \
    ENTRY(language_torque)             \
    ENTRY(language_ball)               \
    ENTRY(language_hinge)              \
    ENTRY(language_slider)             \
    ENTRY(language_cylindrical)        \
    ENTRY(language_universal)          \
    ENTRY(language_weld)               \
    ENTRY(language_sphere)             \
    ENTRY(language_disc)               \
    ENTRY(language_box)                \
    ENTRY(language_capsule)            \
    ENTRY(language_cylinder)           \
    ENTRY(language_convex)             \
    ENTRY(language_polygon)            \
    ENTRY(language_plane)              \
    ENTRY(language_polyline)           \
    ENTRY(language_heightfield)        \
    ENTRY(language_mesh)               \
    ENTRY(language_compound)
/* clang-format on */

#define DECLARE_STATEMENT(entry) extern const carom_statement entry;
STATEMENTS(DECLARE_STATEMENT)
#undef DECLARE_STATEMENT

#endif
