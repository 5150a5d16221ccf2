/* bar_scan { ... }: which families (N, m) of the bar hold motions. */
#include "study_inputs.h"

static carom_status give(carom_study_call *call, const carom_bar_scan *scan)
{
    enum {
        COLUMNS = 9
    };
    static const char *const name[COLUMNS] = {"N",           "m",          "slope",          "longest",
                                              "samples",     "admissible", "shortest_found", "longest_found",
                                              "lowest_ratio"};
    double *column = carom_study_take(call, (size_t)scan->count, sizeof *column);
    if (!column)
        return call->status;
    for (int c = 0; c < COLUMNS; c++) {
        for (int i = 0; i < scan->count; i++) {
            const carom_bar_family *f = &scan->family[i];
            const double value[COLUMNS] = {f->index,          f->turns,         f->slope,
                                           f->longest,        f->samples,       f->admissible,
                                           f->shortest_found, f->longest_found, f->lowest_frequency_ratio};
            column[i] = value[c];
        }
        carom_study_give_list(call, name[c], scan->count, column);
    }
    int families = 0;
    for (int i = 0; i < scan->count; i++)
        families += scan->family[i].admissible > 0;
    carom_study_give_number(call, "families", families);
    return call->status;
}

static carom_status compute(carom_study_call *call)
{
    const carom_bar bar = bar_read(call);
    const carom_bar_scan_options options = {.largest_index = carom_study_whole(call, "largest_N"),
                                            .largest_turns = carom_study_whole(call, "largest_m"),
                                            .first = carom_exactly(carom_study_number(call, "first")),
                                            .step = carom_exactly(carom_study_number(call, "step")),
                                            .longest_period =
                                                carom_exactly(carom_study_number(call, "longest_period"))};
    carom_bar_scan scan = {0};
    carom_status status = call->status;
    if (status == CAROM_OK)
        status = carom_bar_scan_make(&bar, &options, &scan, call->error);
    if (status == CAROM_OK)
        status = give(call, &scan);
    carom_bar_scan_free(&scan);
    return status;
}

static const carom_study_input inputs[] = {
    BAR_INPUTS,
    {"largest_N", CAROM_STUDY_WHOLE, NULL, "|N|, odd, up to", .value = 9, .min = 1,
     .max = CAROM_BAR_LARGEST_INDEX},
    {"largest_m", CAROM_STUDY_WHOLE, NULL, "|m| up to", .value = 4, .min = 1, .max = 1000},
    {"first", CAROM_STUDY_NUMBER, "L", "the first contact length", .value = 0.01},
    {"step", CAROM_STUDY_NUMBER, "L", "and the next ones", .value = 0.02},
    {"longest_period", CAROM_STUDY_NUMBER, "L/c", "periods up to", .value = 8.5},
    {0}};

static const carom_study_output outputs[] = {
    {"N", CAROM_STUDY_LIST, NULL, "family indices, one per family looked at"},
    {"m", CAROM_STUDY_LIST, NULL, "their turns"},
    {"slope", CAROM_STUDY_LIST, NULL, "r: energy is infinite at d = L / r"},
    {"longest", CAROM_STUDY_LIST, NULL, "d stays below"},
    {"samples", CAROM_STUDY_LIST, NULL, "members looked at"},
    {"admissible", CAROM_STUDY_LIST, NULL, "those of them that are motions"},
    {"shortest_found", CAROM_STUDY_LIST, NULL, "smallest d of these; not a number where there is none"},
    {"longest_found", CAROM_STUDY_LIST, NULL, "largest d of these"},
    {"lowest_ratio", CAROM_STUDY_LIST, NULL, "lowest frequency of these over that of the bar without a wall"},
    {"families", CAROM_STUDY_WHOLE, NULL, "families that hold motions"},
    {0}};

const carom_study_ops study_bar_scan = {.name = "bar_scan",
                                        .summary =
                                            "families of exact periodic motions of a bar against a wall",
                                        .inputs = inputs,
                                        .outputs = outputs,
                                        .compute = compute};
