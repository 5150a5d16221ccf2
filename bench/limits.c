/* What parts of carom reach of what the machine can do: memory, arithmetic, and the least work of each part, measured here.
 *
 *   limits      one table; docs/limits.md says how to read it
 *
 * One core; seconds of the processor, best of several runs. A limit is a loop that moves the same bytes or does the same
 * operations and nothing else. */
#include <fcntl.h>
#include <unistd.h>

#include "measure.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

static volatile double sink; /* results that nobody looks at are computed all the same */

static double batch_seconds(void (*call)(void *), void *context, long calls)
{
    const double started = processor_seconds();
    for (long i = 0; i < calls; i++)
        call(context);
    return processor_seconds() - started;
}

/* Seconds of one call, best of several batches, each long enough for the clock. */
static double seconds_of(void (*call)(void *), void *context)
{
    long calls = 1;
    double first = batch_seconds(call, context, calls);
    while (first < 5e-3) {
        calls *= 2;
        first = batch_seconds(call, context, calls);
    }
    double best = first, spent = first;
    for (int i = 1; i < RUNS_LEAST || spent < seconds_least; i++) {
        const double seconds = batch_seconds(call, context, calls);
        best = fmin(best, seconds);
        spent += seconds;
    }
    return best / (double)calls;
}

static double *numbers(size_t count)
{
    double *x = carom_new_array(count, sizeof *x);
    if (!x)
        exit(EXIT_FAILURE);
    for (size_t i = 0; i < count; i++)
        x[i] = 0.5 + (double)(i % 97) / 97.0;
    return x;
}

/* A row of the table: rates in the same unit, larger is better. */
static void row(const char *what, double reached, double possible, const char *unit)
{
    printf("%-62s %9.2f %9.2f %-8s %5.1f\n", what, reached, possible, unit, possible / reached);
}

/* ---- the machine ------------------------------------------------------------------------------------------ */

typedef struct arrays {
    size_t count;
    double *a, *b, *c;
} arrays;

static void triad(void *context)
{
    const arrays *s = context;
    for (size_t i = 0; i < s->count; i++)
        s->a[i] = s->b[i] + 3.0 * s->c[i];
}

/* Four sums at a time, so that additions do not wait for each other. */
static void read_plain(void *context)
{
    const arrays *s = context;
    double first = 0.0, second = 0.0, third = 0.0, fourth = 0.0;
    for (size_t i = 0; i + 4 <= s->count; i += 4) {
        first += s->a[i];
        second += s->a[i + 1];
        third += s->a[i + 2];
        fourth += s->a[i + 3];
    }
    sink = first + second + third + fourth;
}

#ifdef __x86_64__
__attribute__((target("avx2,fma"))) static void read_wide(void *context)
{
    const arrays *s = context;
    __m256d first = _mm256_setzero_pd(), second = first, third = first, fourth = first;
    for (size_t i = 0; i + 16 <= s->count; i += 16) {
        first = _mm256_add_pd(first, _mm256_loadu_pd(s->a + i));
        second = _mm256_add_pd(second, _mm256_loadu_pd(s->a + i + 4));
        third = _mm256_add_pd(third, _mm256_loadu_pd(s->a + i + 8));
        fourth = _mm256_add_pd(fourth, _mm256_loadu_pd(s->a + i + 12));
    }
    double result[4];
    _mm256_storeu_pd(result, _mm256_add_pd(_mm256_add_pd(first, second), _mm256_add_pd(third, fourth)));
    sink = result[0] + result[1] + result[2] + result[3];
}
#endif

static bool has_wide(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

static void read_all(void *context)
{
#ifdef __x86_64__
    if (has_wide()) {
        read_wide(context);
        return;
    }
#endif
    read_plain(context);
}

/* Bytes per second of reading a piece of memory again and again. */
static double read_rate(size_t bytes)
{
    arrays s = {.count = bytes / sizeof(double)};
    s.a = numbers(s.count);
    const double rate = (double)bytes / seconds_of(read_all, &s);
    free(s.a);
    return rate;
}

static double triad_rate(size_t bytes)
{
    arrays s = {.count = bytes / sizeof(double) / 3};
    s.a = numbers(s.count);
    s.b = numbers(s.count);
    s.c = numbers(s.count);
    const double rate = 3.0 * (double)(s.count * sizeof(double)) / seconds_of(triad, &s);
    free(s.a);
    free(s.b);
    free(s.c);
    return rate;
}

enum {
    ROUNDS = 100000,
    CHAINS = 8 /* as many as it takes not to wait; written one by one, so that they stay in registers */
};

#ifdef __x86_64__
__attribute__((target("avx2,fma"))) static void wide_sums(void *context)
{
    const __m256d by = _mm256_set1_pd(0.999999), plus = _mm256_set1_pd(1e-6);
    const __m256d start = _mm256_set1_pd(sink); /* others for each, unknown to the compiler */
    __m256d a = start, b = _mm256_add_pd(a, by), c = _mm256_add_pd(b, by), d = _mm256_add_pd(c, by),
            e = _mm256_add_pd(d, by), f = _mm256_add_pd(e, by), g = _mm256_add_pd(f, by),
            h = _mm256_add_pd(g, by);
    (void)context;
    for (int i = 0; i < ROUNDS; i++) {
        a = _mm256_fmadd_pd(a, by, plus);
        b = _mm256_fmadd_pd(b, by, plus);
        c = _mm256_fmadd_pd(c, by, plus);
        d = _mm256_fmadd_pd(d, by, plus);
        e = _mm256_fmadd_pd(e, by, plus);
        f = _mm256_fmadd_pd(f, by, plus);
        g = _mm256_fmadd_pd(g, by, plus);
        h = _mm256_fmadd_pd(h, by, plus);
    }
    double result[4];
    _mm256_storeu_pd(result, _mm256_add_pd(_mm256_add_pd(_mm256_add_pd(a, b), _mm256_add_pd(c, d)),
                                           _mm256_add_pd(_mm256_add_pd(e, f), _mm256_add_pd(g, h))));
    sink = result[0];
}
#endif

static void plain_sums(void *context)
{
    double a = sink, b = a + 1.0, c = b + 1.0, d = c + 1.0, e = d + 1.0, f = e + 1.0, g = f + 1.0,
           h = g + 1.0;
    (void)context;
    for (int i = 0; i < ROUNDS; i++) {
        a = a * 0.999999 + 1e-6;
        b = b * 0.999999 + 1e-6;
        c = c * 0.999999 + 1e-6;
        d = d * 0.999999 + 1e-6;
        e = e * 0.999999 + 1e-6;
        f = f * 0.999999 + 1e-6;
        g = g * 0.999999 + 1e-6;
        h = h * 0.999999 + 1e-6;
    }
    sink = a + b + c + d + e + f + g + h;
}

/* Multiplications and additions per second: of vectors with both in one instruction, where the machine has them. */
static double peak_rate(void)
{
    const double each = 2.0 * ROUNDS * CHAINS, plain = each / seconds_of(plain_sums, NULL);
#ifdef __x86_64__
    if (has_wide())
        return fmax(plain, 4.0 * each / seconds_of(wide_sums, NULL));
#endif
    return plain;
}

/* ---- tapes ------------------------------------------------------------------------------------------------ */

typedef struct tape_run {
    carom_tape *tape;
    double *work, *q, *u, *out;
} tape_run;

static void evaluate(void *context)
{
    tape_run *s = context;
    carom_tape_evaluate(s->tape, s->work, &(carom_inputs){.q = s->q, .u = s->u}, s->out);
}

/* The least that instructions with operands at any place can do: two numbers from there, one to the next. */
typedef struct bare_run {
    int count;
    int *a, *b;
    double *work;
} bare_run;

static void bare(void *context)
{
    const bare_run *s = context;
    double *to = s->work + s->count;
    for (int i = 0; i < s->count; i++)
        to[i] = s->work[s->a[i]] + s->work[s->b[i]];
}

/* Forces in a chain of masses with springs and dampers. */
static void show_tapes(int masses)
{
    carom_graph *g = carom_graph_create(0);
    carom_node *force = carom_new_array((size_t)masses, sizeof *force);
    const carom_node k = carom_leaf(g, CAROM_OP_PARAMETER, 0), c = carom_leaf(g, CAROM_OP_PARAMETER, 1);
    for (int i = 0; force && i < masses; i++) {
        const carom_node x = carom_leaf(g, CAROM_OP_COORDINATE, i + 1),
                         left = carom_binary(g, CAROM_OP_SUB, carom_leaf(g, CAROM_OP_COORDINATE, i), x),
                         right = carom_binary(g, CAROM_OP_SUB, carom_leaf(g, CAROM_OP_COORDINATE, i + 2), x),
                         pull = carom_binary(g, CAROM_OP_MUL, k, carom_binary(g, CAROM_OP_ADD, left, right));
        force[i] = carom_binary(g, CAROM_OP_SUB, pull,
                                carom_binary(g, CAROM_OP_MUL, c, carom_leaf(g, CAROM_OP_VELOCITY, i)));
    }
    tape_run s = {.tape = force ? carom_tape_compile(g, masses, force) : NULL};
    if (!s.tape)
        exit(EXIT_FAILURE);
    s.work = numbers(carom_tape_work_size(s.tape));
    s.q = numbers((size_t)masses + 2);
    s.u = numbers((size_t)masses);
    s.out = numbers((size_t)masses);
    carom_tape_bind(s.tape, (const double[]){2.0, 0.1}, s.work);
    const int length = carom_tape_length(s.tape);
    bare_run limit = {.count = length, .work = numbers(2 * (size_t)length)};
    limit.a = carom_new_array((size_t)length, sizeof *limit.a);
    limit.b = carom_new_array((size_t)length, sizeof *limit.b);
    for (int i = 0; i < length; i++) {
        limit.a[i] = i;
        limit.b[i] = (7 * i) % length;
    }
    char what[80];
    const double possible = 1e-9 * length / seconds_of(bare, &limit);
    snprintf(what, sizeof what, "tape, %d instructions, interpreted", length);
    row(what, 1e-9 * length / seconds_of(evaluate, &s), possible, "instr/ns");
    if (carom_graph_to_machine(g) > 0) {
        snprintf(what, sizeof what, "tape, %d instructions, as machine code", length);
        row(what, 1e-9 * length / seconds_of(evaluate, &s), possible, "instr/ns");
    }
    free(limit.a);
    free(limit.b);
    free(limit.work);
    free(s.work);
    free(s.q);
    free(s.u);
    free(s.out);
    carom_tape_free(s.tape);
    carom_graph_free(g);
    free(force);
}

/* ---- dense systems ---------------------------------------------------------------------------------------- */

typedef struct dense_run {
    int n;
    double *matrix, *factor, *x;
    int *pivot;
} dense_run;

static void factor(void *context)
{
    dense_run *s = context;
    memcpy(s->factor, s->matrix, (size_t)s->n * (size_t)s->n * sizeof *s->factor);
    carom_lu_factor(s->n, s->factor, s->pivot);
}

static void solve(void *context)
{
    dense_run *s = context;
    carom_lu_solve(s->n, s->factor, s->pivot, s->x);
}

static void show_dense(int n, double peak)
{
    const size_t entries = (size_t)n * (size_t)n;
    dense_run s = {.n = n, .matrix = numbers(entries), .factor = numbers(entries), .x = numbers((size_t)n)};
    s.pivot = carom_new_array((size_t)n, sizeof *s.pivot);
    for (int i = 0; i < n; i++)
        s.matrix[(ptrdiff_t)i * (n + 1)] += n;
    char what[80];
    snprintf(what, sizeof what, "factor of a dense matrix, %d rows", n);
    row(what, 1e-9 * 2.0 / 3.0 * (double)n * (double)entries / seconds_of(factor, &s), 1e-9 * peak,
        "Gflop/s");
    factor(&s);
    const double bytes = (double)entries * sizeof(double);
    snprintf(what, sizeof what, "solve with it");
    row(what, 1e-9 * bytes / seconds_of(solve, &s), 1e-9 * read_rate((size_t)bytes), "GB/s");
    free(s.matrix);
    free(s.factor);
    free(s.x);
    free(s.pivot);
}

/* ---- sweeps over contacts --------------------------------------------------------------------------------- */

typedef struct contact_grid {
    int contacts;
    int *row_start, *column, *diagonal;
    double *block, *q, *mu, *r;
    double bytes; /* of the matrix */
} contact_grid;

static void add_block(contact_grid *grid, int *place, int contact, double value)
{
    grid->column[*place] = contact;
    for (int i = 0; i < 3; i++)
        grid->block[9 * (ptrdiff_t)*place + 4 * (ptrdiff_t)i] = value;
    ++*place;
}

/* Contacts on a square, each coupled to its neighbours, pressed and dragged. */
static contact_grid make_grid(int side)
{
    const int n = side * side;
    const size_t count = (size_t)n;
    contact_grid grid = {.contacts = n,
                         .row_start = carom_new_array(count + 1, sizeof(int)),
                         .column = carom_new_array(5 * count, sizeof(int)),
                         .diagonal = carom_new_array(count, sizeof(int)),
                         .block = carom_new_array(45 * count, sizeof(double)),
                         .q = carom_new_array(3 * count, sizeof(double)),
                         .mu = carom_new_array(count, sizeof(double)),
                         .r = carom_new_array(3 * count, sizeof(double))};
    if (!grid.row_start || !grid.column || !grid.diagonal || !grid.block || !grid.q || !grid.mu || !grid.r)
        exit(EXIT_FAILURE);
    int place = 0;
    for (int i = 0; i < n; i++) {
        const int x = i % side, y = i / side;
        grid.row_start[i] = place;
        if (y > 0)
            add_block(&grid, &place, i - side, -0.249);
        if (x > 0)
            add_block(&grid, &place, i - 1, -0.249);
        grid.diagonal[i] = place;
        add_block(&grid, &place, i, 1.0);
        if (x + 1 < side)
            add_block(&grid, &place, i + 1, -0.249);
        if (y + 1 < side)
            add_block(&grid, &place, i + side, -0.249);
        grid.q[3 * (ptrdiff_t)i] = -1.0;
        grid.q[3 * (ptrdiff_t)i + 1] = 0.2 + 0.001 * (i % 11);
        grid.mu[i] = 0.3;
    }
    grid.row_start[n] = place;
    grid.bytes = (double)place * (9 * sizeof(double) + sizeof(int)) + (double)n * (10 * sizeof(double));
    return grid;
}

static double sweep_seconds(contact_grid *grid, int sweeps)
{
    const carom_solver_ops *solver = carom_solver_find(CAROM_PROBLEM_COULOMB, "nsgs", NULL);
    const carom_coulomb problem = {
        .contacts = grid->contacts,
        .W = {grid->contacts, grid->row_start, grid->column, grid->diagonal, grid->block},
        .q = grid->q,
        .mu = grid->mu};
    const carom_solver_options limits = {.tolerance = 1e-15, .max_iterations = sweeps};
    double best = INFINITY;
    for (int i = 0; i < RUNS_LEAST; i++) {
        carom_solve_report report;
        carom_error error;
        memset(grid->r, 0, 3 * (size_t)grid->contacts * sizeof *grid->r);
        const double started = processor_seconds();
        const carom_status status = carom_coulomb_solve(solver, &problem, &limits, grid->r, &report, &error);
        best = fmin(best, processor_seconds() - started);
        if ((status != CAROM_OK && status != CAROM_FAILED) || report.iterations != sweeps)
            stop("sweeps", &error);
    }
    return best;
}

static void show_sweeps(int side)
{
    contact_grid grid = make_grid(side);
    const int few = 5, many = grid.contacts < 10000 ? 205 : 15;
    const double seconds = (sweep_seconds(&grid, many) - sweep_seconds(&grid, few)) / (many - few);
    char what[80];
    snprintf(what, sizeof what, "sweep over %d frictional contacts, %.2g MB", grid.contacts,
             1e-6 * grid.bytes);
    row(what, 1e-9 * grid.bytes / seconds, 1e-9 * read_rate((size_t)grid.bytes), "GB/s");
    printf("%-62s %9.1f ns per contact\n", "", 1e9 * seconds / grid.contacts);
    free(grid.row_start);
    free(grid.column);
    free(grid.diagonal);
    free(grid.block);
    free(grid.q);
    free(grid.mu);
    free(grid.r);
}

/* ---- recording -------------------------------------------------------------------------------------------- */

static const char ball[] = "local x, y, phi = coordinates('x', 'y', 'phi')\n"
                           "mass { x = 1, y = 1, phi = 0.004 }\n"
                           "potential(9.81 * y)\n"
                           "contact { 'floor', gap = y - 0.1, restitution = 0.9 }\n"
                           "initial { y = 1 }\n"
                           "integrate { scheme = 'moreau-jean', h = 1e-5, until_t = 10 }\n";

typedef struct write_run {
    const char *path;
    size_t bytes;
    char *block;
} write_run;

enum {
    WRITE_BYTES = 1 << 18
};

static void write_plain(void *context)
{
    const write_run *s = context;
    const int file = open(s->path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (size_t done = 0; file >= 0 && done < s->bytes; done += WRITE_BYTES)
        if (write(file, s->block, WRITE_BYTES) != WRITE_BYTES)
            exit(EXIT_FAILURE);
    if (file < 0 || close(file) != 0)
        exit(EXIT_FAILURE);
}

static double record_seconds(carom_experiment *experiment, const char *path, bool table)
{
    double best = INFINITY;
    for (int i = 0; i < RUNS_LEAST; i++) {
        carom_error error = {0};
        carom_run_writer *writer = NULL;
        carom_csv_writer csv;
        carom_recorder recorder;
        FILE *stream = table ? fopen(path, "w") : NULL;
        const double started = processor_seconds();
        carom_status status = table ? carom_csv_begin(&csv, stream, experiment, &recorder, &error)
                                    : carom_run_writer_create(path, &writer, &error);
        if (status == CAROM_OK && !table)
            status = carom_run_writer_begin(writer, -1, experiment, NULL, &recorder, &error);
        if (status != CAROM_OK)
            stop("recording", &error);
        carom_run_result result =
            run(&(carom_run_request){.experiment = experiment, .recorder_count = 1, .recorder = &recorder});
        if (!table)
            carom_run_writer_end(writer, &result, &error);
        carom_run_result_free(&result);
        if (table ? fclose(stream) != 0 : carom_run_writer_close(writer, &error) != CAROM_OK)
            stop("recording", &error);
        best = fmin(best, processor_seconds() - started);
    }
    return best;
}

static void run_alone(void *context)
{
    carom_run_result result = run(&(carom_run_request){.experiment = context});
    carom_run_result_free(&result);
}

static void show_recording(const char *what, carom_experiment *experiment, const char *path, double alone,
                           bool table)
{
    write_run plain = {.path = path, .block = carom_new_array(WRITE_BYTES, 1)};
    const double seconds = record_seconds(experiment, path, table) - alone;
    FILE *file = fopen(path, "rb");
    if (!file || !plain.block || fseek(file, 0, SEEK_END) != 0)
        exit(EXIT_FAILURE);
    plain.bytes = (size_t)ftell(file);
    fclose(file);
    row(what, 1e-9 * (double)plain.bytes / seconds,
        1e-9 * (double)plain.bytes / seconds_of(write_plain, &plain), "GB/s");
    unlink(path);
    free(plain.block);
}

int main(void)
{
    enum {
        MEMORY = 3 << 25, /* beyond all caches */
        CACHE = 3 << 17
    };
    const double peak = peak_rate();
    printf("this machine, one core\n");
    printf("  memory: triad %.1f GB/s, reading %.1f GB/s; cache of %d kB: %.1f and %.1f GB/s\n",
           1e-9 * triad_rate(MEMORY), 1e-9 * read_rate(MEMORY), CACHE / 1024, 1e-9 * triad_rate(CACHE),
           1e-9 * read_rate(CACHE));
    printf("  arithmetic: %.1f Gflop/s\n\n", 1e-9 * peak);
    printf("%-62s %9s %9s %-8s %5s\n", "part", "reached", "possible", "", "ratio");
    show_tapes(1);
    show_tapes(50);
    show_tapes(2000);
    show_dense(128, peak);
    show_dense(512, peak);
    show_sweeps(30);
    show_sweeps(300);
    char path[] = "/tmp/carom-limits-XXXXXX";
    const int file = mkstemp(path);
    if (file < 0)
        exit(EXIT_FAILURE);
    close(file);
    carom_experiment *experiment = load(&(carom_load_request){.name = "ball", .text = ball});
    const double alone = seconds_of(run_alone, experiment);
    show_recording("run file of a million steps of a ball", experiment, path, alone, false);
    show_recording("the same as CSV", experiment, path, alone, true);
    printf("%-62s %9.1f ns per step without recording\n", "", 1e3 * alone);
    carom_experiment_free(experiment);
    return EXIT_SUCCESS;
}
