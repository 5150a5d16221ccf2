/* Strings of the user's own, discs with the bit first, or torsion elements:
 *
 *   string = { J = {}, k = {}, d =, joins = { {i, j, k, d}, ... }, Tw =, Ts =, Td =, Nd = }
 *   string = { sections = { {elements, length, Ip}, ... }, G =, rho =, top =, ck =, Tw =, Ts =, Td =, Nd = } */
#include "study_inputs.h"

/* clang-format off */
#define FRICTION_INPUTS                                                                                               \
    {"Tw", CAROM_STUDY_LIST, "N m", "friction torque of the discs above the bit", .usual = "none"},                   \
    {"Ts", CAROM_STUDY_NUMBER, "N m", "torque of the bit at the start of motion", .value = NAN, .usual = "none"},     \
    {"Td", CAROM_STUDY_NUMBER, "N m", "torque of the bit at high speed", .value = NAN, .usual = "none"},              \
    {"Nd", CAROM_STUDY_NUMBER, "rpm", "decay speed of the torque of the bit", .value = NAN, .usual = "none"}
/* clang-format on */

static const carom_study_input disc_inputs[] = {
    {"J", CAROM_STUDY_LIST, "kg m^2", "inertias, the bit first", .usual = "none"},
    {"k", CAROM_STUDY_LIST, "N m/rad", "stiffnesses between neighbours", .usual = "joins"},
    {"d", CAROM_STUDY_LIST, "N m s/rad", "dampings between neighbours", .usual = "0"},
    {"joins", CAROM_STUDY_TABLE, NULL, "{ { disc, disc, stiffness, damping }, ... }", .usual = "none"},
    FRICTION_INPUTS,
    {0}};
static const carom_study_ops discs_table = {.name = "string", .inputs = disc_inputs};

static const carom_study_input section_inputs[] = {
    {"sections", CAROM_STUDY_TABLE, NULL, "{ { elements, length, Ip }, ... }, the bit's first", .value = NAN},
    {"G", CAROM_STUDY_NUMBER, "Pa", "shear modulus", .value = NAN, .usual = "none"},
    {"rho", CAROM_STUDY_NUMBER, "kg/m^3", "density", .value = NAN, .usual = "none"},
    {"top", CAROM_STUDY_NUMBER, "kg m^2", "inertia of the top drive", .value = NAN, .usual = "none"},
    {"ck", CAROM_STUDY_NUMBER, "s", "damping over stiffness", .value = 0.0},
    FRICTION_INPUTS,
    {0}};
static const carom_study_ops sections_table = {.name = "string", .inputs = section_inputs};

/* Rows of `least` to `most` numbers; what is missing is 0. */
static double *read_rows(carom_study_call *call, const char *key, int rows, int least, int most,
                         const char *form)
{
    const carom_data *given = carom_data_find(call->input, key);
    double *value = carom_study_take(call, carom_product((size_t)rows, (size_t)most), sizeof *value);
    for (int i = 0; value && i < rows; i++) {
        carom_data row;
        const carom_data *found = carom_data_row(given, i, &row);
        if (!found || found->kind != CAROM_DATA_LIST || found->rows < least || found->rows > most) {
            carom_study_fail(call, CAROM_BAD_INPUT, "string: %s[%d] must be %s", key, i + 1, form);
            return value;
        }
        for (int j = 0; j < found->rows; j++)
            value[i * most + j] = found->list[j];
    }
    return value;
}

static double need(carom_study_call *call, const char *key, const char *meaning)
{
    const double value = carom_study_number(call, key);
    if (!isfinite(value))
        carom_study_fail(call, CAROM_BAD_INPUT, "string needs %s = a number: %s", key, meaning);
    return value;
}

static void read_friction(carom_study_call *call, bool needed, drill_own *own)
{
    own->wall = carom_study_take(call, (size_t)own->discs, sizeof(double));
    const double *given = own->discs > 1 ? carom_study_list(call, "Tw", own->discs - 1) : NULL;
    if (needed && !given && own->discs > 1)
        carom_study_fail(
            call, CAROM_BAD_INPUT,
            "string needs Tw = the friction torque of discs 2 to %d, one number or a list; 0: none",
            own->discs);
    for (int i = 1; own->wall && i < own->discs; i++)
        own->wall[i] = given ? given[i - 1] : 0.0;
    own->Ts = needed ? need(call, "Ts", "torque of the bit at the start of motion") : 0.0;
    own->Td = needed ? need(call, "Td", "torque of the bit at high speed") : 0.0;
    own->Nd = needed ? need(call, "Nd", "decay speed of the torque of the bit, in rpm") : 1.0;
    if (!(own->Nd > 0.0))
        carom_study_fail(call, CAROM_BAD_INPUT,
                         "string: Nd = %g, the decay speed of the bit's friction in rpm, must be positive",
                         own->Nd);
}

static void check_joins(carom_study_call *call, const drill_own *own)
{
    for (int i = 0; i < own->joins && call->status == CAROM_OK; i++) {
        const double *join = own->join + (ptrdiff_t)4 * i;
        for (int e = 0; e < 2; e++)
            if (!(join[e] >= 1.0 && join[e] <= own->discs) || join[e] != floor(join[e]))
                carom_study_fail(call, CAROM_BAD_INPUT,
                                 "string: joins[%d] names disc %g; there are discs 1 to %d", i + 1, join[e],
                                 own->discs);
        if (join[0] == join[1])
            carom_study_fail(call, CAROM_BAD_INPUT, "string: joins[%d] joins disc %g to itself", i + 1,
                             join[0]);
    }
}

static int count_rows(carom_study_call *call, const char *key)
{
    const carom_data *given = carom_data_find(call->input, key);
    const int rows = given ? carom_data_length(given) : -1;
    if (rows > 10 * DRILL_DISCS_MOST)
        carom_study_fail(call, CAROM_BAD_INPUT, "string: %s has %d entries; wanted: %d at most", key, rows,
                         10 * DRILL_DISCS_MOST);
    return rows > 10 * DRILL_DISCS_MOST ? 0 : rows;
}

static void read_discs(carom_study_call *call, drill_own *own)
{
    const carom_data *J = carom_data_find(call->input, "J");
    if (J && J->kind != CAROM_DATA_LIST)
        carom_study_fail(call, CAROM_BAD_INPUT, "string: J must be a list { ... }; got a number");
    own->discs = J && J->kind == CAROM_DATA_LIST ? J->rows : 0;
    if (own->discs < 1 || own->discs > DRILL_DISCS_MOST) {
        carom_study_fail(
            call, CAROM_BAD_INPUT,
            "string needs J = { inertias, the bit first }, 1 to %d of them, or sections = { ... }",
            DRILL_DISCS_MOST);
        own->discs = 1;
        return;
    }
    own->J = carom_study_list(call, "J", own->discs);
    if (own->discs > 1) {
        own->k = carom_study_list(call, "k", own->discs - 1);
        own->d = carom_study_list(call, "d", own->discs - 1);
    }
    own->joins = count_rows(call, "joins");
    if (!own->k && own->joins < 0 && own->discs > 1)
        carom_study_fail(call, CAROM_BAD_INPUT,
                         "string needs k = the stiffnesses between neighbours, %d of them or one for all",
                         own->discs - 1);
    if (own->joins > 0)
        own->join = read_rows(call, "joins", own->joins, 3, 4,
                              "{ disc, disc, stiffness, damping }, discs from 1 (the bit)");
    check_joins(call, own);
}

static void read_sections(carom_study_call *call, drill_own *own)
{
    own->discs = 1;
    own->sections = count_rows(call, "sections");
    if (own->sections < 1) {
        carom_study_fail(call, CAROM_BAD_INPUT,
                         "string: sections is empty; it takes { elements, length, Ip }, the bit's first");
        return;
    }
    const double *row =
        read_rows(call, "sections", own->sections, 3, 3, "{ elements, length in m, Ip in m^4 }");
    own->section = carom_study_take(call, (size_t)own->sections, sizeof *own->section);
    for (int i = 0; call->status == CAROM_OK && i < own->sections; i++, row += 3) {
        if (!(row[0] >= 1.0 && row[0] <= DRILL_DISCS_MOST) || row[0] != floor(row[0])) {
            carom_study_fail(call, CAROM_BAD_INPUT,
                             "string: sections[%d] has %g elements; wanted: a whole number from 1 to %d",
                             i + 1, row[0], DRILL_DISCS_MOST - 1);
            return;
        }
        own->section[i] = (carom_drill_section){(int)row[0], row[1], row[2]};
        own->discs += (int)row[0];
        if (own->discs > DRILL_DISCS_MOST)
            carom_study_fail(call, CAROM_BAD_INPUT,
                             "string: the sections have more than %d elements together",
                             DRILL_DISCS_MOST - 1);
    }
    own->G = need(call, "G", "shear modulus, in Pa");
    own->rho = need(call, "rho", "density, in kg/m^3");
    own->top = need(call, "top", "inertia of the top drive, in kg m^2");
    own->ck = carom_study_number(call, "ck");
}

void drill_read_string(carom_study_call *call, bool friction, drill_data *data)
{
    const carom_data *table = carom_data_find(call->input, "string");
    data->string = (drill_string_kind)carom_study_word(call, "string");
    if (!table || table->kind == CAROM_DATA_TEXT)
        return;
    const bool elements = carom_data_find(table, "sections") != NULL;
    carom_study_call inner = *call;
    carom_error error = {0};
    data->string = DRILL_OWN;
    data->own.discs = 1;
    inner.study = elements ? &sections_table : &discs_table;
    inner.input = table;
    if (carom_study_check(inner.study, table, &error) != CAROM_OK) {
        carom_study_fail(call, CAROM_BAD_INPUT, "%s", error.text);
        return;
    }
    if (elements)
        read_sections(&inner, &data->own);
    else
        read_discs(&inner, &data->own);
    if (inner.status == CAROM_OK)
        read_friction(&inner, friction, &data->own);
    call->status = inner.status;
}

/* ---- from numbers to a string ----------------------------------------------------------------------- */

carom_drill_elements drill_own_elements(const drill_own *own)
{
    return (carom_drill_elements){.sections = own->sections,
                                  .section = own->section,
                                  .shear_modulus = own->G,
                                  .density = own->rho,
                                  .top_inertia = own->top};
}

static carom_status join_discs(const drill_own *own, carom_drill_string **string, carom_error *error)
{
    const carom_status status = carom_drill_string_create(own->discs, string, error);
    if (status != CAROM_OK)
        return status;
    carom_drill_string *s = *string;
    for (int i = 0; i < own->discs; i++) {
        s->inertia[i] = own->J[i];
        s->wall[i] = own->wall[i];
    }
    for (int i = 0; i + 1 < own->discs; i++)
        carom_drill_join(s, i, i + 1, own->k ? own->k[i] : 0.0, own->d ? own->d[i] : 0.0);
    for (int i = 0; i < own->joins; i++) {
        const double *join = own->join + (ptrdiff_t)4 * i;
        carom_drill_join(s, (int)join[0] - 1, (int)join[1] - 1, join[2], join[3]);
    }
    s->bit = (carom_drill_law){own->Ts, own->Td, carom_drill_decay(own->Nd)};
    return CAROM_OK;
}

carom_status drill_make_own(const drill_own *own, carom_drill_string **string, carom_error *error)
{
    const carom_drill_law bit = {own->Ts, own->Td, carom_drill_decay(own->Nd)};
    const carom_drill_elements elements = drill_own_elements(own);
    const carom_status status =
        own->J ? join_discs(own, string, error)
               : carom_drill_elements_string(&elements, own->ck, own->wall, &bit, string, error);
    return status == CAROM_OK ? carom_drill_check(*string, error) : status;
}
