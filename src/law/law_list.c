/* The laws by name, for lists. */
#include "carom/law.h"

static const carom_law_entry table[] = {
    {"isotropic", "friction", "Coulomb's cone with one coefficient: friction = 0.3"},
    {"static-dynamic", "friction",
     "a larger cone while sticking: friction = { static = 0.6, dynamic = 0.4 }"},
    {"elliptic", "friction", "two axes, two slip components: friction = { ellipse = { 0.5, 0.25 } }"},
    {"polygonal", "friction",
     "any convex polygon around 0: friction = { polygon = { {0.5, 0}, {0, 0.3}, ... } }"},
    {"asymmetric", "friction",
     "one slip component, two directions: friction = { backward = 0.3, forward = 1.2 }"},
    {"weakening", "friction",
     "falls with the slip, without obstacle: friction_force { \"bit\", slip =, bound =, static =, decay = }"},
    {"moreau", "impact", "one kinematic restitution for all contacts: impact_law = \"moreau\""},
    {"newton", "impact",
     "kinematic restitution per contact, also moreau-jean's own: restitution = 0.8, impact_law = \"newton\""},
    {"poisson", "impact", "impulses of compression and expansion: impact_law = \"poisson\""},
    {"binary", "impact", "pair after pair, in an order: impact_law = \"binary\", impact_order = \"rl\""},
    {"lzb", "impact",
     "the wave inside the impact, force K x^eta: impact_law = \"lzb\", stiffness and exponent of contacts"},
    {"elastic", "impact", "the rule of schemes elast and billiard: restitution = 1 or left out"},
    {"inelastic", "impact",
     "projection on the tangent cone, schemes inel and moreau-friction: restitution = 0 or left out"},
};

size_t carom_law_count(void)
{
    return sizeof table / sizeof *table;
}

const carom_law_entry *carom_law_at(size_t index)
{
    return index < carom_law_count() ? &table[index] : NULL;
}
