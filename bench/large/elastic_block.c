/* Linear elasticity on a grid of equal hexahedra with trilinear displacements, 2 x 2 x 2 points of Gauss. */
#include <math.h>
#include <string.h>

#include "large_problem.h"

enum {
    NODES = 8,
    FREEDOMS = 3 * NODES
};

/* Corner a of an element is at (a & 1, a >> 1 & 1, a >> 2). */
static int corner(int a, int axis)
{
    return a >> axis & 1;
}

/* Derivatives of the eight shapes along the axes, at a point of [0, 1]^3 of an element with these sides. */
static void shape_slopes(const double at[3], const double side[3], double slope[NODES][3])
{
    for (int a = 0; a < NODES; a++)
        for (int axis = 0; axis < 3; axis++) {
            double product = corner(a, axis) ? 1.0 / side[axis] : -1.0 / side[axis];
            for (int other = 0; other < 3; other++)
                if (other != axis)
                    product *= corner(a, other) ? at[other] : 1.0 - at[other];
            slope[a][axis] = product;
        }
}

/* K_ai,bj += weight (lambda s_ai s_bj + G s_aj s_bi + G delta_ij s_a.s_b) */
static void add_point(double lambda, double shear, double weight, double slope[NODES][3],
                      double K[FREEDOMS][FREEDOMS])
{
    for (int a = 0; a < NODES; a++)
        for (int b = 0; b < NODES; b++) {
            const double both = carom_dot(3, slope[a], slope[b]);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    K[3 * a + i][3 * b + j] +=
                        weight * (lambda * slope[a][i] * slope[b][j] + shear * slope[a][j] * slope[b][i] +
                                  (i == j ? shear * both : 0.0));
        }
}

static void element_stiffness(const elastic_block *block, const double side[3], double K[FREEDOMS][FREEDOMS])
{
    const double nu = block->poisson, shear = block->young / (2.0 * (1.0 + nu));
    const double lambda = block->young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    const double point[2] = {0.5 - 0.5 / sqrt(3.0), 0.5 + 0.5 / sqrt(3.0)};
    const double weight = side[0] * side[1] * side[2] / 8.0;
    memset(K, 0, FREEDOMS * sizeof *K);
    for (int g = 0; g < NODES; g++) {
        const double at[3] = {point[corner(g, 0)], point[corner(g, 1)], point[corner(g, 2)]};
        double slope[NODES][3];
        shape_slopes(at, side, slope);
        add_point(lambda, shear, weight, slope, K);
    }
}

/* Columns of nodes stand one after the other, from the bottom up; the layer nz is the clamped top. */
static int node_at(const elastic_block *block, int x, int y, int z)
{
    return (x * block->ny + y) * block->nz + z;
}

static void add_element(const elastic_block *block, double K[FREEDOMS][FREEDOMS], const int origin[3],
                        large_entries *M, double *f)
{
    const double top[3] = {block->drag, block->drag / 3.0, -block->press};
    int node[NODES];
    bool clamped[NODES];
    for (int a = 0; a < NODES; a++) {
        const int z = origin[2] + corner(a, 2);
        clamped[a] = z == block->nz;
        node[a] = node_at(block, origin[0] + corner(a, 0), origin[1] + corner(a, 1), z);
    }
    for (int a = 0; a < NODES; a++)
        for (int b = 0; b < NODES && !clamped[a]; b++)
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    if (clamped[b])
                        f[3 * node[a] + i] -= K[3 * a + i][3 * b + j] * top[j];
                    else
                        large_entries_put(M, 3 * node[a] + i, 3 * node[b] + j, K[3 * a + i][3 * b + j]);
}

/* Contact c is under node (x, y, 0): normal z, tangents x and y; w_N is the gap. */
static void add_contacts(const elastic_block *block, large_entries *H, double *w, double *mu)
{
    static const int axis[3] = {2, 0, 1};
    for (int x = 0; x < block->nx; x++)
        for (int y = 0; y < block->ny; y++) {
            const int c = x * block->ny + y;
            const double a = 2.0 * x / (block->nx - 1) - 1.0, b = 2.0 * y / (block->ny - 1) - 1.0;
            for (int k = 0; k < 3; k++)
                large_entries_put(H, 3 * node_at(block, x, y, 0) + axis[k], 3 * c + k, 1.0);
            w[3 * c] = block->crown * (a * a + b * b);
            mu[c] = block->friction;
        }
}

elastic_block elastic_block_of(int nx, int ny, int nz)
{
    return (elastic_block){.nx = nx,
                           .ny = ny,
                           .nz = nz,
                           .height = 0.3,
                           .young = 30.0,
                           .poisson = 0.3,
                           .press = 0.01,
                           .drag = 0.008,
                           .crown = 0.007,
                           .friction = 0.5};
}

static carom_status check(const elastic_block *block, carom_error *error)
{
    const double nodes = (double)block->nx * block->ny * block->nz;
    if (block->nx < 2 || block->ny < 2 || block->nz < 1 || nodes > 1e7)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "a block of %d x %d x %d nodes: sides need 2 or more, the height 1, all at most 1e7", block->nx,
            block->ny, block->nz);
    if (!(block->height > 0.0) || !(block->young > 0.0) || !(block->poisson > -1.0 && block->poisson < 0.5) ||
        !(block->friction >= 0.0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a block with height %g, E %g, nu %g, mu %g: must be > 0, > 0, in (-1, 0.5), >= 0",
                          block->height, block->young, block->poisson, block->friction);
    return CAROM_OK;
}

carom_status elastic_block_make(const elastic_block *block, carom_fclib **problem, carom_error *error)
{
    *problem = NULL;
    const carom_status status = check(block, error);
    if (status != CAROM_OK)
        return status;
    const int contacts = block->nx * block->ny, n = 3 * contacts * block->nz;
    const double side[3] = {1.0 / (block->nx - 1), 1.0 / (block->ny - 1), block->height / block->nz};
    carom_arena *arena = carom_arena_create();
    double *f = arena ? carom_arena_take(arena, (size_t)n, sizeof *f) : NULL;
    double *w = arena ? carom_arena_take(arena, 3 * (size_t)contacts, sizeof *w) : NULL;
    double *mu = arena ? carom_arena_take(arena, (size_t)contacts, sizeof *mu) : NULL;
    large_entries M = {0}, H = {0};
    if (f && w && mu) {
        double K[FREEDOMS][FREEDOMS];
        element_stiffness(block, side, K);
        for (int x = 0; x + 1 < block->nx; x++)
            for (int y = 0; y + 1 < block->ny; y++)
                for (int z = 0; z < block->nz; z++)
                    add_element(block, K, (int[]){x, y, z}, &M, f);
        add_contacts(block, &H, w, mu);
    }
    return large_problem_close(arena, n, contacts, f, w, mu, &M, &H, "elastic block on a curved foundation",
                               problem, error);
}
