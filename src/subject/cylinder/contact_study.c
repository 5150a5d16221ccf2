/* cylinder_contact { ... }: an elastic cylinder condensed to its lower face, for contact_solve. */
#include <math.h>

#include "carom/run/study.h"
#include "carom/subject/cylinder.h"

enum {
    MOST_CELLS = 12,
    MOST_LAYERS = 20
};

static carom_status compute(carom_study_call *call)
{
    const carom_cylinder cylinder = {.radius = carom_study_number(call, "R"),
                                     .height = carom_study_number(call, "height"),
                                     .young = carom_study_number(call, "E"),
                                     .poisson = carom_study_number(call, "nu"),
                                     .core = carom_study_whole(call, "core"),
                                     .rings = carom_study_whole(call, "rings"),
                                     .layers = carom_study_whole(call, "layers")};
    const int contacts = carom_cylinder_contacts(&cylinder);
    const size_t count = (size_t)contacts;
    double *x = carom_study_take(call, count, sizeof *x), *y = carom_study_take(call, count, sizeof *y);
    double *area = carom_study_take(call, count, sizeof *area),
           *W = carom_study_take(call, 9 * count * count, sizeof *W);
    carom_status status = call->status;
    if (status == CAROM_OK)
        status = carom_cylinder_compliance(&cylinder, x, y, area, W, call->error);
    if (status != CAROM_OK)
        return status;
    carom_study_give_number(call, "contacts", contacts);
    carom_study_give_list(call, "x", contacts, x);
    carom_study_give_list(call, "y", contacts, y);
    carom_study_give_list(call, "area", contacts, area);
    carom_study_give_list(call, "W", 9 * contacts * contacts, W);
    return CAROM_OK;
}

static const carom_study_input inputs[] = {
    {"R", CAROM_STUDY_NUMBER, NULL, "radius", .value = NAN},
    {"height", CAROM_STUDY_NUMBER, NULL, "height", .value = NAN},
    {"E", CAROM_STUDY_NUMBER, NULL, "Young's modulus", .value = NAN},
    {"nu", CAROM_STUDY_NUMBER, NULL, "Poisson's ratio", .value = NAN},
    {"core", CAROM_STUDY_WHOLE, NULL, "cells across the core, even", .value = NAN, .min = 2,
     .max = MOST_CELLS},
    {"rings", CAROM_STUDY_WHOLE, NULL, "rings of cells around it", .value = NAN, .min = 1, .max = MOST_CELLS},
    {"layers", CAROM_STUDY_WHOLE, NULL, "cells over the height", .value = NAN, .min = 1, .max = MOST_LAYERS},
    {0}};

static const carom_study_output outputs[] = {
    {"contacts", CAROM_STUDY_WHOLE, NULL, "nodes of the lower face"},
    {"x", CAROM_STUDY_LIST, NULL, "where they are"},
    {"y", CAROM_STUDY_LIST, NULL, "where they are"},
    {"area", CAROM_STUDY_LIST, NULL, "area of each"},
    {"W", CAROM_STUDY_LIST, NULL,
     "compliance, row by row, for contact_solve: { n, x, y } per node; the top is held"},
    {0}};

const carom_study_ops study_cylinder_contact = {
    .name = "cylinder_contact",
    .summary = "elastic cylinder condensed to the nodes of its lower face",
    .inputs = inputs,
    .outputs = outputs,
    .compute = compute};
