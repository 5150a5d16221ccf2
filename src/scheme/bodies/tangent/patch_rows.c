/* Two bodies that touch at many points and stick move as one: six of their rows (three in the plane) say all that the others say. The
 * rest is left out, with its impulses: what they do together others do as well. */
#include <math.h>

#include "point_law.h"

enum {
    ROWS_MOST = 64, /* of a pair; more are left as they are */
    RANK_MOST = 6
};
static const double dependent = 1e-7;

/* A row of the pair: whose it is, and what is left of it across those that were chosen. */
typedef struct patch_row {
    int point, place;
    double left[6];
    bool chosen;
} patch_row;

static bool is_fit(const point_law *law)
{
    bool fit = !law->open;
    for (int f = 0; f < FRICTIONS; f++)
        fit = fit && law->friction[f] != FRICTION_SLIPS;
    return fit;
}

static double norm(const double x[6])
{
    return sqrt(carom_dot(6, x, x));
}

/* The rows of points first ... end - 1; returns how many, or -1: too many, or one of them slips. */
static int list_rows(const body_replay *replay, const point_law *law, int first, int end, patch_row *row)
{
    const double length = replay->base->stepper->accounts.length;
    int count = 0;
    for (int i = first; i < end; i++) {
        if (law[i].open)
            continue;
        if (!is_fit(&law[i]) || count + law[i].rows > ROWS_MOST)
            return -1;
        for (int k = 0; k < law[i].rows; k++) {
            carom_dual push[6];
            body_replay_point_push(replay, i, law[i].component[k], 0, push);
            row[count] = (patch_row){.point = i, .place = k};
            for (int c = 0; c < 6; c++)
                row[count].left[c] = creal(push[c]) / (c < 3 ? 1.0 : length);
            count++;
        }
    }
    return count;
}

/* Takes from all rows what lies along the one that is farthest from those before. False: nothing is left. */
static bool choose_next(int count, patch_row *row)
{
    int best = -1;
    double most = dependent;
    for (int i = 0; i < count; i++)
        if (!row[i].chosen && norm(row[i].left) > most) {
            most = norm(row[i].left);
            best = i;
        }
    if (best < 0)
        return false;
    double unit[6];
    for (int c = 0; c < 6; c++)
        unit[c] = row[best].left[c] / most;
    for (int i = 0; i < count; i++)
        carom_axpy(6, -carom_dot(6, unit, row[i].left), unit, row[i].left);
    row[best].chosen = true;
    return true;
}

static void leave_out(int count, const patch_row *row, point_law *law)
{
    for (int i = 0; i < count;) {
        point_law *of = &law[row[i].point];
        int kept = 0;
        for (const int point = row[i].point; i < count && row[i].point == point; i++)
            if (row[i].chosen) {
                of->component[kept] = of->component[row[i].place];
                of->is_velocity[kept++] = of->is_velocity[row[i].place];
            }
        of->is_reduced = true; /* all points of the pair share what they carry */
        of->rows = kept;
    }
}

void point_laws_reduce(const body_replay *replay, point_law *law)
{
    const body_step *step = replay->step;
    for (int first = 0, end; first < step->active; first = end) {
        patch_row row[ROWS_MOST];
        end = first + 1;
        while (end < step->active && step->point[end].a == step->point[first].a &&
               step->point[end].b == step->point[first].b)
            end++;
        const int count = end - first > 1 ? list_rows(replay, law, first, end, row) : -1;
        if (count <= (step->plane ? 3 : RANK_MOST))
            continue;
        int rank = 0;
        while (rank < RANK_MOST && choose_next(count, row))
            rank++;
        if (rank < count)
            leave_out(count, row, law);
    }
}
