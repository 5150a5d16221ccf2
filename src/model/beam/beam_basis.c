#include "beam_basis.h"

#include <math.h>
#include <string.h>

enum {
    INTERPOLATION_WIDTH = 5 /* of the band that B-spline interpolation eliminates */
};

/* A place nearer to a node than this, in elements, is the node. */
static const double node_tolerance = 1e-6;

static bool fixes_displacement(carom_beam_end end)
{
    return end == CAROM_END_CLAMPED || end == CAROM_END_PINNED;
}

static bool fixes_slope(carom_beam_end end)
{
    return end == CAROM_END_CLAMPED || end == CAROM_END_GUIDED;
}

/* ---- end conditions --------------------------------------------------------------------------- */

static void add_unknown(beam_space *space, int coefficient, double weight)
{
    space->term[coefficient] = (beam_term){.count = 1, .unknown = {space->size++}, .weight = {weight}};
}

static void p3_ends(beam_space *space)
{
    const int last = space->elements;
    for (int node = 0; node <= last; node++) {
        const bool left = node == 0, right = node == last;
        if (!(left && fixes_displacement(space->left)) && !(right && fixes_displacement(space->right)))
            add_unknown(space, 2 * node, 1.0);
        if (!(left && fixes_slope(space->left)) && !(right && fixes_slope(space->right)))
            add_unknown(space, 2 * node + 1, 1.0);
    }
}

/* Coefficients of an end that its condition makes dependent on the next ones. */
static int bound_coefficients(carom_beam_end end)
{
    return end == CAROM_END_CLAMPED ? 2 : end == CAROM_END_FREE ? 0 : 1;
}

static beam_term multiple(const beam_term *term, double factor)
{
    beam_term result = *term;
    for (int k = 0; k < term->count; k++)
        result.weight[k] *= factor;
    return result;
}

/* The outermost coefficients a, b by the next ones, b and c for u = 0 and u' = 0 on a, b, c:
 *   u = (a + 4 b + c) / 6,   u' = +-(c - a) / (2 h). */
static void bspline_end(beam_space *space, carom_beam_end end, int a, int b, int c)
{
    beam_term *term = space->term;
    if (end == CAROM_END_CLAMPED) {
        term[a] = term[c];
        term[b] = multiple(&term[c], -0.5);
    } else if (end == CAROM_END_PINNED) {
        term[a] = (beam_term){.count = 2,
                              .unknown = {term[b].unknown[0], term[c].unknown[0]},
                              .weight = {-4.0 * term[b].weight[0], -term[c].weight[0]}};
    } else if (end == CAROM_END_GUIDED) {
        term[a] = term[c];
    }
}

/* The unknown of a clamped end is half of the coefficient that carries it, as in Dumont and Paoli 2008:
 * the basis function is 2 B_-1 - B_0 + 2 B_1. */
static void bspline_ends(beam_space *space)
{
    const int last = space->coefficients - 1;
    for (int k = bound_coefficients(space->left); k <= last - bound_coefficients(space->right); k++) {
        const bool carries = (space->left == CAROM_END_CLAMPED && k == 2) ||
                             (space->right == CAROM_END_CLAMPED && k == last - 2);
        add_unknown(space, k, carries ? 2.0 : 1.0);
    }
    bspline_end(space, space->left, 0, 1, 2);
    bspline_end(space, space->right, last, last - 1, last - 2);
}

/* Away from the ends a coefficient is an unknown: a copy serves there. */
static void find_plain_part(beam_space *space)
{
    const beam_term *term = space->term;
    const int middle = space->coefficients / 2;
    int from = middle, to = middle;
    while (from > 0 && term[from - 1].count == 1 && term[from - 1].weight[0] == 1.0 &&
           term[from - 1].unknown[0] == term[middle].unknown[0] + from - 1 - middle)
        from--;
    while (to < space->coefficients && term[to].count == 1 && term[to].weight[0] == 1.0 &&
           term[to].unknown[0] == term[middle].unknown[0] + to - middle)
        to++;
    space->plain_from = from;
    space->plain_to = to > from ? to : from;
    space->plain_unknown = term[from].count == 1 ? term[from].unknown[0] : 0;
}

bool beam_space_take(carom_arena *arena, const carom_beam_spec *spec, beam_space *space)
{
    *space = (beam_space){.basis = spec->basis,
                          .grid = spec->grid,
                          .left = spec->left,
                          .right = spec->right,
                          .elements = spec->elements,
                          .stride = 1,
                          .locals = BEAM_LOCALS};
    const int nodes = spec->elements + 1;
    if (spec->basis == CAROM_BEAM_P3) {
        space->stride = 2;
        space->coefficients = 2 * nodes;
    } else if (spec->basis == CAROM_BEAM_BSPLINE) {
        space->coefficients = nodes + 2;
    } else {
        space->locals = 2;
        space->coefficients = nodes;
    }
    space->term = carom_arena_take(arena, (size_t)space->coefficients, sizeof *space->term);
    if (!space->term)
        return false;
    if (spec->basis == CAROM_BEAM_P3)
        p3_ends(space);
    else if (spec->basis == CAROM_BEAM_BSPLINE)
        bspline_ends(space);
    else
        for (int node = 1; node < nodes; node++)
            add_unknown(space, node, 1.0);
    find_plain_part(space);
    return true;
}

/* ---- where things are ------------------------------------------------------------------------- */

static bool is_difference(const beam_space *space)
{
    return space->basis == CAROM_BEAM_DIFFERENCE;
}

static bool is_half_grid(const beam_space *space)
{
    return is_difference(space) && space->grid == CAROM_GRID_HALF;
}

static double element_count(const beam_space *space)
{
    return is_half_grid(space) ? space->elements + 1.0 : space->elements;
}

/* Node 0 stands half an element from the clamp on the half grid. */
static double first_position(const beam_space *space)
{
    return is_half_grid(space) ? 0.5 : 0.0;
}

double beam_element_length(const beam_space *space, double length)
{
    return length / element_count(space);
}

double beam_place(const beam_space *space, double length, int element, double s)
{
    return length * (element + s + first_position(space)) / element_count(space);
}

double beam_node_place(const beam_space *space, double length, int node)
{
    return beam_place(space, length, node, 0.0);
}

double beam_position(const beam_space *space, double length, double x)
{
    return x / length * element_count(space) - first_position(space);
}

int beam_nearest_node(const beam_space *space, double length, double x)
{
    const double position = round(beam_position(space, length, x));
    return (int)fmin(fmax(position, 0.0), space->elements);
}

bool beam_is_node(const beam_space *space, double length, double x)
{
    const double distance = beam_position(space, length, x) - beam_nearest_node(space, length, x);
    return is_difference(space) || fabs(distance) <= node_tolerance;
}

bool beam_node_is_free(const beam_space *space, int node)
{
    return !(node == 0 && (is_difference(space) || fixes_displacement(space->left))) &&
           !(node == space->elements && fixes_displacement(space->right));
}

/* ---- fields ----------------------------------------------------------------------------------- */

static void p3_local(double h, double s, int derivative, double value[BEAM_LOCALS])
{
    const double r = 1.0 - s;
    if (derivative == 0) {
        value[0] = r * r * (1.0 + 2.0 * s);
        value[1] = h * s * r * r;
        value[2] = s * s * (3.0 - 2.0 * s);
        value[3] = -h * s * s * r;
    } else if (derivative == 1) {
        value[0] = -6.0 * s * r / h;
        value[1] = r * (1.0 - 3.0 * s);
        value[2] = 6.0 * s * r / h;
        value[3] = s * (3.0 * s - 2.0);
    } else {
        value[0] = (12.0 * s - 6.0) / (h * h);
        value[1] = (6.0 * s - 4.0) / h;
        value[2] = (6.0 - 12.0 * s) / (h * h);
        value[3] = (6.0 * s - 2.0) / h;
    }
}

static void bspline_local(double h, double s, int derivative, double value[BEAM_LOCALS])
{
    const double r = 1.0 - s;
    if (derivative == 0) {
        value[0] = r * r * r / 6.0;
        value[1] = (4.0 + s * s * (3.0 * s - 6.0)) / 6.0;
        value[2] = (4.0 + r * r * (3.0 * r - 6.0)) / 6.0;
        value[3] = s * s * s / 6.0;
    } else if (derivative == 1) {
        value[0] = -r * r / (2.0 * h);
        value[1] = s * (1.5 * s - 2.0) / h;
        value[2] = -r * (1.5 * r - 2.0) / h;
        value[3] = s * s / (2.0 * h);
    } else {
        value[0] = r / (h * h);
        value[1] = (3.0 * s - 2.0) / (h * h);
        value[2] = (3.0 * r - 2.0) / (h * h);
        value[3] = s / (h * h);
    }
}

/* Straight between the nodes. */
static void difference_local(double h, double s, int derivative, double value[BEAM_LOCALS])
{
    const double slope = derivative == 1 ? 1.0 / h : 0.0;
    value[0] = derivative == 0 ? 1.0 - s : -slope;
    value[1] = derivative == 0 ? s : slope;
    value[2] = value[3] = 0.0;
}

void beam_local(const beam_space *space, double h, double s, int derivative, double value[BEAM_LOCALS])
{
    if (space->basis == CAROM_BEAM_P3)
        p3_local(h, s, derivative, value);
    else if (space->basis == CAROM_BEAM_BSPLINE)
        bspline_local(h, s, derivative, value);
    else
        difference_local(h, s, derivative, value);
}

static void expand_terms(const beam_space *space, int from, int to, const double *q, double *coefficient)
{
    for (int k = from; k < to; k++) {
        const beam_term *term = &space->term[k];
        double sum = 0.0;
        for (int i = 0; i < term->count; i++)
            sum += term->weight[i] * q[term->unknown[i]];
        coefficient[k] = sum;
    }
}

void beam_expand(const beam_space *space, const double *q, double *coefficient)
{
    const int from = space->plain_from, to = space->plain_to;
    expand_terms(space, 0, from, q, coefficient);
    memcpy(coefficient + from, q + space->plain_unknown, (size_t)(to - from) * sizeof *q);
    expand_terms(space, to, space->coefficients, q, coefficient);
}

static void reduce_terms(const beam_space *space, int from, int to, const double *coefficient, double *q)
{
    for (int k = from; k < to; k++) {
        const beam_term *term = &space->term[k];
        for (int i = 0; i < term->count; i++)
            q[term->unknown[i]] += term->weight[i] * coefficient[k];
    }
}

void beam_reduce(const beam_space *space, const double *coefficient, double *q)
{
    const int from = space->plain_from, to = space->plain_to;
    memset(q, 0, (size_t)space->size * sizeof *q);
    memcpy(q + space->plain_unknown, coefficient + from, (size_t)(to - from) * sizeof *q);
    reduce_terms(space, 0, from, coefficient, q);
    reduce_terms(space, to, space->coefficients, coefficient, q);
}

static void add_entry(beam_row *row, int column, double entry)
{
    int place = 0;
    while (place < row->count && row->column[place] < column)
        place++;
    if (place == row->count || row->column[place] != column) {
        for (int k = row->count++; k > place; k--) {
            row->column[k] = row->column[k - 1];
            row->entry[k] = row->entry[k - 1];
        }
        row->column[place] = column;
        row->entry[place] = 0.0;
    }
    row->entry[place] += entry;
}

static void add_coefficient(const beam_space *space, int coefficient, double weight, beam_row *row)
{
    const beam_term *term = &space->term[coefficient];
    for (int i = 0; weight != 0.0 && i < term->count; i++)
        add_entry(row, term->unknown[i], weight * term->weight[i]);
}

static void add_element_row(const beam_space *space, double h, int element, double s, int derivative,
                            double factor, beam_row *row)
{
    double value[BEAM_LOCALS];
    beam_local(space, h, s, derivative, value);
    for (int k = 0; k < space->locals; k++)
        add_coefficient(space, element * space->stride + k, factor * value[k], row);
}

beam_row beam_node_row(const beam_space *space, int node)
{
    beam_row row = {0};
    if (node < space->elements)
        add_element_row(space, 1.0, node, 0.0, 0, 1.0, &row);
    else
        add_element_row(space, 1.0, node - 1, 1.0, 0, 1.0, &row);
    return row;
}

/* Slope and curvature of finite differences. Beyond the clamp the deflection goes on as the grid has it:
 * zero, or mirrored on the ghost grid; the free end has no curvature. */
static beam_row difference_row(const beam_space *space, double h, int node, int derivative)
{
    beam_row row = {0};
    const int last = space->elements;
    if (derivative == 0) {
        add_coefficient(space, node, 1.0, &row);
    } else if (derivative == 1 && node == last) {
        add_coefficient(space, node, 1.0 / h, &row);
        add_coefficient(space, node - 1, -1.0 / h, &row);
    } else if (derivative == 1 && node > 0) {
        add_coefficient(space, node + 1, 0.5 / h, &row);
        add_coefficient(space, node - 1, -0.5 / h, &row);
    } else if (derivative == 2 && node == 0) {
        add_coefficient(space, 1, (space->grid == CAROM_GRID_GHOST ? 2.0 : 1.0) / (h * h), &row);
    } else if (derivative == 2 && node < last) {
        add_coefficient(space, node - 1, 1.0 / (h * h), &row);
        add_coefficient(space, node, -2.0 / (h * h), &row);
        add_coefficient(space, node + 1, 1.0 / (h * h), &row);
    }
    return row;
}

beam_row beam_place_row(const beam_space *space, double length, double x, int derivative)
{
    const double h = beam_element_length(space, length), position = beam_position(space, length, x);
    const int node = beam_nearest_node(space, length, x);
    if (is_difference(space))
        return difference_row(space, h, node, derivative);
    const bool at_node = beam_is_node(space, length, x);
    if (derivative == 0 && at_node)
        return beam_node_row(space, node);
    beam_row row = {0};
    if (derivative == 2 && at_node && node > 0 && node < space->elements) {
        add_element_row(space, h, node - 1, 1.0, 2, 0.5, &row);
        add_element_row(space, h, node, 0.0, 2, 0.5, &row);
        return row;
    }
    const int element = (int)fmin(fmax(floor(position), 0.0), space->elements - 1);
    add_element_row(space, h, element, position - element, derivative, 1.0, &row);
    return row;
}

double beam_row_value(const beam_row *row, const double *q)
{
    double sum = 0.0;
    for (int k = 0; k < row->count; k++)
        sum += row->entry[k] * q[row->column[k]];
    return sum;
}

/* ---- along a change of the length -------------------------------------------------------------- */

static bool is_slope(const beam_space *space, int coefficient)
{
    return space->basis == CAROM_BEAM_P3 && coefficient % 2 == 1;
}

void beam_slope_powers(const beam_space *space, double *power)
{
    memset(power, 0, (size_t)space->size * sizeof *power);
    for (int k = 0; k < space->coefficients; k++)
        if (is_slope(space, k) && space->term[k].count > 0)
            power[space->term[k].unknown[0]] = 1.0;
}

/* Coefficients of P3 are one unknown each, or none. */
static double power_of(const beam_space *space, int unknown)
{
    for (int k = 0; space->basis == CAROM_BEAM_P3 && k < space->coefficients; k++)
        if (space->term[k].count > 0 && space->term[k].unknown[0] == unknown)
            return is_slope(space, k) ? 1.0 : 0.0;
    return 0.0;
}

/* Entries are functions of x/length times powers of the element length; nodes of finite differences stay the nearest ones. */
beam_row beam_place_row_along(const beam_space *space, double length, double x, int derivative,
                              double x_along, double length_along)
{
    const double stretch = length_along / length, shift = x_along - x * stretch;
    beam_row row = beam_place_row(space, length, x, derivative);
    for (int k = 0; k < row.count; k++)
        row.entry[k] *= (power_of(space, row.column[k]) - derivative) * stretch;
    if (is_difference(space) || fabs(shift) <= 1e-13 * (fabs(x_along) + fabs(x * stretch)))
        return row;
    if (derivative == 2) {
        for (int k = 0; k < row.count; k++)
            row.entry[k] = NAN;
        return row;
    }
    const beam_row next = beam_place_row(space, length, x, derivative + 1);
    for (int k = 0; k < next.count; k++)
        add_entry(&row, next.column[k], shift * next.entry[k]);
    return row;
}

/* ---- interpolation ---------------------------------------------------------------------------- */

/* Puts a condition into row `index` of the band and of the right-hand side. */
static void add_condition(const beam_row *row, double value, int index, double *matrix, double *q)
{
    double *line = matrix + (size_t)index * INTERPOLATION_WIDTH;
    for (int k = 0; k < row->count; k++)
        line[row->column[k] - index + INTERPOLATION_WIDTH / 2] = row->entry[k];
    q[index] = value;
}

/* Elimination without pivoting: values at nodes give the rows 1, 4, 1, and the rows of the ends keep their
 * pivots as well. */
static void solve_band(int size, double *matrix, double *x)
{
    const int reach = INTERPOLATION_WIDTH / 2;
    for (int i = 0; i < size; i++) {
        const double *pivot = matrix + (size_t)i * INTERPOLATION_WIDTH + reach;
        for (int r = i + 1; r <= i + reach && r < size; r++) {
            double *line = matrix + (size_t)r * INTERPOLATION_WIDTH + reach - (r - i);
            const double factor = line[0] / pivot[0];
            for (int k = 1; k <= reach; k++)
                line[k] -= factor * pivot[k];
            x[r] -= factor * x[i];
        }
    }
    for (int i = size - 1; i >= 0; i--) {
        const double *pivot = matrix + (size_t)i * INTERPOLATION_WIDTH + reach;
        for (int k = 1; k <= reach && i + k < size; k++)
            x[i] -= pivot[k] * x[i + k];
        x[i] /= pivot[0];
    }
}

/* Values where the displacement is free and slopes of the ends where the slope is. */
static void interpolate_bspline(const beam_space *space, double h, const double *value, const double *slope,
                                double *matrix, double *q)
{
    const int last = space->elements;
    int index = 0;
    memset(matrix, 0, (size_t)space->size * INTERPOLATION_WIDTH * sizeof *matrix);
    if (!fixes_slope(space->left)) {
        beam_row row = {0};
        add_element_row(space, 1.0, 0, 0.0, 1, 1.0, &row);
        add_condition(&row, h * slope[0], index++, matrix, q);
    }
    for (int node = 0; node <= last; node++)
        if (beam_node_is_free(space, node)) {
            const beam_row row = beam_node_row(space, node);
            add_condition(&row, value[node], index++, matrix, q);
        }
    if (!fixes_slope(space->right)) {
        beam_row row = {0};
        add_element_row(space, 1.0, last - 1, 1.0, 1, 1.0, &row);
        add_condition(&row, h * slope[last], index++, matrix, q);
    }
    solve_band(space->size, matrix, q);
}

void beam_interpolate(const beam_space *space, double h, const double *value, const double *slope,
                      double *matrix, double *q)
{
    if (space->basis == CAROM_BEAM_BSPLINE) {
        interpolate_bspline(space, h, value, slope, matrix, q);
        return;
    }
    for (int k = 0; k < space->coefficients; k++) {
        const double nodal = is_difference(space) ? value[k] : (k % 2 == 0 ? value[k / 2] : slope[k / 2]);
        if (space->term[k].count > 0)
            q[space->term[k].unknown[0]] = nodal;
    }
}
