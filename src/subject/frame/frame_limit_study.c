/* frame_limit { nodes = { { x, y, support =, normal =, mu =, load = }, ... }, bars = { { 1, 2, moment = }, ... } } */
#include <string.h>

#include "study_parts.h"

/* A number in a row of an entry: its place counts from 0. */
static double element(carom_study_call *call, const carom_data *entry, const char *what, int k)
{
    double value = 0.0;
    if (!carom_data_element(entry, k, -1, &value))
        carom_study_fail(call, CAROM_BAD_INPUT, "number %d of %s must be a plain number", k + 1, what);
    return value;
}

static double field(carom_study_call *call, const carom_data *entry, const char *key, double value)
{
    const carom_data *found = carom_data_find(entry, key);
    if (found && found->kind != CAROM_DATA_NUMBER)
        carom_study_fail(call, CAROM_BAD_INPUT, "%s must be a plain number; got another kind", key);
    return found ? found->number : value;
}

/* Two numbers, which stay as they are when they are not there. */
static void pair_field(carom_study_call *call, const carom_data *entry, const char *key, double pair[2])
{
    const carom_data *found = carom_data_find(entry, key);
    if (found && (found->kind != CAROM_DATA_LIST || found->rows != 2)) {
        carom_study_fail(call, CAROM_BAD_INPUT, "%s is a pair of numbers { x, y }", key);
        return;
    }
    for (int k = 0; found && k < 2; k++)
        pair[k] = found->list[k];
}

static carom_plane_frame_support support_of(carom_study_call *call, const carom_data *entry, int node)
{
    static const char *const words[] = {"free", "clamped", "pinned", "friction"};
    const carom_data *given = carom_data_find(entry, "support");
    const char *text = given && given->text ? given->text : "";
    carom_error error;
    if (!given)
        return CAROM_SUPPORT_FREE;
    for (int k = 0; k < 4; k++)
        if (strcmp(words[k], text) == 0)
            return (carom_plane_frame_support)k;
    carom_fail_unknown("support", text, words, 4, &error);
    carom_study_fail(call, CAROM_BAD_INPUT, "node %d: %s", node + 1, error.text);
    return CAROM_SUPPORT_FREE;
}

static const carom_plane_frame_node *read_nodes(carom_study_call *call, int count)
{
    static const char *const known[] = {"support", "normal", "mu", "load", NULL};
    const carom_data *given = carom_data_find(call->input, "nodes");
    carom_plane_frame_node *node = carom_study_take(call, (size_t)count, sizeof *node);
    for (int i = 0; call->status == CAROM_OK && i < count; i++) {
        carom_data row;
        const carom_data *entry = carom_data_row(given, i, &row);
        if (!entry || (entry->kind != CAROM_DATA_TABLE && entry->kind != CAROM_DATA_LIST)) {
            carom_study_fail(call, CAROM_BAD_INPUT, "nodes[%d] must be a table", i + 1);
            return node;
        }
        limit_check_names(call, entry, "a node", known);
        node[i] = (carom_plane_frame_node){.x = element(call, entry, "a node", 0),
                                           .y = element(call, entry, "a node", 1),
                                           .support = support_of(call, entry, i),
                                           .normal = {0.0, 1.0},
                                           .mu = field(call, entry, "mu", 0.0)};
        if (node[i].support == CAROM_SUPPORT_FRICTION)
            limit_needed(call, entry, "node", i, "mu");
        pair_field(call, entry, "normal", node[i].normal);
        pair_field(call, entry, "load", node[i].load);
    }
    return node;
}

static const carom_plane_frame_bar *read_bars(carom_study_call *call, int count)
{
    static const char *const known[] = {"moment", NULL};
    const carom_data *given = carom_data_find(call->input, "bars");
    carom_plane_frame_bar *bar = carom_study_take(call, (size_t)count, sizeof *bar);
    for (int b = 0; call->status == CAROM_OK && b < count; b++) {
        carom_data row;
        const carom_data *entry = carom_data_row(given, b, &row);
        if (!entry || (entry->kind != CAROM_DATA_TABLE && entry->kind != CAROM_DATA_LIST)) {
            carom_study_fail(call, CAROM_BAD_INPUT, "bars[%d] must be a table", b + 1);
            return bar;
        }
        limit_check_names(call, entry, "a bar", known);
        bar[b] = (carom_plane_frame_bar){limit_place(call, "a bar's end", element(call, entry, "a bar", 0)),
                                         limit_place(call, "a bar's end", element(call, entry, "a bar", 1)),
                                         field(call, entry, "moment", 1.0)};
    }
    return bar;
}

static carom_status compute(carom_study_call *call)
{
    const int nodes = limit_length(call, "nodes", "{ { 0, 0, support = \"clamped\" }, { 0, 1 } }");
    const int bars = limit_length(call, "bars", "{ { 1, 2, moment = 1 } }");
    if (call->status != CAROM_OK)
        return call->status;
    const carom_plane_frame frame = {nodes, bars, read_nodes(call, nodes), read_bars(call, bars)};
    carom_limit_problem problem;
    carom_status status = call->status;
    if (status == CAROM_OK)
        status = carom_plane_frame_equilibrium(&frame, call->arena, &problem, call->error);
    return status == CAROM_OK ? limit_analyse(call, &problem) : status;
}

static const carom_study_input inputs[] = {{"nodes", CAROM_STUDY_TABLE, NULL,
                                            "{ { x, y, support = \"free\", \"clamped\", \"pinned\" or "
                                            "\"friction\", normal = { 0, 1 }, mu =, load = { x, y } }, ... }",
                                            .value = NAN},
                                           {"bars", CAROM_STUDY_TABLE, NULL,
                                            "{ { 1, 2, moment = 1 }, ... }: nodes from 1, plastic moment",
                                            .value = NAN},
                                           LIMIT_INPUTS,
                                           {0}};

const carom_study_ops study_frame_limit = {.name = "frame_limit",
                                           .summary = "limit load of a plane frame with frictional supports",
                                           .inputs = inputs,
                                           .outputs = limit_outputs,
                                           .compute = compute};
