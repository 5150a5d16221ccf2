#include <string.h>

#include "carom/contact.h"

/* One line per solver. */
static const carom_solver_entry solvers[] = {
    {"closed-form", "lcp", "formula for one or two unknowns", &carom_lcp_closed_form},
    {"active-set", "lcp", "active set, symmetric semidefinite matrix, exact to rounding",
     &carom_lcp_active_set},
    {"gauss-seidel", "lcp", "projected Gauss-Seidel sweeps, first order", &carom_lcp_gauss_seidel},
    {"lemke", "lcp", "complementary pivoting, copositive-plus matrix that need not be symmetric",
     &carom_lcp_lemke},
    {"qp-active-set", "qp", "primal-dual active set, warm; the dual method when a set comes back", NULL},
    {"qp-dual", "qp", "dual active set (Goldfarb and Idnani 1983), always finite", NULL},
    {"one-contact", "friction", "one contact: closed form, or one scalar equation for the normal impulse",
     NULL},
    {"nsgs", "friction",
     "several contacts: block Gauss-Seidel sweeps with the one-contact solver (Jean 1999), first order",
     NULL},
};

size_t carom_solver_count(void)
{
    return sizeof solvers / sizeof solvers[0];
}

const carom_solver_entry *carom_solver_at(size_t index)
{
    return index < carom_solver_count() ? &solvers[index] : NULL;
}

const carom_lcp_solver_ops *carom_lcp_solver_find(const char *name)
{
    for (size_t i = 0; i < carom_solver_count(); i++)
        if (solvers[i].lcp && strcmp(solvers[i].name, name) == 0)
            return solvers[i].lcp;
    return NULL;
}
