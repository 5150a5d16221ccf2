/* Large contact problems in the global form M v = H r + f, u = H^T v + w, made by formulas: elastic bodies whose W is full,
 * and piles whose W is singular. */
#ifndef CAROM_BENCH_LARGE_PROBLEM_H
#define CAROM_BENCH_LARGE_PROBLEM_H

#include "carom/io.h"

/* An elastic block of 1 x 1 x height, of cubes with eight nodes, on a rigid foundation. Its top is clamped, pressed down by
 * `press` and dragged by `drag` along x (and a third of it along y); v are displacements, r forces. The foundation curves away
 * from the block's middle, `crown` at the middle of an edge, so that contacts are open, slide and stick. */
typedef struct elastic_block {
    int nx, ny, nz; /* nodes that move; the bottom has nx ny contacts */
    double height;
    double young, poisson;
    double press, drag, crown;
    double friction;
} elastic_block;

/* What the figures of docs/scale.md are made with, for so many nodes. */
elastic_block elastic_block_of(int nx, int ny, int nz);
carom_status elastic_block_make(const elastic_block *block, carom_fclib **problem, carom_error *error);

/* nx x ny crossings of straight beams in a horizontal plane, six velocities each, the ends of the outer bays clamped. A pin under every
 * crossing stands over a stop. One step of time from rest, with a load down and a push to the side that vary from crossing to
 * crossing; v are velocities, r impulses. */
typedef struct beam_grid {
    int nx, ny;
    double friction;
} beam_grid;

carom_status beam_grid_make(const beam_grid *grid, carom_fclib **problem, carom_error *error);

/* nx x ny x nz equal spheres in rows, columns and layers on a floor, at a wall, each touching its neighbours: one step of time
 * from rest under a weight that leans to the wall. W is singular, reactions are not unique. */
typedef struct sphere_pile {
    int nx, ny, nz;
    double friction;
} sphere_pile;

carom_status sphere_pile_make(const sphere_pile *pile, carom_fclib **problem, carom_error *error);

/* The last row of a run of bodies/spheres as the problem of the step that would follow. */
carom_status settled_pile_make(const char *path, carom_fclib **problem, carom_error *error);

/* The global problem becomes one of W and q; its solution and guesses must not be there. */
carom_status large_problem_reduce(carom_fclib *problem, carom_error *error);

/* ---- entries of matrices, for the three ------------------------------------------------------------------------------ */

typedef struct large_entries {
    size_t count, room;
    int *row, *column;
    double *value;
    bool failed; /* memory is short */
} large_entries;

void large_entries_put(large_entries *list, int row, int column, double value);
void large_entries_free(large_entries *list);

/* The problem of these entries, which it copies; f, w, mu come from `arena`, which becomes the problem's. Also frees the arena
 * when it fails. */
carom_status large_problem_finish(carom_arena *arena, const carom_coulomb_global *sizes,
                                  const large_entries *M, const large_entries *H, const char *title,
                                  carom_fclib **problem, carom_error *error);
/* The same in space, with so many velocities; frees the entries, too. */
carom_status large_problem_close(carom_arena *arena, int velocities, int contacts, const double *f,
                                 const double *w, const double *mu, large_entries *M, large_entries *H,
                                 const char *title, carom_fclib **problem, carom_error *error);

#endif
