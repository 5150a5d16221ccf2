/* What `carom solve` computes, and how it is shown. */
#ifndef CAROM_APP_SOLVE_OUTPUT_H
#define CAROM_APP_SOLVE_OUTPUT_H

#include <stdio.h>

#include "carom/contact/bipotential.h"
#include "contact_file.h"

typedef struct solve_point {
    int iteration;
    double error, seconds;
} solve_point;

typedef struct solve_history {
    size_t count, capacity;
    solve_point *point;
    bool is_short; /* memory ran out: later points are missing */
} solve_history;

/* What the file holds as a solution. */
typedef struct stored_solution {
    bool has_r, has_u;
    bool r_is_zero;      /* files often hold zeros where r was not stored: then r is not judged */
    double error;        /* of r; NAN: it is not there, or not stored */
    double u_of_r;       /* |W r + q - u| / |q|; NAN: one is not there, or r was not stored */
    double u_difference; /* |u - u found| / |q|; NAN: it is not there */
} stored_solution;

/* One file, solved or refused. */
typedef struct solved_file {
    const char *path;
    const char *shown; /* the path, for tables and messages */
    char *message;     /* why the file could not be read; NULL: it could */
    bool is_global;
    int contacts, dimension;
    bool is_rolling;
    carom_solve_report report;
    carom_coulomb_summary summary;
    bool is_orthotropic; /* errors are those of the problem with elliptic cones, which is certified: */
    carom_elliptic_certificate certificate;
    carom_coulomb_residual residual; /* not with --direct, nor with orthotropic friction */
    bool has_residual;
    /* not solved: along which reactions grow, as many per contact as the file has; NULL: none was found */
    const double *direction;
    int parts;          /* contacts of FC(W, q, mu): with rolling friction more than the file has */
    bool proof_skipped; /* it was not looked for: too many of these */
    bool has_proof;     /* the direction proves that there is no solution; else it is not sure */
    carom_coulomb_proof proof;
    double wall_seconds;
    stored_solution stored;
    int guess_count;
} solved_file;

typedef struct solve_output {
    const chosen_solver *solver;
    const carom_solver_options *limits;
    int count;
    const solved_file *file;
} solve_output;

void print_solve_head(const solve_output *output);
void print_solve_row(const solve_output *output, const solved_file *file);
/* Everything about one file, below its row. */
void print_solve_details(const solved_file *file);
/* On stderr: why a file that is not solved may have no solution, or why a small error is not enough. */
void print_solve_reason(const solved_file *file);
void print_solve_json(const solve_output *output);
void write_solve_history(FILE *stream, const solve_history *history);

/* What is drawn of one file. */
typedef struct solve_picture {
    const char *name; /* beginning of the names of its pictures */
    const contact_file *file;
    const solved_file *result;
    const chosen_solver *solver;
    double tolerance;
    const solve_history *history;
    const double *r;
    const unsigned char *regime; /* carom_contact_regime per contact */
} solve_picture;

/* NAME-error: the error against the iteration. NAME-cone: r_T / (mu r_N) of every contact in the unit disk.
 * Each as .svg, .png, .gp and .dat. */
carom_status draw_solve(const solve_picture *picture, const char *directory, carom_error *error);

#endif
