/* What every solver of the linear complementarity problem returns. */
#ifndef CAROM_CONTACT_LCP_LCP_REPORT_H
#define CAROM_CONTACT_LCP_LCP_REPORT_H

#include "carom/contact.h"

/* The report of a solver that stopped with z: solved when the problem's own error allows it, else `word`. */
void lcp_report(const carom_solver *self, const carom_lcp *problem, const double *z, int iterations,
                carom_solve_word word, carom_solve_report *report);

/* max_i |q_i| / W_ii: the size of impulses that the free velocities ask for. For W_ii = 0 the largest diagonal is taken. */
double lcp_impulse_size(const carom_lcp *problem);

#endif
