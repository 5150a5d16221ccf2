/* What every solver of the linear complementarity problem returns. */
#ifndef CAROM_CONTACT_LCP_LCP_REPORT_H
#define CAROM_CONTACT_LCP_LCP_REPORT_H

#include "carom/contact.h"

/* The report of a solver that stopped with z: CAROM_OK when the problem's own error allows it. */
carom_solve_report lcp_report(const carom_lcp *problem, const double *z, double tolerance, int iterations);

#endif
