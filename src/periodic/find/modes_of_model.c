/* The modes of a linear model against its one contact. */
#include "find.h"

static carom_status check(const carom_periodic_model *model, const carom_linearised *linear,
                          carom_error *error)
{
    const char *why = carom_why_not_linear(model);
    if (why)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "%s is not linear: %s; carom orbit and carom continue find its periodic motions one by one",
            model->name, why);
    if (model->model->contacts != 1)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "%s has %d contacts, modes are of one; carom orbit finds periodic motions with several",
            model->name, model->model->contacts);
    if (!linear->regular && !(linear->gap[0] > 0.0))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "the gap of '%s' is %g at rest: it must be open there (at 0 every motion has infinite "
            "energy in proportion)",
            model->model->contact[0].name, linear->gap[0]);
    return carom_impact_check(model, 0, error);
}

carom_status carom_mode_basis_of(const carom_periodic_model *model, carom_mode_basis **basis,
                                 carom_error *error)
{
    *basis = NULL;
    carom_arena *arena = carom_arena_create();
    if (!arena)
        return carom_fail_memory(error);
    carom_linearised linear = {0};
    carom_status status = carom_linearise(model, arena, &linear, error);
    if (status == CAROM_FAILED && !carom_why_not_linear(model))
        status = carom_fail(
            error, CAROM_BAD_INPUT,
            "%s has no position of rest: its stiffness matrix is singular, so that no mode vibrates",
            model->name);
    else if (status != CAROM_NO_MEMORY)
        status = check(model, &linear, error);
    if (status == CAROM_OK) {
        const carom_mode_system system = find_mode_system(model, &linear, 0);
        status = carom_mode_basis_create(&system, basis, error);
    }
    carom_arena_free(arena);
    return status;
}
