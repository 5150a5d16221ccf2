/* Singular values of a tall matrix, by rotations of its columns: small ones have all their digits, too, as long as the
 * columns are of like size. */
#ifndef CAROM_SURVEY_FIT_SVD_H
#define CAROM_SURVEY_FIT_SVD_H

/* A = U S V^T, A rows x columns by columns, columns <= some dozens. A becomes U S (columns in falling order of S), V is
 * columns x columns by columns. */
void fit_svd(int rows, int columns, double *a, double *s, double *v);

#endif
