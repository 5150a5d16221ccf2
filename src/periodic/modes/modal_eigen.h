/* Eigenproblems of the analysis of modes. */
#ifndef CAROM_PERIODIC_MODES_MODAL_EIGEN_H
#define CAROM_PERIODIC_MODES_MODAL_EIGEN_H

/* K phi = omega^2 M phi: omega ascending, row j of V the mass-normalised phi_j. Returns 0, 1 when M is not
 * positive definite, 2 when K is not, 3 when memory is short or entries are not numbers. */
int modes_eigen(int n, const double *M, const double *K, double *omega, double *V);

/* Eigenvalues of a real matrix. Returns 0, or another number when they were not found. */
int modes_multipliers(int n, const double *matrix, double *real, double *imaginary);

#endif
