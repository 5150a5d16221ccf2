/* Contact problems and impacts for the Python package: matrices as numpy and scipy hold them become those of the library, each
 * entry looked at, and one call solves one problem. */
#ifndef CAROM_PYTHON_CONTACT_BRIDGE_H
#define CAROM_PYTHON_CONTACT_BRIDGE_H

#include "carom/carom.h"
#include "carom/contact/bipotential.h"
#include "carom/contact/rolling.h"
#include "carom/io.h"

/* ---- matrices ---------------------------------------------------------------------------------------- */

typedef enum carom_python_layout {
    CAROM_PYTHON_DENSE, /* value, with strides */
    CAROM_PYTHON_CSC,   /* start per column, index: rows */
    CAROM_PYTHON_CSR,   /* start per row, index: columns */
    CAROM_PYTHON_BSR,   /* start per row of blocks, index: columns of blocks; blocks row by row */
    CAROM_PYTHON_COO,   /* index: rows, other: columns */
} carom_python_layout;

/* The memory is numpy's. Lengths of the lists are checked by the caller, what they say is not. */
typedef struct carom_python_matrix {
    const char *name; /* in messages */
    carom_python_layout layout;
    int rows, columns;
    int entries;                         /* stored ones; BSR: blocks */
    int block_rows, block_columns;       /* BSR */
    ptrdiff_t row_stride, column_stride; /* DENSE: in doubles */
    const int *start, *index, *other;
    const double *value;
} carom_python_matrix;

/* Every entry is looked at. `from` NULL: a matrix of this many rows without columns. */
carom_status carom_python_matrix_take(carom_arena *arena, const carom_python_matrix *from, int rows,
                                      carom_sparse *to, carom_error *error);

/* ---- contact problems -------------------------------------------------------------------------------- */

/* A problem of a file or of arrays, and FC(W, q, mu), which carom_python_contact_reduce makes of it; with rolling friction that of its
 * parts. */
typedef struct carom_python_contact {
    carom_fclib *content;
    carom_arena *arena; /* of `problem` */
    carom_coulomb problem;
    carom_rolling rolling; /* where there is rolling friction */
    bool is_reduced, is_rolling;
} carom_python_contact;

/* Copies everything; members that a problem does not have are NULL. The caller frees it; *contact is NULL when it fails. */
carom_status carom_python_contact_local(int dimension, int contacts, const carom_python_matrix *W,
                                        const carom_python_matrix *V, const carom_python_matrix *R,
                                        const double *q, const double *s, const double *mu,
                                        const double *mu_r, const double *mu_t,
                                        carom_python_contact **contact, carom_error *error);
carom_status carom_python_contact_global(int dimension, int contacts, const carom_python_matrix *M,
                                         const carom_python_matrix *H, const carom_python_matrix *G,
                                         const double *f, const double *w, const double *b, const double *mu,
                                         const double *mu_r, const double *mu_t,
                                         carom_python_contact **contact, carom_error *error);
carom_status carom_python_contact_read(const char *path, carom_python_contact **contact, carom_error *error);
void carom_python_contact_free(carom_python_contact *contact);
/* One thread at a time; later calls do nothing. */
carom_status carom_python_contact_reduce(carom_python_contact *contact, carom_error *error);
/* Between the numbers of a reduced problem with rolling friction and those of its parts: reactions or velocities. */
void carom_python_contact_pack(const carom_python_contact *contact, bool velocities, const double *given,
                               double *three);
void carom_python_contact_unpack(const carom_python_contact *contact, bool velocities, const double *three,
                                 double *given);
/* The error of reactions of the reduced problem; NAN: memory is short. */
double carom_python_contact_error(const carom_python_contact *contact, const double *r);
/* With this solution (all NULL: that of the problem) and these texts in the places of its own where `texts` says so. */
carom_status carom_python_contact_write(const char *path, const carom_python_contact *contact, bool texts,
                                        const char *title, const char *description, const char *math_info,
                                        const carom_fclib_solution *solution, bool overwrite,
                                        carom_error *error);

/* Iteration, error and seconds of the iterations whose error was computed. */
typedef struct carom_python_history {
    size_t count, capacity;
    double *point; /* 3 each */
    bool is_short; /* memory ran out: later points are missing */
} carom_python_history;
void carom_python_history_free(carom_python_history *history);

/* One call of a solver: what is asked, and what came out beside the reactions. All in one piece, because what is done before
 * and after a call counts where the problem is small. */
typedef struct carom_python_solving {
    carom_solver_options options;  /* report, context and progress are set by the call */
    carom_python_history *history; /* NULL: not wanted */
    carom_solve_report report;
    double started;      /* by carom_seconds */
    double seconds;      /* of the library's function */
    bool starts_at_zero; /* asked: whatever r is */
    bool hears;          /* Ctrl-C surely comes to it */
    bool interrupted;    /* Ctrl-C was pressed meanwhile */
    bool orthotropic;    /* the cones are not round */
    carom_status status; /* not OK: there is no report, but an error */
    carom_error error;
} carom_python_solving;

/* carom_coulomb_solve of the reduced problem, stopped by Ctrl-C; with rolling friction carom_rolling_solve. r: 3 per contact, start and result. True when it is solved
 * and nothing else is to be said. */
bool carom_python_contact_solve(const carom_python_contact *contact, const carom_solver_ops *ops, double *r,
                                carom_python_solving *call);
/* carom_coulomb_solve_global, carom_rolling_solve_global; r: dimension per contact. */
bool carom_python_contact_solve_directly(const carom_python_contact *contact, double *v, double *r,
                                         carom_python_solving *call);
/* u, regimes and the summary of reactions r of the reduced problem; options (NULL: round cones) say which cones. */
carom_status carom_python_contact_summarise(const carom_python_contact *contact, const carom_solver_ops *ops,
                                            const carom_option *options, const double *r, double *u,
                                            unsigned char *regime, carom_coulomb_summary *summary,
                                            carom_error *error);

/* ---- linear complementarity, quadratic programs ------------------------------------------------------ */

/* Create, solve, free. z, x: start and result. */
carom_status carom_python_lcp(const carom_solver_ops *ops, const carom_lcp *problem,
                              const carom_solver_options *options, double *z, carom_solve_report *report,
                              carom_error *error);
carom_status carom_python_qp(const carom_solver_ops *ops, const carom_qp *problem,
                             const carom_solver_options *options, double *x, double *r,
                             carom_solve_report *report, carom_error *error);

#endif
