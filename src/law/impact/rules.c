/* Rules of impact that a scheme has built in. */
#include "carom/law.h"

static const carom_impact_rule rule_elastic = {
    "elastic", "the rule of schemes elast and billiard: restitution = 1 or left out"};
static const carom_impact_rule rule_inelastic = {
    "inelastic",
    "projection on the tangent cone, schemes inel and moreau-friction: restitution = 0 or left out"};

static const void *const table[] = {&rule_elastic, &rule_inelastic, NULL};
static const carom_registry rules = {.what = "rule of impact", .table = table};

size_t carom_impact_rule_count(void)
{
    return carom_registry_count(&rules);
}

const carom_impact_rule *carom_impact_rule_at(size_t index)
{
    return carom_registry_at(&rules, index);
}
