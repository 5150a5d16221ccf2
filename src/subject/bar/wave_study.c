/* bar_wave { cells =, steps =, ... }: wave finite elements from a start. */
#include "study_inputs.h"

enum {
    STEPS_PER_REPORT = 1 << 16
};

/* A force on the bar and a motion of its wall, both harmonic. */
typedef struct bar_drive {
    double force, wall, wall_amplitude, omega;
} bar_drive;

static double harmonic_force(void *context, double x, double t)
{
    const bar_drive *drive = context;
    (void)x;
    return drive->force * sin(drive->omega * t);
}

static double moving_wall(void *context, double t)
{
    const bar_drive *drive = context;
    return drive->wall + drive->wall_amplitude * sin(drive->omega * t);
}

/* What is kept of a motion: the end at every step, and the fields at the end of the motion. */
typedef struct bar_history {
    double *t, *end, *energy;
    double *u, *v;
} bar_history;

static carom_status move(carom_study_call *call, carom_bar_wave *wave, const bar_start *start,
                         bar_history *history)
{
    carom_status status = carom_bar_wave_start(wave, start->displacement, start->velocity, call->error);
    for (int k = 0; status == CAROM_OK && k <= start->steps; k++) {
        if (k > 0)
            carom_bar_wave_step(wave, NULL);
        const carom_bar_wave_state now = carom_bar_wave_now(wave);
        history->t[k] = now.t;
        history->end[k] = now.right;
        history->energy[k] = carom_bar_wave_energy(wave);
        if (k % STEPS_PER_REPORT == 0 && carom_study_stopped(call, k, start->steps))
            return call->status;
    }
    if (status == CAROM_OK)
        carom_bar_wave_fields(wave, history->u, NULL, history->v);
    return status;
}

static void give(carom_study_call *call, const bar_start *start, const bar_history *history,
                 const carom_bar_wave_state *now)
{
    const int steps = start->steps;
    carom_study_give_list(call, "t", steps + 1, history->t);
    carom_study_give_list(call, "right_end", steps + 1, history->end);
    carom_study_give_number(call, "right", history->end[steps]);
    carom_study_give_list(call, "energy", steps + 1, history->energy);
    carom_study_give_number(call, "energy_start", history->energy[0]);
    carom_study_give_number(call, "energy_end", history->energy[steps]);
    carom_study_give_list(call, "u", start->cells + 1, history->u);
    carom_study_give_number(call, "impulse", now->impulse);
    carom_study_give_number(call, "phases", now->phases);
    carom_study_give_number(call, "contact_steps", (double)now->contact_steps);
    carom_study_give_number(call, "steps", steps);
    carom_study_give_number(call, "returns", bar_return(start, history->u, history->v));
}

static carom_status compute(carom_study_call *call)
{
    const carom_bar bar = bar_read(call);
    bar_start start;
    carom_status status = bar_read_start(call, &bar, &start);
    if (status != CAROM_OK)
        return status;
    bar_drive drive = {.force = carom_study_number(call, "force"),
                       .wall = bar.gap,
                       .wall_amplitude = carom_study_number(call, "wall_amplitude"),
                       .omega = carom_study_number(call, "omega")};
    carom_bar_wave_options options = carom_bar_wave_defaults();
    options.cells = start.cells;
    options.left = (carom_bar_end)carom_study_word(call, "left");
    options.spring = carom_study_number(call, "spring");
    options.no_wall = !carom_study_flag(call, "wall");
    options.context = &drive;
    if (drive.force != 0.0)
        options.body_force = harmonic_force;
    if (drive.wall_amplitude != 0.0)
        options.wall_place = moving_wall;
    const size_t size = (size_t)start.steps + 1, cells = (size_t)start.cells;
    bar_history history = {.t = carom_study_take(call, size, sizeof(double)),
                           .end = carom_study_take(call, size, sizeof(double)),
                           .energy = carom_study_take(call, size, sizeof(double)),
                           .u = carom_study_take(call, cells + 1, sizeof(double)),
                           .v = carom_study_take(call, cells, sizeof(double))};
    carom_bar_wave *wave = NULL;
    status = call->status;
    if (status == CAROM_OK)
        status = carom_bar_wave_create(&bar, &options, &wave, call->error);
    if (status == CAROM_OK)
        status = move(call, wave, &start, &history);
    if (status == CAROM_OK) {
        const carom_bar_wave_state now = carom_bar_wave_now(wave);
        give(call, &start, &history, &now);
    }
    carom_bar_wave_free(wave);
    return status;
}

static const char *const ends[] = {"fixed", "free", "spring", NULL};

static const carom_study_input inputs[] = {
    BAR_START_INPUTS,
    BAR_INPUTS,
    {"left", CAROM_STUDY_WORD, NULL, "the left end", .choices = ends},
    {"spring", CAROM_STUDY_NUMBER, "1/length", "left = \"spring\": u_x(0) = spring u(0)", .value = 0.0},
    {"wall", CAROM_STUDY_FLAG, NULL, "false: the right end is free", .value = 1.0},
    {"force", CAROM_STUDY_NUMBER, NULL, "body force per volume: force sin(omega t)", .value = 0.0},
    {"wall_amplitude", CAROM_STUDY_NUMBER, NULL, "the wall moves: g0 + wall_amplitude sin(omega t)",
     .value = 0.0},
    {"omega", CAROM_STUDY_NUMBER, NULL, "their frequency", .value = 0.0},
    {0}};

static const carom_study_output outputs[] = {
    {"t", CAROM_STUDY_LIST, NULL, "instants"},
    {"right_end", CAROM_STUDY_LIST, NULL, "displacement of the right end then"},
    {"energy", CAROM_STUDY_LIST, NULL, "energy then"},
    {"energy_start", CAROM_STUDY_NUMBER, NULL, "at the start"},
    {"energy_end", CAROM_STUDY_NUMBER, NULL, "at the end"},
    {"right", CAROM_STUDY_NUMBER, NULL, "displacement of the right end at the end"},
    {"u", CAROM_STUDY_LIST, NULL, "displacements of the nodes at the end"},
    {"impulse", CAROM_STUDY_NUMBER, NULL, "of the wall on the bar"},
    {"phases", CAROM_STUDY_WHOLE, NULL, "contact phases begun"},
    {"contact_steps", CAROM_STUDY_WHOLE, NULL, "steps in contact"},
    {"steps", CAROM_STUDY_WHOLE, NULL, "steps made"},
    {"returns", CAROM_STUDY_NUMBER, NULL,
     "largest difference of the state at the end from that at the start"},
    {0}};

const carom_study_ops study_bar_wave = {.name = "bar_wave",
                                        .summary = "a bar against a wall by wave finite elements",
                                        .inputs = inputs,
                                        .outputs = outputs,
                                        .compute = compute};
