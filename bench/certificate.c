/* What the certificate of a run costs: the same runs with it and without, in turn.
 *
 *   certificate [RUN]                  rows: name, steps, nanoseconds of a step without it, and what it adds
 *   certificate RUN with|without       makes one run, whose instructions others count (bench/run-certificate)
 *   certificate names                  of the runs
 *
 * Run from the root of the source tree. */
#include "measure.h"

enum {
    TURNS_LEAST = 40
};
static const double turn_seconds_least = 4.0; /* of both together */

typedef struct certified_run {
    const char *name, *file, *text, *scheme;
    double h, until;
} certified_run;

static const char ball[] = "local x, y = coordinates('x', 'y')\n"
                           "mass(1)\n"
                           "potential(9.81 * y)\n"
                           "contact { 'floor', gap = y, slip = dot(x), restitution = 0.8, friction = 0.3 }\n"
                           "initial { y = 1, [dot(x)] = 1 }\n"
                           "integrate { h = 1e-5, until_t = 1 }\n";

static const char driven[] = "local x = coordinates('x')\n"
                             "mass(1)\n"
                             "potential(2 * x^2)\n"
                             "force { x = cos(3 * time()) - 0.2 * dot(x) }\n"
                             "contact { 'stop', gap = 0.3 - x, restitution = 0.8 }\n"
                             "integrate { scheme = 'event-driven', h = 0.05, until_t = 100 }\n";

/* A wall that moves, and is pushed for a while in every period. */
static const char shaken[] =
    "local y = coordinates('y')\n"
    "mass(1)\n"
    "potential(9.81 * y)\n"
    "contact { 'table', gap = y - 0.2 * sin(8 * time()), restitution = 0.2 }\n"
    "integrate { scheme = 'event-driven', h = 0.02, until_t = 20, zeno = 'continue' }\n";

static const char discs[] =
    "local n, r = 6, 0.1\n"
    "local names = {}\n"
    "for i = 1, n do names[2 * i - 1], names[2 * i] = 'x' .. i, 'y' .. i end\n"
    "local q, start = coordinates(names), {}\n"
    "mass(1)\n"
    "local function wall(i, name, gap, slip)\n"
    "  contact { name .. i, gap = gap, slip = slip, restitution = 0.3, friction = 0.4 }\n"
    "end\n"
    "for i = 1, n do\n"
    "  local x, y = q[2 * i - 1], q[2 * i]\n"
    "  potential(9.81 * y)\n"
    "  start[names[2 * i - 1]], start[names[2 * i]] = 0.15 + 0.13 * (i % 3), 0.2 + 0.25 * i\n"
    "  wall(i, 'floor', y - r, dot(x))\n"
    "  wall(i, 'left', x - r, dot(y))\n"
    "  wall(i, 'right', 0.6 - x - r, dot(y))\n"
    "  for j = 1, i - 1 do\n"
    "    local dx, dy = x - q[2 * j - 1], y - q[2 * j]\n"
    "    local d = hypot(dx, dy)\n"
    "    contact { 'pair' .. i .. '-' .. j, gap = d - 2 * r, restitution = 0.3, friction = 0.4,\n"
    "              slip = ((dot(x) - dot(q[2 * j - 1])) * dy - (dot(y) - dot(q[2 * j])) * dx) / d }\n"
    "  end\n"
    "end\n"
    "initial(start)\n"
    "integrate { h = 5e-4, until_t = 1 }\n";

/* NAN, NULL: as the file says. */
static const certified_run runs[] = {
    {"ball", NULL, ball, NULL, NAN, NAN},
    {"driven", NULL, driven, NULL, NAN, NAN},
    {"shaken", NULL, shaken, NULL, NAN, NAN},
    {"discs", NULL, discs, NULL, NAN, NAN},
    {"forced-chain", "experiments/thorin-2018/forced.lua", NULL, NULL, NAN, 50},
    {"forced-chain-events", "experiments/thorin-2018/forced.lua", NULL, "event-driven", 0.1, 30},
    {"guided-pipe", "experiments/paoli-2001/guided-pipe.lua", NULL, NULL, NAN, NAN},
    {"beam-convex", "experiments/dumont-paoli-2008/convex.lua", NULL, NULL, NAN, NAN},
    {"double-pendulum", "experiments/dzonou-2007/double-pendulum.lua", NULL, NULL, 1e-4, NAN},
    {"pendulum-events", "experiments/dzonou-2007/double-pendulum.lua", NULL, "event-driven", NAN, NAN},
    {"four-bar", "experiments/mechanisms/four-bar.lua", NULL, NULL, NAN, NAN},
    {"energy-sink", "experiments/lamarque-2018/energy-sink.lua", NULL, NULL, NAN, 50},
};

static double seconds_of(const carom_run_request *request, long *steps)
{
    const double started = processor_seconds();
    carom_run_result result = run(request);
    const double seconds = processor_seconds() - started;
    *steps = result.steps;
    carom_run_result_free(&result);
    return seconds;
}

static carom_experiment *load_run(const certified_run *one)
{
    return load(&(carom_load_request){.name = one->name, .file = one->file, .text = one->text});
}

static carom_run_request request_of(const certified_run *one, const carom_experiment *experiment)
{
    return (carom_run_request){.experiment = experiment,
                               .scheme = one->scheme,
                               .h = one->h,
                               .until = one->until,
                               .no_studies = true};
}

/* The best of each kind: what disturbs a run makes it longer. */
static void measure(const certified_run *one)
{
    carom_experiment *experiment = load_run(one);
    carom_run_request request = request_of(one, experiment);
    double with = INFINITY, without = INFINITY, spent = 0.0;
    long steps = 0;
    for (int i = 0; i < TURNS_LEAST || spent < turn_seconds_least; i++) {
        request.no_certificate = i % 2 == 0;
        const double first = seconds_of(&request, &steps);
        request.no_certificate = !request.no_certificate;
        const double second = seconds_of(&request, &steps);
        without = fmin(without, i % 2 == 0 ? first : second);
        with = fmin(with, i % 2 == 0 ? second : first);
        spent += first + second;
    }
    printf("%-20s %8ld steps %10.1f ns/step %+6.1f %%\n", one->name, steps, 1e9 * without / (double)steps,
           100.0 * (with / without - 1.0));
    fflush(stdout);
    carom_experiment_free(experiment);
}

static void run_once(const certified_run *one, bool with)
{
    carom_experiment *experiment = load_run(one);
    carom_run_request request = request_of(one, experiment);
    request.no_certificate = !with;
    long steps;
    seconds_of(&request, &steps);
    printf("%ld\n", steps);
    carom_experiment_free(experiment);
}

int main(int argc, char **argv)
{
    const size_t count = sizeof runs / sizeof *runs;
    const bool names = argc == 2 && strcmp(argv[1], "names") == 0;
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        if (argc > 1 && !names && strcmp(argv[1], runs[i].name) != 0)
            continue;
        found = true;
        if (names)
            puts(runs[i].name);
        else if (argc == 3)
            run_once(&runs[i], strcmp(argv[2], "with") == 0);
        else
            measure(&runs[i]);
    }
    if (!found)
        fprintf(stderr, "%s is not a run: take one of those that `certificate names` prints\n", argv[1]);
    return found ? EXIT_SUCCESS : 2;
}
