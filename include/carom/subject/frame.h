/* frame: plastic limit analysis of frames with frictional unilateral supports.
 *
 *   frame (nodes, bars, supports) --> equilibrium C Q = alpha f --> linear programs --> limit load, mechanism
 */
#ifndef CAROM_SUBJECT_FRAME_H
#define CAROM_SUBJECT_FRAME_H

#include "carom/base.h"

/* ---- limit analysis ----------------------------------------------------------------------------------
 *
 * Generalised stresses Q (moments of plastic hinges, reactions T and N of supports, other forces) in
 * equilibrium with alpha times the load f:
 *
 *   C Q = alpha f,   |M_i| <= Mp_i,   N >= 0,   |T| <= mu N                          de Saxce 2018, (34)
 *
 * Mechanisms w have rates C^T w; a hinge turns the way its moment pushes, a support slides against its
 * friction and does not lift while it slides: not the normal rule, so the limit load is not the largest alpha
 * in general. The bound mu N is frozen at the last N, which makes each step a linear program (43). */
typedef struct carom_limit_contact {
    int tangent, normal; /* places of T and N among the stresses */
    double mu;
} carom_limit_contact;

typedef struct carom_limit_problem {
    int equations, stresses;
    const double *matrix;   /* C, equations x stresses, row-major */
    const double *load;     /* f, per equation */
    const double *capacity; /* Mp > 0 per stress; infinite: no bound; not read for T and N */
    int contacts;
    const carom_limit_contact *contact;
} carom_limit_problem;

/* All may be left zero. */
typedef struct carom_limit_options {
    double tolerance; /* relative, of alpha and of N between two programs; 0: 1e-10, CAROM_ZERO: none */
    int max_programs; /* 0: 200 */
    double
        rate_limit; /* hinges that turn slower, relative to the largest rate, rest; 0: 1e-9, CAROM_ZERO: none */
} carom_limit_options;
/* What 0 stands for. */
carom_limit_options carom_limit_defaults(void);

typedef struct carom_limit_state {
    carom_arena *arena; /* owns the arrays and this struct */
    double alpha;       /* load factor */
    int stresses, equations, contacts;
    double *stress;    /* Q */
    double *mechanism; /* w, with w.f = 1 */
    double *rate;      /* C^T w */
    int hinges;        /* stresses with a capacity whose rate is not zero */
    bool slides;       /* a support does */
    bool degenerate;   /* the last program has further mechanisms with the same load factor */
    bool converged;
    /* The bipotential's part above the power: sum of Mp |rate| - M rate, mu N |slip| - T slip, -N rate_N.
     * Zero exactly at a limit state, whoever found it. */
    double defect;
    /* One row per program; the first one has supports that neither slide nor lift. */
    int programs;
    double *history_alpha;
    double *history_normal, *history_tangent; /* programs x contacts */
} carom_limit_state;

/* options NULL: defaults. BAD_INPUT: sizes, numbers, Mp <= 0, mu < 0, f = 0. FAILED: the load factor is
 * unbounded, or no stress is admissible, or the programs do not settle (then *state is kept, with
 * converged = false). */
carom_status carom_limit_load(const carom_limit_problem *problem, const carom_limit_options *options,
                              carom_limit_state **state, carom_error *error);
void carom_limit_state_free(carom_limit_state *state);

/* The largest alpha with |T| <= mu N kept in one program: limit load of the associated rule, by which sliding
 * supports lift. Never below that of Coulomb friction. */
carom_status carom_limit_associated(const carom_limit_problem *problem, double *alpha, carom_error *error);

/* Load factors of all limit states. With several frictional supports they need not be unique. */
typedef struct carom_limit_range {
    double least,
        greatest;  /* positive ones; NaN: none was found; least 0: limit states at all small factors */
    bool unique;   /* least and greatest agree to 1e-8 */
    bool exact;    /* all states of hinges and supports were searched; false: found, no bounds */
    bool trivial;  /* without a load nothing holds the frame: alpha = 0 is a solution, too */
    long programs; /* linear programs of the search */
} carom_limit_range;

/* The search begins with the state found by carom_limit_load. It ends after 40,000 linear programs (exact = false). FAILED:
 * allocation fails. */
carom_status carom_limit_range_of(const carom_limit_problem *problem, const carom_limit_state *found,
                                  carom_limit_range *range, carom_error *error);

/* ---- plane frames -------------------------------------------------------------------------------------- */

typedef enum carom_plane_frame_support {
    CAROM_SUPPORT_FREE,     /* a joint of bars */
    CAROM_SUPPORT_CLAMPED,  /* built in */
    CAROM_SUPPORT_PINNED,   /* may turn */
    CAROM_SUPPORT_FRICTION, /* may turn, slide with friction, lift */
} carom_plane_frame_support;

typedef struct carom_plane_frame_node {
    double x, y;
    carom_plane_frame_support support;
    double normal[2]; /* of a frictional support, towards the frame; any length */
    double mu;
    double load[2]; /* force of the reference load */
} carom_plane_frame_node;

/* A straight bar, rigid until its ends yield: hinges form at nodes. Its stresses are the axial force
 * (tension) and the moments on its ends (counter-clockwise). Loads between nodes need a node there. */
typedef struct carom_plane_frame_bar {
    int from, to;
    double moment; /* plastic moment Mp > 0 */
} carom_plane_frame_bar;

typedef struct carom_plane_frame {
    int nodes, bars;
    const carom_plane_frame_node *node;
    const carom_plane_frame_bar *bar;
} carom_plane_frame;

/* Stress 3 b of bar b is its axial force, 3 b + 1 and 3 b + 2 its end moments; then T and N of each
 * frictional support, in the order of nodes. T acts on the frame along the normal turned clockwise.
 * Equations: forces x, y and moment of every node, as far as it can move. Memory comes from the arena. */
carom_status carom_plane_frame_equilibrium(const carom_plane_frame *frame, carom_arena *arena,
                                           carom_limit_problem *problem, carom_error *error);

/* The portal frame of figure 10 with its own equations (44) to (47): Q = (t, n, m_1 ... m_4), capacities of
 * the four hinges. Fills 24, 4 and 6 numbers. */
void carom_plane_frame_portal(const double capacity[4], double matrix[24], double load[4], double bound[6]);

#endif
