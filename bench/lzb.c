/* Law lzb on a chain of Hertz beads of steel that is struck at one end.
 *
 *   lzb                   1000 beads by steps of time of 1e-8 s, by the default method and by steps of
 * impulse lzb BEADS STEP        steps of impulse only, for the comparison with Siconos
 *
 * Rows:  lzb METHOD BEADS STEPS SECONDS V1 V_LAST-1 V_LAST DISPERSION ENERGY,  best of 3 runs (of more when
 * they are short). Seconds are those of carom_impact_solve, with everything but the memory. */
#include "measure.h"

/* E = 203 GPa, nu = 0.3, r = 0.01 m, 7780 kg/m^3 (Nguyen and Brogliato 2018). */
static const double bead_mass = 0.0325887878, contact_stiffness = 1.0515947e10;

enum {
    REPETITIONS = 3
};

typedef struct beads {
    int count;
    carom_arena *arena;
    carom_impact impact;
    carom_impact_work *work;
    carom_impact_result result;
} beads;

static void *take(beads *b, size_t count, size_t size)
{
    void *memory = carom_arena_take(b->arena, count, size);
    if (!memory)
        exit(EXIT_FAILURE);
    return memory;
}

static double *constant(beads *b, size_t count, double value)
{
    double *x = take(b, count, sizeof *x);
    for (size_t i = 0; i < count; i++)
        x[i] = value;
    return x;
}

static void make(beads *b, int count)
{
    *b = (beads){.count = count, .arena = carom_arena_create()};
    if (!b->arena)
        exit(EXIT_FAILURE);
    const size_t n = (size_t)count, contacts = n - 1;
    double *velocity = take(b, n, sizeof *velocity), *value = take(b, 2 * contacts, sizeof *value);
    int *start = take(b, n, sizeof *start), *row = take(b, 2 * contacts, sizeof *row);
    velocity[0] = 1.0;
    for (int j = 0; j + 1 < count; j++) {
        start[j + 1] = 2 * (j + 1);
        for (int side = 0; side < 2; side++) {
            row[2 * j + side] = j + side;
            value[2 * j + side] = side ? 1.0 : -1.0;
        }
    }
    b->impact = (carom_impact){.coordinates = count,
                               .contacts = count - 1,
                               .masses = constant(b, n, bead_mass),
                               .column_start = start,
                               .row = row,
                               .value = value,
                               .velocity = velocity,
                               .restitution = constant(b, contacts, 1.0),
                               .stiffness = constant(b, contacts, contact_stiffness)};
    b->result = (carom_impact_result){.velocity = take(b, n, sizeof(double)),
                                      .impulse = take(b, contacts, sizeof(double))};
    carom_error error;
    const carom_impact_sizes sizes = carom_impact_sizes_of(&b->impact);
    if (carom_impact_work_create(&carom_impact_lzb, &sizes, &b->work, &error) != CAROM_OK)
        stop("lzb", &error);
}

static void release(beads *b)
{
    carom_impact_work_free(b->work);
    carom_arena_free(b->arena);
}

/* Standard deviation of the beads' energies over their mean. */
static double dispersion(const beads *b)
{
    double mean = 0.0, square = 0.0;
    for (int i = 0; i < b->count; i++)
        mean += b->result.velocity[i] * b->result.velocity[i] / b->count;
    for (int i = 0; i < b->count; i++) {
        const double apart = b->result.velocity[i] * b->result.velocity[i] - mean;
        square += apart * apart / b->count;
    }
    return sqrt(square) / mean;
}

static void measure(beads *b, carom_lzb_method method, const char *name, double step)
{
    carom_impact_options options = carom_impact_defaults();
    options.method = method;
    options.step = step;
    if (method != CAROM_LZB_EVENTS) {
        options.velocity_tolerance = 1e-6;
        options.energy_tolerance = 1e-14;
    }
    double best = INFINITY, spent = 0.0;
    for (int i = 0; i < REPETITIONS || spent < seconds_least; i++) {
        carom_error error;
        const double started = processor_seconds();
        if (carom_impact_solve(b->work, &b->impact, &options, &b->result, &error) != CAROM_OK)
            stop("lzb", &error);
        const double seconds = processor_seconds() - started;
        best = fmin(best, seconds);
        spent += seconds;
    }
    if (b->result.word != CAROM_IMPACT_OK)
        exit(EXIT_FAILURE);
    const double *v = b->result.velocity;
    printf("lzb %s %d %ld %.6f %.9f %.9f %.9f %.5f %.2e\n", name, b->count, b->result.steps, best, v[0],
           v[b->count - 2], v[b->count - 1], dispersion(b),
           b->result.energy_after / b->result.energy_before - 1.0);
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? atoi(argv[1]) : 1000;
    if (!(argc == 1 || argc == 3) || count < 3) {
        fprintf(stderr, "usage: %s [BEADS STEP]\n", argv[0]);
        return 2;
    }
    beads b;
    make(&b, count);
    if (argc == 1) {
        measure(&b, CAROM_LZB_EVENTS, "events", 0.0);
        measure(&b, CAROM_LZB_TIME, "time", 1e-8);
        measure(&b, CAROM_LZB_TIME, "time", 1e-7);
    }
    measure(&b, CAROM_LZB_IMPULSE, "impulse", argc == 3 ? atof(argv[2]) : 1e-5);
    release(&b);
    return EXIT_SUCCESS;
}
