/* Linear elasticity with eight-node bricks, and the compliance of the lower face under a held top. */
#include <math.h>
#include <string.h>

#include "carom/linalg.h"
#include "cylinder_mesh.h"

enum {
    CORNERS = 8,
    FREEDOMS = 24,
    GAUSS = 3,
};

static const double gauss_place[GAUSS] = {-0.7745966692414834, 0.0, 0.7745966692414834};
static const double gauss_weight[GAUSS] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
static const double sign[CORNERS][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                        {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

/* ---- one brick ----------------------------------------------------------------------------------------- */

/* Slopes of the eight shape functions along the axes of space at a point of the brick; returns the volume
 * factor. */
static double slopes(double place[CORNERS][3], const double at[3], double slope[CORNERS][3])
{
    double local[CORNERS][3], J[3][3] = {{0}}, inverse[3][3];
    for (int c = 0; c < CORNERS; c++)
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            local[c][k] = 0.125 * sign[c][k] * (1.0 + sign[c][l] * at[l]) * (1.0 + sign[c][m] * at[m]);
            for (int d = 0; d < 3; d++)
                J[k][d] += local[c][k] * place[c][d];
        }
    double volume = 0.0;
    for (int d = 0; d < 3; d++)
        volume += J[0][d] * (J[1][(d + 1) % 3] * J[2][(d + 2) % 3] - J[1][(d + 2) % 3] * J[2][(d + 1) % 3]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inverse[j][i] = (J[(i + 1) % 3][(j + 1) % 3] * J[(i + 2) % 3][(j + 2) % 3] -
                             J[(i + 1) % 3][(j + 2) % 3] * J[(i + 2) % 3][(j + 1) % 3]) /
                            volume;
    for (int c = 0; c < CORNERS; c++)
        for (int d = 0; d < 3; d++)
            slope[c][d] =
                inverse[d][0] * local[c][0] + inverse[d][1] * local[c][1] + inverse[d][2] * local[c][2];
    return volume;
}

/* K_(a i)(b j) += lambda a_i b_j + mu (a_j b_i + delta_ij a.b), a and b the slopes of two corners */
static void add_point(double lambda, double shear, double weight, double slope[CORNERS][3], double *stiffness)
{
    for (int a = 0; a < CORNERS; a++)
        for (int b = 0; b < CORNERS; b++) {
            const double dot = carom_dot(3, slope[a], slope[b]);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    stiffness[(3 * a + i) * FREEDOMS + 3 * b + j] +=
                        weight * (lambda * slope[a][i] * slope[b][j] + shear * slope[a][j] * slope[b][i] +
                                  (i == j ? shear * dot : 0.0));
        }
}

static void brick(const carom_cylinder *cylinder, double place[CORNERS][3], double *stiffness)
{
    const double nu = cylinder->poisson, shear = cylinder->young / (2.0 * (1.0 + nu));
    const double lambda = cylinder->young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    memset(stiffness, 0, (size_t)FREEDOMS * FREEDOMS * sizeof *stiffness);
    for (int g = 0; g < GAUSS * GAUSS * GAUSS; g++) {
        const int p[3] = {g % GAUSS, g / GAUSS % GAUSS, g / (GAUSS * GAUSS)};
        const double at[3] = {gauss_place[p[0]], gauss_place[p[1]], gauss_place[p[2]]};
        double slope[CORNERS][3];
        const double volume = slopes(place, at, slope);
        add_point(lambda, shear, volume * gauss_weight[p[0]] * gauss_weight[p[1]] * gauss_weight[p[2]], slope,
                  stiffness);
    }
}

/* ---- the cylinder ----------------------------------------------------------------------------------- */

typedef struct assembly {
    const carom_cylinder *cylinder;
    int contacts, freedoms; /* nodes of a layer; unknowns: all layers but the top */
    const double *x, *y;
    size_t count;
    int *row, *column;
    double *value;
} assembly;

static void add_brick(assembly *all, int cell, int layer)
{
    const double thick = all->cylinder->height / all->cylinder->layers;
    int corner[4], node[CORNERS];
    double place[CORNERS][3], stiffness[FREEDOMS * FREEDOMS];
    cylinder_cell(all->cylinder, cell, corner);
    for (int c = 0; c < CORNERS; c++) {
        const int level = layer + c / 4;
        node[c] = level * all->contacts + corner[c % 4];
        place[c][0] = all->x[corner[c % 4]];
        place[c][1] = all->y[corner[c % 4]];
        place[c][2] = level * thick;
    }
    brick(all->cylinder, place, stiffness);
    for (int i = 0; i < FREEDOMS; i++)
        for (int j = 0; j < FREEDOMS; j++) {
            const int row = 3 * node[i / 3] + i % 3, column = 3 * node[j / 3] + j % 3;
            if (row >= all->freedoms || column >= all->freedoms)
                continue; /* the top does not move */
            all->row[all->count] = row;
            all->column[all->count] = column;
            all->value[all->count++] = stiffness[i * FREEDOMS + j];
        }
}

static carom_status assemble(assembly *all, carom_arena *arena, carom_sparse *K, carom_error *error)
{
    const int cells = cylinder_cells(all->cylinder), layers = all->cylinder->layers;
    const size_t most = (size_t)cells * (size_t)layers * FREEDOMS * FREEDOMS;
    all->row = carom_arena_take(arena, most, sizeof *all->row);
    all->column = carom_arena_take(arena, most, sizeof *all->column);
    all->value = carom_arena_take(arena, most, sizeof *all->value);
    if (!all->row || !all->column || !all->value)
        return carom_fail_memory(error);
    for (int layer = 0; layer < layers; layer++)
        for (int cell = 0; cell < cells; cell++)
            add_brick(all, cell, layer);
    if (!carom_sparse_take(arena, all->freedoms, all->freedoms, all->count, all->row, all->column, all->value,
                           K))
        return carom_fail_memory(error);
    return CAROM_OK;
}

/* Columns of K^-1 for forces on the lower face; normal first: z, x, y. */
static carom_status condense(const assembly *all, const carom_sparse *K, carom_arena *arena, double *W,
                             carom_error *error)
{
    static const int axis[3] = {2, 0, 1};
    const int size = 3 * all->contacts;
    double *u = carom_arena_take(arena, (size_t)all->freedoms, sizeof *u);
    carom_sparse_factor *factor = NULL;
    if (!u)
        return carom_fail_memory(error);
    const carom_status status = carom_sparse_factor_create(K, &factor, error);
    if (status != CAROM_OK)
        return status;
    for (int j = 0; j < size; j++) {
        memset(u, 0, (size_t)all->freedoms * sizeof *u);
        u[3 * (j / 3) + axis[j % 3]] = 1.0;
        carom_sparse_solve(factor, u);
        for (int i = 0; i < size; i++)
            W[(ptrdiff_t)i * size + j] = u[3 * (i / 3) + axis[i % 3]];
    }
    carom_sparse_factor_free(factor);
    for (int i = 0; i < size; i++) /* symmetric but for rounding */
        for (int j = 0; j < i; j++) {
            double *a = W + (ptrdiff_t)i * size + j, *b = W + (ptrdiff_t)j * size + i;
            *a = *b = 0.5 * (*a + *b);
        }
    return CAROM_OK;
}

/* Integral of a node's shape function over the face: at the corners of a cell, by 2 x 2 points. */
static void add_areas(const assembly *all, double *area)
{
    memset(area, 0, (size_t)all->contacts * sizeof *area);
    for (int cell = 0; cell < cylinder_cells(all->cylinder); cell++) {
        int corner[4];
        cylinder_cell(all->cylinder, cell, corner);
        for (int g = 0; g < 4; g++) {
            const double s = (g % 2 ? 1 : -1) / sqrt(3.0), t = (g / 2 ? 1 : -1) / sqrt(3.0);
            double J[4] = {0};
            for (int c = 0; c < 4; c++) {
                const double ds = 0.25 * sign[c][0] * (1.0 + sign[c][1] * t);
                const double dt = 0.25 * sign[c][1] * (1.0 + sign[c][0] * s);
                J[0] += ds * all->x[corner[c]];
                J[1] += ds * all->y[corner[c]];
                J[2] += dt * all->x[corner[c]];
                J[3] += dt * all->y[corner[c]];
            }
            for (int c = 0; c < 4; c++)
                area[corner[c]] +=
                    0.25 * (1.0 + sign[c][0] * s) * (1.0 + sign[c][1] * t) * (J[0] * J[3] - J[1] * J[2]);
        }
    }
}

static carom_status check(const carom_cylinder *cylinder, carom_error *error)
{
    if (carom_cylinder_contacts(cylinder) == 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "mesh %d x %d with %d rings, %d layers: the core is even, all are positive",
                          cylinder->core, cylinder->core, cylinder->rings, cylinder->layers);
    if (!(cylinder->radius > 0.0) || !(cylinder->height > 0.0) || !(cylinder->young > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT, "radius, height and Young's modulus must be positive");
    if (!(cylinder->poisson > -1.0 && cylinder->poisson < 0.5))
        return carom_fail(error, CAROM_BAD_INPUT, "Poisson's ratio %g must be between -1 and 1/2",
                          cylinder->poisson);
    return CAROM_OK;
}

carom_status carom_cylinder_compliance(const carom_cylinder *cylinder, double *x, double *y, double *area,
                                       double *W, carom_error *error)
{
    carom_status status = check(cylinder, error);
    if (status != CAROM_OK)
        return status;
    carom_arena *arena = carom_arena_create();
    if (!arena)
        return carom_fail_memory(error);
    const int contacts = carom_cylinder_contacts(cylinder);
    assembly all = {.cylinder = cylinder,
                    .contacts = contacts,
                    .freedoms = 3 * contacts * cylinder->layers,
                    .x = x,
                    .y = y};
    carom_sparse K;
    cylinder_nodes(cylinder, x, y);
    add_areas(&all, area);
    status = assemble(&all, arena, &K, error);
    if (status == CAROM_OK)
        status = condense(&all, &K, arena, W, error);
    carom_arena_free(arena);
    return status;
}
