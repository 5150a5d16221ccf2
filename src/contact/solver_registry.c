/* The solvers by kind of problem and name. */
#include "solvers.h"

static const void *const lcp_table[] = {CAROM_LCP_SOLVERS(CAROM_REGISTRY_ADDRESS) NULL};
static const void *const qp_table[] = {CAROM_QP_SOLVERS(CAROM_REGISTRY_ADDRESS) NULL};
static const void *const one_contact_table[] = {CAROM_ONE_CONTACT_SOLVERS(CAROM_REGISTRY_ADDRESS) NULL};
static const void *const step_table[] = {CAROM_STEP_SOLVERS(CAROM_REGISTRY_ADDRESS)
                                             CAROM_COULOMB_SOLVERS(CAROM_REGISTRY_ADDRESS) NULL};
static const void *const coulomb_table[] = {CAROM_COULOMB_NAMESAKES(CAROM_REGISTRY_ADDRESS)
                                                CAROM_COULOMB_SOLVERS(CAROM_REGISTRY_ADDRESS) NULL};

carom_registry carom_lcp_solvers = {.what = "solver", .table = lcp_table};
carom_registry carom_qp_solvers = {.what = "solver", .table = qp_table};
carom_registry carom_one_contact_solvers = {.what = "solver", .table = one_contact_table};
carom_registry carom_step_solvers = {.what = "solver", .table = step_table, .any_case = true};
carom_registry carom_coulomb_solvers = {.what = "solver", .table = coulomb_table, .any_case = true};

carom_registry *carom_solver_registry(carom_problem_kind kind)
{
    static carom_registry *const registries[] = {[CAROM_PROBLEM_LCP] = &carom_lcp_solvers,
                                                 [CAROM_PROBLEM_QP] = &carom_qp_solvers,
                                                 [CAROM_PROBLEM_ONE_CONTACT] = &carom_one_contact_solvers,
                                                 [CAROM_PROBLEM_STEP] = &carom_step_solvers,
                                                 [CAROM_PROBLEM_COULOMB] = &carom_coulomb_solvers};
    return kind >= CAROM_PROBLEM_LCP && kind <= CAROM_PROBLEM_COULOMB ? registries[kind] : NULL;
}

const char *carom_problem_kind_word(carom_problem_kind kind)
{
    switch (kind) {
    case CAROM_PROBLEM_LCP:
        return "lcp";
    case CAROM_PROBLEM_QP:
        return "qp";
    case CAROM_PROBLEM_ONE_CONTACT:
    case CAROM_PROBLEM_STEP:
        return "friction";
    case CAROM_PROBLEM_COULOMB:
        return "coulomb";
    }
    return "unknown";
}

size_t carom_solver_count(carom_problem_kind kind)
{
    const carom_registry *registry = carom_solver_registry(kind);
    return registry ? carom_registry_count(registry) : 0;
}

const carom_solver_ops *carom_solver_at(carom_problem_kind kind, size_t index)
{
    const carom_registry *registry = carom_solver_registry(kind);
    return registry ? carom_registry_at(registry, index) : NULL;
}

const carom_solver_ops *carom_solver_find(carom_problem_kind kind, const char *name, carom_error *error)
{
    const carom_registry *registry = carom_solver_registry(kind);
    if (registry)
        return carom_registry_find(registry, name, error);
    carom_fail(error, CAROM_BAD_INPUT, "%d is no kind of contact problem", (int)kind);
    return NULL;
}

carom_status carom_solver_register(const carom_solver_ops *ops, carom_error *error)
{
    carom_registry *registry = ops ? carom_solver_registry(ops->kind) : NULL;
    if (!registry)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a solver that is registered must say for which kind of problem");
    if (!ops->summary || !ops->solve.lcp)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "solver '%s' is not complete: a summary and a solve function are needed",
                          ops->name ? ops->name : "");
    const carom_status status = carom_registry_add(registry, ops, error);
    /* The registry of steps may have a namesake of its own, which then is what the name means there. */
    if (status == CAROM_OK && ops->kind == CAROM_PROBLEM_COULOMB)
        (void)carom_registry_add(&carom_step_solvers, ops, NULL);
    return status;
}
