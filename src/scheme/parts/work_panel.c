#include "work_panel.h"

#include <math.h>
#include <string.h>

/* Nodes that crowd at one end make no polynomial: rounding there would show at the other end, as much larger as this at
 * most. An interval that is rho times as long as the one before makes it rho^k as large after k of them. */
static const double crowding_max = 1e4;
/* An interval that is shorter than the one before by this factor is the begin of something else. */
static const double shorter_max = 4.0;
/* A last node that is nearer to the one before than this share of the distance takes its place. */
static const double near_end = 0.1;

void work_panel_clear(work_panel *panel)
{
    panel->count = panel->done = 0;
    panel->steps = panel->stride;
    panel->newest = panel->seen = -INFINITY;
    panel->crowding = 1.0;
}

void work_panel_copy(const work_panel *panel, work_panel *copy)
{
    copy->count = panel->count;
    copy->done = panel->done;
    for (int i = 0; i < panel->count; i++)
        copy->node[i] = panel->node[i];
}

/* Takes back nodes at t and after it, but none that is integrated. */
static void go_back(work_panel *panel, double t)
{
    while (panel->count > panel->done + 1 && panel->node[panel->count - 1].t >= t)
        panel->count--;
    if (panel->count == 1 && panel->node[0].t >= t)
        panel->count = 0;
    panel->newest = panel->count > 0 ? panel->node[panel->count - 1].t : -INFINITY;
}

/* Integral from a to b of the polynomial of one power through n <= 10 nodes, in Newton's form, by Gauss' rule with five
 * points, which is exact. */
static double integral(const work_node *node, int n, int which, double a, double b)
{
    static const double place[5] = {-0.90617984593866399280, -0.53846931010568309104, 0.0,
                                    0.53846931010568309104, 0.90617984593866399280};
    static const double weight[5] = {0.23692688505618908751, 0.47862867049936646804, 0.56888888888888888889,
                                     0.47862867049936646804, 0.23692688505618908751};
    double slope[PANEL_NODES + 1], x[PANEL_NODES + 1], value[5] = {0}, sum = 0.0;
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    for (int i = 0; i < n; i++) {
        x[i] = node[i].t - middle;
        slope[i] = node[i].power[which];
    }
    for (int order = 1; order < n; order++)
        for (int i = n - 1; i >= order; i--)
            slope[i] = (slope[i] - slope[i - 1]) / (x[i] - x[i - order]);
    for (int i = n - 1; i >= 0; i--)
        for (int k = 0; k < 5; k++)
            value[k] = value[k] * (half * place[k] - x[i]) + slope[i];
    for (int k = 0; k < 5; k++)
        sum += weight[k] * value[k];
    return half * sum;
}

static bool has_power(const work_node *node, int n, int which)
{
    for (int i = 0; i < n; i++)
        if (node[i].power[which] != 0.0)
            return true;
    return false;
}

/* Adds the works from node `from` to the last of n. */
static void add_works(const work_node *node, int n, int from, carom_works *works)
{
    if (has_power(node, n, 0))
        works->forces += integral(node, n, 0, node[from].t, node[n - 1].t);
    if (has_power(node, n, 1))
        works->contacts += integral(node, n, 1, node[from].t, node[n - 1].t);
    if (has_power(node, n, 2))
        works->joints += integral(node, n, 2, node[from].t, node[n - 1].t);
}

static void integrate(work_panel *panel, carom_works *works)
{
    const work_node *from = &panel->node[panel->done];
    add_works(from, PANEL_NODES, 0, works);
    panel->usual = (from[PANEL_NODES - 1].t - from[0].t) / (PANEL_NODES - 1);
    memmove(panel->node, from, PANEL_NODES * sizeof *from);
    panel->count = PANEL_NODES;
    panel->done = PANEL_NODES - 1;
    panel->crowding = 1.0;
}

/* Integrates what is left, up to the last node. */
static void integrate_rest(const work_panel *panel, carom_works *works)
{
    const int left = panel->count - 1 - panel->done, wanted = left < PANEL_NODES ? PANEL_NODES : left + 1;
    const int n = wanted < panel->count ? wanted : panel->count;
    if (left > 0)
        add_works(&panel->node[panel->count - n], n, n - 1 - left, works);
}

static double last_interval(const work_panel *panel)
{
    return panel->node[panel->count - 1].t - panel->node[panel->count - 2].t;
}

/* Whether a node at t would not do with those that are there. */
static bool crowds(work_panel *panel, double t)
{
    const double longer = (t - panel->newest) / last_interval(panel);
    for (int k = panel->done + 1; k < panel->count && longer > 1.0; k++)
        panel->crowding *= longer;
    return panel->crowding > crowding_max || longer * shorter_max < 1.0;
}

/* The last node is the first one of others. */
static void begin_again(work_panel *panel, carom_works *works)
{
    integrate_rest(panel, works);
    panel->node[0] = panel->node[panel->count - 1];
    panel->count = 1;
    panel->done = 0;
    panel->crowding = 1.0;
}

void work_panel_add(work_panel *panel, double t, const double power[PANEL_POWERS], carom_works *works)
{
    go_back(panel, t);
    if (panel->count > 0 && t <= panel->newest)
        return;
    if (panel->count - panel->done == PANEL_NODES)
        integrate(panel, works);
    if (panel->count > 1 && crowds(panel, t))
        begin_again(panel, works);
    panel->node[panel->count++] = (work_node){t, {power[0], power[1], power[2]}};
    panel->newest = t;
    panel->steps = 0;
}

void work_panel_end(work_panel *panel, double t, const double power[PANEL_POWERS], carom_works *works)
{
    go_back(panel, t);
    if (panel->count > 1)
        go_back(panel, t - near_end * last_interval(panel));
    if (panel->count > 0 && t > panel->node[panel->count - 1].t) {
        panel->node[panel->count++] = (work_node){t, {power[0], power[1], power[2]}};
        integrate_rest(panel, works);
    }
    work_panel_clear(panel);
}
