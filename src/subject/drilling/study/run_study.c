/* drill_run { controller =, rpm =, ... }: a motion of a drill string: start-up, or from a set point. */
#include "study_inputs.h"

/* real part: rigid rotation without controller has 0 but for rounding */
static const double UNSTABLE_FROM = 1e-10;

enum {
    SLIPS_KEPT = 64,
    OUTPUTS_MOST = 100000
};

/* Poles at the set point, and the slope and speed at which they become unstable if they are. */
static carom_status look_at_set_point(carom_study_call *call, const drill_objects *o, double rpm)
{
    const carom_drill_law *bit = &o->string->bit;
    const carom_drill_controller *last = o->next ? o->next : o->controller;
    carom_drill_plant *plant = NULL;
    carom_drill_loop *loop = NULL;
    carom_error *error = call->error;
    double largest = NAN, critical_slope = NAN, critical_rpm = NAN;
    const double slope = carom_drill_slope(bit, carom_rpm(rpm));
    carom_status status = CAROM_OK;
    if (o->string->discs >= 2 && 2 * o->string->discs + (last ? last->states : 0) <= DRILL_LOOP_MOST) {
        status = carom_drill_plant_create(o->string, slope, &plant, error);
        if (status == CAROM_OK)
            status = carom_drill_loop_create(plant, last, &loop, error);
        if (status == CAROM_OK)
            status = carom_drill_loop_poles(loop, slope, &largest, error);
        if (status == CAROM_OK && largest > UNSTABLE_FROM)
            status = carom_drill_critical_slope(loop, bit->vd * (bit->Ts - bit->Td), &critical_slope, error);
        critical_rpm = carom_drill_critical_rpm(bit, critical_slope);
        carom_drill_loop_free(loop);
        carom_drill_plant_free(plant);
    }
    carom_study_give_flag(call, "unstable", largest > UNSTABLE_FROM);
    carom_study_give_number(call, "slope", slope);
    carom_study_give_finite(call, "critical_slope", critical_slope);
    carom_study_give_finite(call, "critical_rpm", critical_rpm);
    return status;
}

static void give_window(carom_study_call *call, const carom_drill_window *w, const char *const name[7])
{
    const double value[7] = {w->bit_min,    w->bit_max,    w->top_min,       w->top_max,
                             w->torque_min, w->torque_max, w->stick_fraction};
    for (int i = 0; i < 7; i++) /* not finite: the motion ended before the window */
        carom_study_give_finite(call, name[i], value[i]);
}

static void give_columns(carom_study_call *call, const carom_drill_motion *m)
{
    static const char *const column[] = {"t", "bit", "top", "reference", "torque", "alpha", "pipe"};
    double *list = carom_study_take(call, (size_t)m->rows, sizeof *list);
    for (int c = 0; list && c < CAROM_DRILL_COLUMNS; c++) {
        for (int i = 0; i < m->rows; i++)
            list[i] = m->row[i * CAROM_DRILL_COLUMNS + c];
        carom_study_give_list(call, column[c], m->rows, list);
    }
}

static void give_slips(carom_study_call *call, const carom_drill_motion *m)
{
    const int count = m->slips < SLIPS_KEPT ? m->slips : SLIPS_KEPT;
    double start[SLIPS_KEPT], duration[SLIPS_KEPT], peak[SLIPS_KEPT];
    for (int i = 0; i < count; i++) {
        const carom_drill_slip *slip = &m->slip[m->slips - count + i];
        start[i] = slip->start;
        duration[i] = slip->duration;
        peak[i] = slip->peak_rpm;
    }
    carom_study_give_list(call, "slip_start", count, start);
    carom_study_give_list(call, "slip_duration", count, duration);
    carom_study_give_list(call, "slip_peak_rpm", count, peak);
    carom_study_give_number(call, "slips_per_period", m->slips_per_period);
}

static void give_motion(carom_study_call *call, const carom_drill_motion *m, int discs,
                        const carom_drill_window watch[2])
{
    static const char *const late[7] = {"bit_min_rpm", "bit_max_rpm", "top_min_rpm",   "top_max_rpm",
                                        "torque_min",  "torque_max",  "stick_fraction"};
    static const char *const early[7] = {"early_bit_min_rpm",   "early_bit_max_rpm", "early_top_min_rpm",
                                         "early_top_max_rpm",   "early_torque_min",  "early_torque_max",
                                         "early_stick_fraction"};
    double moves[DRILL_DISCS_MOST];
    for (int i = 0; i < discs && i < DRILL_DISCS_MOST; i++)
        moves[i] = isnan(m->first_move[i]) ? -1.0 : m->first_move[i];
    give_columns(call, m);
    give_slips(call, m);
    carom_study_give_list(call, "first_moves", discs, moves);
    carom_study_give_finite(call, "first_move", m->first_move[0]);
    carom_study_give_finite(call, "first_stick", m->first_stick);
    carom_study_give_finite(call, "period", m->period);
    carom_study_give_number(call, "steps", (double)m->steps);
    give_window(call, &watch[0], late);
    give_window(call, &watch[1], early);
}

static carom_drill_request read_request(carom_study_call *call, drill_data *data)
{
    carom_drill_request q = carom_drill_request_defaults();
    q.constant = carom_study_flag(call, "constant");
    q.rpm = drill_number(call, "rpm", data->string, true, 5.5, 55.0);
    const double first = drill_number(call, "first_rpm", data->string, !q.constant, 3.5, 35.0);
    const double Tini = drill_number(call, "Tini", data->string, !q.constant, 0.136, 850.0);
    const double stick_from = carom_study_number(call, "stick_from");
    q.first_rpm = isnan(first) ? q.rpm : first; /* nothing of it when the set point is constant */
    q.Tini = isnan(Tini) ? 0.0 : Tini;
    q.theta = carom_study_number(call, "theta");
    q.h = carom_study_number(call, "h");
    q.t_end = carom_study_number(call, "t_end");
    q.limit = carom_study_number(call, "limit");
    q.kick = carom_study_number(call, "kick");
    q.stick_from = !isnan(stick_from) ? stick_from : q.constant ? 0.0 : q.begin;
    q.switch_time = carom_study_number(call, "switch_at");
    data->next_rq = carom_study_number(call, "switch_rq");
    q.outputs = (int)carom_study_number(call, "outputs");
    if (q.outputs == 0)
        q.outputs = -1;
    q.progress = call->progress;
    double *const number[] = {&q.rpm, &q.first_rpm, &q.Tini,       &q.theta,
                              &q.h,   &q.t_end,     &q.stick_from, &q.switch_time};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        *number[i] = carom_exactly(*number[i]); /* zeros that are given are meant */
    return q;
}

/* A step that damps nearly as much as the string hides stick-slip, and nothing would tell. */
static carom_status check_damping(carom_study_call *call, const carom_drill_request *request)
{
    const double allowed = 0.2;
    carom_drill_damping damping = {0};
    const bool is_checked = request->theta > 0.5 && request->theta <= 1.0 && request->h > 0.0;
    carom_status status = CAROM_OK;
    if (is_checked)
        status = carom_drill_step_damping(request->string, request->h, request->theta, &damping, call->error);
    if (status != CAROM_OK || damping.scheme <= allowed * damping.physical)
        return status;
    return carom_study_fail(
        call, CAROM_BAD_INPUT,
        "theta = %g with h = %g s damps the mode of %.3g Hz at a rate of %.2g 1/s, the string itself at %.2g "
        "1/s: "
        "stick-slip would be lost; take theta = 0.5, which damps nothing, or h below %.2g s",
        request->theta, request->h, damping.hertz, damping.scheme, damping.physical,
        request->h * allowed * damping.physical / damping.scheme);
}

static carom_status compute(carom_study_call *call)
{
    drill_data data = drill_read(call, DRILL_NEEDS_FRICTION | DRILL_NEEDS_CONTROLLER);
    carom_drill_request request = read_request(call, &data);
    if (call->status != CAROM_OK)
        return call->status;
    const double from = carom_study_number(call, "from");
    carom_drill_window watch[2] = {
        {.from = isnan(from) ? fmax(0.0, request.t_end - 150.0) : from, .to = INFINITY},
        {.from = 110.0, .to = 200.0}}; /* weight and speed rise and settle */
    request.windows = 2;
    request.window = watch;
    drill_objects o = {0};
    carom_drill_motion *motion = NULL;
    carom_status status = drill_open(&data, &o, call->error);
    if (status == CAROM_OK) {
        request.string = o.string;
        request.controller = o.controller;
        request.next = o.next;
        status = check_damping(call, &request);
    }
    if (status == CAROM_OK)
        status = carom_drill_run(&request, &motion, call->error);
    if (status == CAROM_OK)
        status = look_at_set_point(call, &o, request.rpm);
    if (status == CAROM_OK)
        give_motion(call, motion, o.string->discs, watch);
    carom_drill_motion_free(motion);
    drill_close(&o);
    return status;
}

static const carom_study_input inputs[] = {
    DRILL_INPUTS,
    {"rpm", CAROM_STUDY_NUMBER, "rpm", "set point", .value = NAN,
     .usual = "5.5 for the setup, 55 at full scale"},
    {"first_rpm", CAROM_STUDY_NUMBER, "rpm", "set point off bottom", .value = NAN,
     .usual = "3.5 for the setup, 35 at full scale"},
    {"Tini", CAROM_STUDY_NUMBER, "N m", "bit torque off bottom", .value = NAN,
     .usual = "0.136 for the setup, 850 at full scale"},
    {"constant", CAROM_STUDY_FLAG, NULL, "set point and full weight on bit from the start", .value = 0.0},
    {"kick", CAROM_STUDY_NUMBER, NULL,
     "constant: start on the set point, the bit slower by this part; negative: from rest", .value = -1.0},
    {"limit", CAROM_STUDY_NUMBER, "N m", "largest torque of the top drive; 0: none", .value = 0.0},
    {"switch_rq", CAROM_STUDY_NUMBER, NULL, "lqg: weight after switch_at; 0: no switch", .value = 0.0},
    {"switch_at", CAROM_STUDY_NUMBER, "s", "time of the switch", .value = INFINITY},
    {"theta", CAROM_STUDY_NUMBER, NULL,
     "of the time step, 1/2 to 1; above 1/2 it damps: refused where that is more than a fifth of the "
     "string's damping",
     .value = 0.5},
    {"h", CAROM_STUDY_NUMBER, "s", "time step", .value = 1e-3},
    {"t_end", CAROM_STUDY_NUMBER, "s", "end", .value = 400.0},
    {"stick_from", CAROM_STUDY_NUMBER, "s", "first_stick and slips are looked for after this time",
     .value = NAN, .usual = "110, with constant 0"},
    {"from", CAROM_STUDY_NUMBER, "s", "extremes and stick_fraction are those after this time", .value = NAN,
     .usual = "t_end - 150"},
    {"outputs", CAROM_STUDY_NUMBER, NULL, "rows of the history", .value = 2000, .min = 0,
     .max = OUTPUTS_MOST},
    {0}};

static const carom_study_output outputs[] = {
    {"t", CAROM_STUDY_LIST, "s", "instants of the history"},
    {"bit", CAROM_STUDY_LIST, "rpm", "speed of the bit"},
    {"top", CAROM_STUDY_LIST, "rpm", "speed of the top drive"},
    {"reference", CAROM_STUDY_LIST, "rpm", "set point"},
    {"torque", CAROM_STUDY_LIST, "N m", "torque of the top drive"},
    {"alpha", CAROM_STUDY_LIST, NULL, "weight on bit, 0 to 1"},
    {"pipe", CAROM_STUDY_LIST, "N m", "torque in the pipe below the top drive"},
    {"first_moves", CAROM_STUDY_LIST, "s", "when each disc moves first; -1: never"},
    {"first_move", CAROM_STUDY_NUMBER, "s", "when the bit moves first; none: never"},
    {"first_stick", CAROM_STUDY_NUMBER, "s", "when the bit sticks first after stick_from; none: never"},
    {"period", CAROM_STUDY_NUMBER, "s", "of the pattern of slips; none without one"},
    {"slips_per_period", CAROM_STUDY_WHOLE, NULL, "slips in a period"},
    {"slip_start", CAROM_STUDY_LIST, "s", "starts of the last 64 slips at most"},
    {"slip_duration", CAROM_STUDY_LIST, "s", "how long they last"},
    {"slip_peak_rpm", CAROM_STUDY_LIST, "rpm", "their largest speeds"},
    {"stick_fraction", CAROM_STUDY_NUMBER, NULL, "part of the time after `from` in which the bit sticks"},
    {"bit_min_rpm", CAROM_STUDY_NUMBER, "rpm", "smallest speed of the bit then"},
    {"bit_max_rpm", CAROM_STUDY_NUMBER, "rpm", "largest speed of the bit then"},
    {"top_min_rpm", CAROM_STUDY_NUMBER, "rpm", "smallest speed of the top drive then"},
    {"top_max_rpm", CAROM_STUDY_NUMBER, "rpm", "largest speed of the top drive then"},
    {"torque_min", CAROM_STUDY_NUMBER, "N m", "smallest torque then"},
    {"torque_max", CAROM_STUDY_NUMBER, "N m", "largest torque then"},
    {"early_stick_fraction", CAROM_STUDY_NUMBER, NULL,
     "the same from 110 to 200 s; none when it ends before"},
    {"early_bit_min_rpm", CAROM_STUDY_NUMBER, "rpm", "likewise"},
    {"early_bit_max_rpm", CAROM_STUDY_NUMBER, "rpm", "likewise"},
    {"early_top_min_rpm", CAROM_STUDY_NUMBER, "rpm", "likewise"},
    {"early_top_max_rpm", CAROM_STUDY_NUMBER, "rpm", "likewise"},
    {"early_torque_min", CAROM_STUDY_NUMBER, "N m", "likewise"},
    {"early_torque_max", CAROM_STUDY_NUMBER, "N m", "likewise"},
    {"steps", CAROM_STUDY_WHOLE, NULL, "steps made"},
    {"unstable", CAROM_STUDY_FLAG, NULL, "whether the set point is"},
    {"slope", CAROM_STUDY_NUMBER, "N m s/rad", "slope of the bit's law at the set point, against speed"},
    {"critical_slope", CAROM_STUDY_NUMBER, "N m s/rad",
     "slope that the loop bears, where the set point is unstable"},
    {"critical_rpm", CAROM_STUDY_NUMBER, "rpm", "speed above which it is stable"},
    {0}};

const carom_study_ops study_drill_run = {.name = "drill_run",
                                         .summary = "motion of a drill string with friction and a controller",
                                         .inputs = inputs,
                                         .outputs = outputs,
                                         .compute = compute};
