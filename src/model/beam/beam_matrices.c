/* Mass and stiffness of the discrete beam. */
#include <string.h>

#include "beam_basis.h"

enum {
    ELEMENT_WIDTH = 3,
    DIFFERENCE_WIDTH = 2
};

/* In units of h / 5040 and 1 / (6 h^3): integrals over one element of products of B-splines and of their
 * second derivatives. */
static const double bspline_mass[BEAM_LOCALS][BEAM_LOCALS] = {
    {20, 129, 60, 1}, {129, 1188, 933, 60}, {60, 933, 1188, 129}, {1, 60, 129, 20}};
static const double bspline_stiffness[BEAM_LOCALS][BEAM_LOCALS] = {
    {2, -3, 0, 1}, {-3, 6, -3, 0}, {0, -3, 6, -3}, {1, 0, -3, 2}};

/* Likewise in units of h / 420 and 1 / h^3 for Hermite cubics; slopes count h times. */
static const double p3_mass[BEAM_LOCALS][BEAM_LOCALS] = {
    {156, 22, 54, -13}, {22, 4, 13, -3}, {54, 13, 156, -22}, {-13, -3, -22, 4}};
static const double p3_stiffness[BEAM_LOCALS][BEAM_LOCALS] = {
    {12, 6, -12, 6}, {6, 4, -6, 2}, {-12, -6, 12, -6}, {6, 2, -6, 4}};

int beam_band_width(const beam_space *space)
{
    return space->basis == CAROM_BEAM_DIFFERENCE ? DIFFERENCE_WIDTH : ELEMENT_WIDTH;
}

static void add_product(const beam_term *row, const beam_term *column, double value, carom_band *band)
{
    for (int r = 0; r < row->count; r++)
        for (int c = 0; c < column->count; c++)
            if (row->unknown[r] >= column->unknown[c])
                *carom_band_at(band, row->unknown[r], column->unknown[c]) +=
                    row->weight[r] * column->weight[c] * value;
}

static void scale_band(double scale, carom_band *band)
{
    const size_t count = (size_t)band->size * ((size_t)band->width + 1);
    for (size_t k = 0; k < count; k++)
        band->entry[k] *= scale;
}

/* Adds the element matrix on every element, then scales: sums of whole numbers stay exact. */
static void assemble_elements(const beam_space *space, const double element[BEAM_LOCALS][BEAM_LOCALS],
                              const double local_scale[BEAM_LOCALS], double scale, carom_band *band)
{
    for (int e = 0; e < space->elements; e++) {
        const beam_term *term = space->term + (size_t)e * (size_t)space->stride;
        for (int a = 0; a < BEAM_LOCALS; a++)
            for (int b = 0; b < BEAM_LOCALS; b++)
                add_product(&term[a], &term[b], local_scale[a] * local_scale[b] * element[a][b], band);
    }
    scale_band(scale, band);
}

double beam_difference_share(const beam_space *space, double length, int node)
{
    const double h = beam_element_length(space, length);
    return space->grid == CAROM_GRID_GHOST && node == space->elements ? 0.5 * h : h;
}

/* S = E I / h^3 D^T D with second differences (D u)_j = u_j - 2 u_{j-1} + u_{j-2}, u_0 = u_{-1} = 0; the
 * ghost grid mirrors at the clamp instead, u_{-1} = u_1, with half a weight there: one more on the first
 * diagonal entry. */
static void assemble_differences(const beam_space *space, double length, double linear_density,
                                 double bending, carom_band *mass, carom_band *stiffness)
{
    static const double difference[3] = {1.0, -2.0, 1.0};
    const double h = beam_element_length(space, length);
    for (int i = 0; i < space->size; i++) {
        *carom_band_at(mass, i, i) = linear_density * beam_difference_share(space, length, i + 1);
        for (int a = 0; a < 3 && a <= i; a++)
            for (int b = a; b < 3 && b <= i; b++)
                *carom_band_at(stiffness, i - a, i - b) += difference[a] * difference[b];
    }
    if (space->grid == CAROM_GRID_GHOST)
        *carom_band_at(stiffness, 0, 0) += 1.0;
    scale_band(bending / (h * h * h), stiffness);
}

static void clear(carom_band *band)
{
    memset(band->entry, 0, (size_t)band->size * ((size_t)band->width + 1) * sizeof *band->entry);
}

void beam_assemble(const beam_space *space, double length, double linear_density, double bending,
                   carom_band *mass, carom_band *stiffness)
{
    const double h = beam_element_length(space, length), h3 = h * h * h;
    const double equal[BEAM_LOCALS] = {1.0, 1.0, 1.0, 1.0}, slopes[BEAM_LOCALS] = {1.0, h, 1.0, h};
    clear(mass);
    clear(stiffness);
    if (space->basis == CAROM_BEAM_P3) {
        assemble_elements(space, p3_mass, slopes, linear_density * h / 420.0, mass);
        assemble_elements(space, p3_stiffness, slopes, bending / h3, stiffness);
    } else if (space->basis == CAROM_BEAM_BSPLINE) {
        assemble_elements(space, bspline_mass, equal, linear_density * h / 5040.0, mass);
        assemble_elements(space, bspline_stiffness, equal, bending / (6.0 * h3), stiffness);
    } else {
        assemble_differences(space, length, linear_density, bending, mass, stiffness);
    }
}

/* ---- S q ---------------------------------------------------------------------------------------- */

/* Angles against the chord give the moments at both ends. */
static void push_p3(double h, double bending, const double *c, double *pushed)
{
    const double chord = (c[2] - c[0]) / h, left = c[1] - chord, right = c[3] - chord;
    const double left_moment = bending / h * (4.0 * left + 2.0 * right);
    const double right_moment = bending / h * (2.0 * left + 4.0 * right);
    const double shear = (left_moment + right_moment) / h;
    pushed[0] += shear;
    pushed[1] += left_moment;
    pushed[2] -= shear;
    pushed[3] += right_moment;
}

/* The curvature is linear between its values (c_0 - 2 c_1 + c_2) / h^2 and (c_1 - 2 c_2 + c_3) / h^2. */
static void push_bspline(double h, double bending, const double *c, double *pushed)
{
    const double middle = c[2] - c[1];
    const double left = middle - (c[1] - c[0]), right = (c[3] - c[2]) - middle;
    const double unit = bending / (6.0 * h * h * h);
    const double left_moment = unit * (2.0 * left + right), right_moment = unit * (left + 2.0 * right);
    pushed[0] += left_moment;
    pushed[1] += right_moment - 2.0 * left_moment;
    pushed[2] += left_moment - 2.0 * right_moment;
    pushed[3] += right_moment;
}

static void push_differences(const beam_space *space, double h, double bending, const double *c,
                             double *pushed)
{
    const double unit = bending / (h * h * h);
    for (int j = 1; j <= space->elements; j++) {
        const double before = j > 1 ? c[j - 1] - c[j - 2] : 0.0;
        const double moment = unit * (c[j] - c[j - 1] - before);
        pushed[j] += moment;
        pushed[j - 1] -= 2.0 * moment;
        if (j > 1)
            pushed[j - 2] += moment;
    }
    if (space->grid == CAROM_GRID_GHOST)
        pushed[1] += unit * c[1];
}

void beam_stiffness_times(const beam_space *space, double length, double bending, const double *q,
                          double *coefficient, double *pushed, double *force)
{
    const double h = beam_element_length(space, length);
    beam_expand(space, q, coefficient);
    memset(pushed, 0, (size_t)space->coefficients * sizeof *pushed);
    if (space->basis == CAROM_BEAM_DIFFERENCE)
        push_differences(space, h, bending, coefficient, pushed);
    else
        for (int e = 0; e < space->elements; e++) {
            const size_t first = (size_t)e * (size_t)space->stride;
            if (space->basis == CAROM_BEAM_P3)
                push_p3(h, bending, coefficient + first, pushed + first);
            else
                push_bspline(h, bending, coefficient + first, pushed + first);
        }
    beam_reduce(space, pushed, force);
}
