/* Statements that are written in the language itself: the files of library/ define them and check their keys. */
#include "carom/io.h"

const carom_statement language_arc = {
    .name = "arc",
    .summary = "points of a circle or a part of it, to draw: centre, radius, angles from and to",
    .example = "draw { wall(arc(0, 0, 2)) }",
};

static const carom_statement_key chain_keys[] = {
    {"balls", "how many, a plain number"},
    {"mass", "of balls; default 1"},
    {"pattern", "\"decorated\", \"tapered\" or \"stepped\" masses"},
    {"ratio", "of the pattern"},
    {"radius", "of balls; default 0"},
    {"spacing", "gaps at the start; default 0"},
    {"velocity", "default: first ball 1, with a wall all of them"},
    {"stiffness", "of contacts; default 1"},
    {"exponent", "of contacts; default 3/2"},
    {"restitution", "of contacts; default 1"},
    {"wall", "true: one behind the last ball"},
    {"name", "begins the names of coordinates and contacts"},
    {0},
};

const carom_statement language_chain = {
    .name = "chain",
    .summary = "balls in a row: coordinates, masses, contacts and start",
    .example = "local c = chain { balls = 5, restitution = 0.9, wall = true }",
    .keys = chain_keys,
};

const carom_statement language_dispersion = {
    .name = "dispersion",
    .summary = "of a chain: how energy spreads, 0 equally, sqrt(n - 1) when one ball has all",
    .example = "measure { spread = dispersion(c) }",
};

const carom_statement language_velocity_gap = {
    .name = "velocity_gap",
    .summary = "of a chain: distance to a list of velocities, in per cent",
    .example = "measure { away = velocity_gap(c, moreau.velocity) }",
};

const carom_statement language_good_velocities = {
    .name = "good_velocities",
    .summary = "of a chain: velocities that are near those of a list",
    .example = "measure { good = good_velocities(c, moreau.velocity) }",
};

static const carom_statement_key drill_string_keys[] = {
    {"J", "list of inertias"},           {"k", "stiffness between neighbours"},
    {"d", "dampers between neighbours"}, {"Tw", "Coulomb torque on the other discs"},
    {"bit", "{ Ts =, Td =, Nd = }"},     {"joins", "list of { i, j, k, d }"},
    {"top", "torque on the top drive"},  {0},
};

const carom_statement language_drill_string = {
    .name = "drill_string",
    .summary = "discs on one axis with friction, the bit first, the top drive last",
    .example = "local s = drill_string { J = { 0.064, 2.845 }, k = 0.63, bit = { Ts = 1.232, Td = 0.272, Nd "
               "= 0.5 } }",
    .keys = drill_string_keys,
};

static const carom_statement_key soft_torque_keys[] = {
    {"ct", "torque per speed"},
    {"kt", "torque per angle"},
    {"rpm", "the set point"},
    {"feedforward", "a torque; default 0"},
    {"reference_angle", "integral of the set point, where that depends on time"},
    {0},
};

const carom_statement language_soft_torque = {
    .name = "soft_torque",
    .summary = "a controller for the top drive of a drill string",
    .example = "soft_torque { s, ct = 2.93, kt = 1.87, rpm = 5.5 }",
    .keys = soft_torque_keys,
};

static const carom_statement_key body2d_keys[] = {
    {"mass", "of the body"},
    {"inertia", "about the mass centre"},
    {"at", "{ x, y, phi } at the start"},
    {"velocity", "{ vx, vy, omega } at the start"},
    {"gravity", "downwards, or { ax, ay }"},
    {"pinned", "{ own point, body, point there }: a start in place of at and velocity"},
    {"phi", "angle at the start, with pinned"},
    {"omega", "angular velocity at the start, with pinned"},
    {0},
};

const carom_statement language_body2d = {
    .name = "body2d",
    .summary = "a rigid body in the plane",
    .example = "local rod = body2d { \"rod\", mass = 1, inertia = 0.1, at = { 0, 2, 0.5 }, gravity = 9.81 }",
    .keys = body2d_keys,
};

static const carom_statement_key revolute_keys[] = {
    {0},
};

const carom_statement language_revolute = {
    .name = "revolute",
    .summary = "joint: two points of bodies are one",
    .example = "revolute { \"pin\", rod, { 0.5, 0 }, ground, { 0, 0 } }",
    .keys = revolute_keys,
};

static const carom_statement_key prismatic_keys[] = {
    {0},
};

const carom_statement language_prismatic = {
    .name = "prismatic",
    .summary = "joint: a point on a line of another body, without turning",
    .example = "prismatic { \"guide\", ground, { 0, 0 }, 0, slider, { 0, 0 } }",
    .keys = prismatic_keys,
};

static const carom_statement_key distance_keys[] = {
    {"length", "of the rod"},
    {0},
};

const carom_statement language_distance = {
    .name = "distance",
    .summary = "joint: a massless rod between two points",
    .example = "distance { \"rod\", a, { 0, 0 }, b, { 0, 0 }, length = 1 }",
    .keys = distance_keys,
};

static const carom_statement_key clearance_keys[] = {
    {"radius", "radial clearance"},
    {"journal", "radius of the pin, for friction"},
    {"restitution", "as of contact"},
    {"friction", "as of contact"},
    {0},
};

const carom_statement language_clearance = {
    .name = "clearance",
    .summary = "a pin with play: a contact",
    .example = "clearance { \"play\", slider, { 0, 0 }, rod, { 0.15, 0 }, radius = 5e-4 }",
    .keys = clearance_keys,
};

static const carom_statement_key disc_disc_keys[] = {
    {"radius", "one for both, or { of the first, of the second }"},
    {0},
};

const carom_statement language_disc_disc = {
    .name = "disc_disc",
    .summary = "gap and slip of two discs, for contact",
    .example = "contact { \"ab\", disc_disc { a, b, radius = { 0.1, 0.2 } }, friction = 0.3 }",
    .keys = disc_disc_keys,
};

static const carom_statement_key disc_ring_keys[] = {
    {"radius", "of the disc, the first entry"},
    {"ring", "inner radius of the ring around it, the second entry"},
    {0},
};

const carom_statement language_disc_ring = {
    .name = "disc_ring",
    .summary = "gap and slip of a disc inside a ring, for contact",
    .example = "contact { \"drum\", disc_ring { a, { 0, 0 }, radius = 0.1, ring = 1 }, friction = 0.3 }",
    .keys = disc_ring_keys,
};

static const carom_statement_key disc_line_keys[] = {
    {"radius", "of the disc"},
    {"from", "{ x, y }: a point of the line"},
    {"to", "another one; the disc is to the left of the way there"},
    {"on", "the body on which the line is; from and to are then points of its frame"},
    {"speed", "of a belt, along the line; default 0"},
    {0},
};

const carom_statement language_disc_line = {
    .name = "disc_line",
    .summary = "gap and slip of a disc to the left of a line, for contact",
    .example = "contact { \"floor\", disc_line { a, radius = 0.1, from = { 0, 0 }, to = { 1, 0 } }, friction "
               "= 0.3 }",
    .keys = disc_line_keys,
};

const carom_statement language_corner_line = {
    .name = "corner_line",
    .summary = "gap and slip of a corner of a body to the left of a line, for contact",
    .example = "contact { \"foot\", corner_line { b, { 0.5, -0.1 }, from = { 0, 0 }, to = { 1, 0 } }, "
               "friction = 0.3 }",
    .keys = disc_line_keys + 1, /* no radius */
};

static const carom_statement_key corner_disc_keys[] = {
    {"radius", "of the disc, the last entry"},
    {0},
};

const carom_statement language_corner_disc = {
    .name = "corner_disc",
    .summary = "gap and slip of a corner of a body and a disc, for contact",
    .example = "contact { \"tip\", corner_disc { a, { 0.5, 0 }, b, radius = 0.1 }, friction = 0.3 }",
    .keys = corner_disc_keys,
};

static const carom_statement_key bar_keys[] = {
    {"elements", "how many"},
    {"length", "of the bar"},
    {"E", "Young's modulus"},
    {"A", "cross-section; default 1"},
    {"rho", "density"},
    {"mass", "\"consistent\" or \"lumped\""},
    {"displacement", "at the start: a value or function(x)"},
    {"velocity", "likewise"},
    {0},
};

const carom_statement language_bar = {
    .name = "bar",
    .summary = "an elastic bar along its axis, by finite elements",
    .example = "local b = bar { \"u\", elements = 20, length = 1, E = 1, rho = 1 }",
    .keys = bar_keys,
};

static const carom_statement_key beam2d_keys[] = {
    {"elements", "how many"},
    {"length", "of the beam"},
    {"E", "Young's modulus"},
    {"A", "cross-section"},
    {"I", "second moment of area"},
    {"nu", "Poisson's ratio; default 0.3"},
    {"rho", "density"},
    {"shear", "the part of A that takes shear; default 5/6"},
    {"mass", "\"consistent\" or \"lumped\""},
    {"root", "\"free\", \"hinged\" or \"clamped\""},
    {"at", "of the first node at the start"},
    {"velocity", "likewise"},
    {"gravity", "as of body2d"},
    {"pinned", "as of body2d"},
    {"phi", "as of body2d"},
    {"omega", "as of body2d"},
    {0},
};

const carom_statement language_beam2d = {
    .name = "beam2d",
    .summary = "a geometrically exact beam in the plane",
    .example = "local b = beam2d { \"b\", elements = 4, length = 1, E = 2.1e11, A = 1e-4, I = 8.33e-10, rho "
               "= 7800 }",
    .keys = beam2d_keys,
};

const carom_statement language_bar_chain = {
    .name = "bar_chain",
    .summary = "a bar against a wall as a chain of masses",
    .example = "local c = bar_chain { masses = 2, u = mode.u, v = mode.v }",
};

const carom_statement language_ring = {
    .name = "ring",
    .summary = "a ring of oscillators over an obstacle",
    .example = "local r = ring { p = 5, gamma = 0.1, y = found.y, v = found.v }",
};

const carom_statement language_particle_list = {
    .name = "particle_list",
    .summary = "a list of numbers from a text, for settings",
    .example = "local struck = particle_list \"3,4\"",
};

const carom_statement language_energy_sink = {
    .name = "energy_sink",
    .summary = "a nonlinear energy sink on an oscillator with dry friction",
    .example = "local s = energy_sink { values = v, x = 0, y = 0 }",
};

/* ---- joints of bodies -------------------------------------------------------------------------------------- */

static const carom_statement_key ball_keys[] = {{"at", "the common point, in space, at the start"}, {0}};

const carom_statement language_ball = {
    .name = "ball",
    .summary = "joint of bodies in space: two points are one",
    .example = "ball { \"tip\", ground, top, at = { 0, 0, 0 } }",
    .keys = ball_keys,
};

static const carom_statement_key hinge_keys[] = {
    {"at", "a point of the axis at the start"},
    {"axis", "in space, at the start; not in the plane"},
    {"spring", "{ stiffness = , rest = }: against the angle"},
    {"damper", "torque per angular velocity"},
    {"limits", "{ lowest, highest, restitution = 0 }: of the angle"},
    {"motor", "{ speed = , torque = }: reaches the speed within the torque"},
    {0}};

const carom_statement language_hinge = {
    .name = "hinge",
    .summary = "joint of bodies: they turn about one axis",
    .example = "hinge { \"pin\", frame, arm, at = { 0, 1 } }",
    .keys = hinge_keys,
};

static const carom_statement_key slider_keys[] = {
    {"at", "a point of both bodies at the start"},
    {"axis", "along which they move, at the start"},
    {"spring", "{ stiffness = , rest = }: against the way"},
    {"damper", "force per velocity"},
    {"limits", "{ lowest, highest, restitution = 0 }: of the way"},
    {"motor", "{ speed = , torque = }: a force here"},
    {0}};

const carom_statement language_slider = {
    .name = "slider",
    .summary = "joint of bodies: they move along one axis, without turning",
    .example = "slider { \"guide\", frame, piston, at = { 0, 0 }, axis = { 1, 0 } }",
    .keys = slider_keys,
};

const carom_statement language_cylindrical = {
    .name = "cylindrical",
    .summary = "joint of bodies in space: they move along and turn about one axis",
    .example = "cylindrical { \"sleeve\", shaft, ring, at = { 0, 0, 0 }, axis = { 1, 0, 0 } }",
    .keys = slider_keys,
};

static const carom_statement_key universal_keys[] = {{"at", "the common point at the start"},
                                                     {"axis", "of the first body"},
                                                     {"axis2", "of the second, perpendicular to it"},
                                                     {0}};

const carom_statement language_universal = {
    .name = "universal",
    .summary = "joint of bodies in space: a common point, and two axes that stay perpendicular",
    .example = "universal { \"cardan\", a, b, at = { 0, 0, 0 }, axis = { 0, 1, 0 }, axis2 = { 0, 0, 1 } }",
    .keys = universal_keys,
};

const carom_statement language_weld = {
    .name = "weld",
    .summary = "joint of bodies: they move as one",
    .example = "weld { \"seam\", a, b, at = { 0, 0 } }",
    .keys = ball_keys,
};
