/* Steps of several motions side by side: every kind of model that there is a form for, with parameters, starts and steps that differ
 * from lane to lane, has the bits of the same motions alone, whoever enters, leaves, waits or fails. */
#include "test/scheme/lane_motions.h"

#include "scheme/moreau_jean/moreau_jean.h"

/* `lane` is 0, 1, 2, 3; the other numbers depend on it where that is of use. */
#define LANE "local lane = param { 'lane', 0 }\n"
#define UNTIL "integrate { scheme = 'moreau-jean', h = 0.01, until_t = 10 }\n"

typedef struct example {
    const char *name, *text;
    double h;
    int steps;
    int least; /* percent of the steps that are made side by side; 0: 90 */
} example;

static const example examples[] = {
    {"pendulum without contacts",
     LANE "local a = coordinates('a')\nkinetic((1 + 0.1 * lane) * dot(a)^2 / 2)\npotential(-9.81 * cos(a))\n"
          "force { a = 0.3 * sin(2 * time()) - 0.1 * dot(a) }\ninitial { a = 1 + 0.5 * lane }\n" UNTIL,
     0.01, 300},
    {"double pendulum with a wall",
     LANE "local a, b = coordinates('a', 'b')\n"
          "kinetic((1 + 0.1 * lane) * dot(a)^2 + dot(b)^2 / 2 + cos(a - b) * dot(a) * dot(b))\n"
          "potential(-9.81 * (2 * cos(a) + cos(b)))\n"
          "contact { 'wall', gap = 0.8 - sin(a) - sin(b), restitution = 0.6 + 0.1 * lane }\n"
          "initial { a = -1 - 0.1 * lane, b = -0.5 }\n" UNTIL,
     0.004, 600},
    {"bead on a rod that turns",
     LANE "local s, a = coordinates('s', 'a')\n"
          "kinetic((dot(s)^2 + s^2 * dot(a)^2 + 0.1 * dot(a)^2) / 2)\npotential(9.81 * s * sin(a))\n"
          "contact { 'end', gap = s - 0.1, restitution = 0.3 * lane }\ncontact { 'stop', gap = 1.5 - s }\n"
          "initial { s = 1, [dot(a)] = 2 + 0.1 * lane }\n" UNTIL,
     0.005, 500},
    {"three coupled coordinates",
     LANE
     "local x, y, z = coordinates('x', 'y', 'z')\nmass { { 2, 0.3, 0 }, { 0.3, 1, 0.2 }, { 0, 0.2, 1.5 } }\n"
     "potential((x^2 + y^2 + z^2) / 2 + (x - y)^4 + (1 + lane) * (y - z)^4 / 2)\n"
     "force { x = cos(1.3 * time()) - 0.05 * dot(x), z = -0.1 * dot(z)^3 }\n"
     "contact { 'wall', gap = x + 0.3, restitution = 0.8 }\ncontact { 'bar', gap = z - y + 0.9, restitution "
     "= 0.5 }\n"
     "initial { x = 0.1 * lane, y = 0.5, [dot(z)] = 1 }\n" UNTIL,
     0.01, 600},
    {"three coordinates, linear",
     LANE "local x, y, z = coordinates('x', 'y', 'z')\nmass { x = 1, y = 2, z = 1 + 0.5 * lane }\n"
          "potential(5 * (x^2 + (x - y)^2 + (1 + lane) * (y - z)^2 + z^2))\n"
          "force { x = 3 * cos(2 * time()), y = -0.1 * dot(y) }\n"
          "contact { 'wall', gap = x + 0.2, restitution = 0.7 }\ncontact { 'other', gap = 0.4 - z, "
          "restitution = 0.9 }\n"
          "initial { x = 0.3, y = -0.1 * lane }\n" UNTIL,
     0.01, 500},
    {"ball on a floor",
     LANE
     "local y = coordinates('y')\nmass(1 + lane)\npotential(9.81 * (1 + lane) * y)\n"
     "contact { 'floor', gap = y, restitution = 0.9 - 0.1 * lane }\ninitial { y = 1 + 0.2 * lane }\n" UNTIL,
     0.003, 500},
    {"ball on a shaken floor",
     LANE "local y = coordinates('y')\nmass(1)\npotential(9.81 * y)\n"
          "contact { 'floor', gap = y - 0.05 * sin((8 + lane) * time()), restitution = 0.8 }\n"
          "initial { y = 0.3 + 0.1 * lane }\n" UNTIL,
     0.003, 600},
    {"inside of a circle",
     LANE "local x, y = coordinates('x', 'y')\nmass(1)\npotential(9.81 * y)\n"
          "contact { 'circle', gap = 1 - x^2 - y^2, restitution = 0.9 - 0.3 * lane }\n"
          "initial { x = 0.2 + 0.1 * lane, [dot(x)] = 1 }\n" UNTIL,
     0.004, 600},
    {"wall along a curve, mass that depends on the position",
     LANE "local x, y = coordinates('x', 'y')\n"
          "kinetic((1 + 0.2 * sin(x)^2) * dot(x)^2 / 2 + dot(y)^2 / 2 + 0.1 * cos(y) * dot(x) * dot(y))\n"
          "potential(9.81 * y + x^2)\n"
          "contact { 'hill', gap = y - 0.2 * cos(2 * x) - 0.03 * sin(5 * time()), restitution = 0.2 + 0.2 * "
          "lane }\n"
          "initial { x = 0.5 - 0.1 * lane, y = 1 }\n" UNTIL,
     0.004, 600},
    {"corner with two contacts at once",
     LANE "local x, y = coordinates('x', 'y')\nmass { { 1, 0.2 }, { 0.2, 1 } }\npotential(9.81 * (x + y))\n"
          "contact { 'left', gap = x, restitution = 0.5 }\ncontact { 'below', gap = y, restitution = 0.5 }\n"
          "initial { x = 1, y = 0.7 + 0.2 * lane }\n" UNTIL,
     0.01, 300, .least = 30},
    {"box with four walls",
     LANE
     "local x, y = coordinates('x', 'y')\nmass(1)\nforce { x = 0.5 * cos(time()), y = -0.02 * dot(y)^3 }\n"
     "contact { 'left', gap = x + 1, restitution = 1 }\ncontact { 'right', gap = 1 - x, restitution = 0.95 "
     "}\n"
     "contact { 'below', gap = y + 1, restitution = 0.9 }\ncontact { 'above', gap = 1 - y - 0.1 * x }\n"
     "initial { x = 0.1 * lane, [dot(x)] = 3, [dot(y)] = 2.5 + lane }\n" UNTIL,
     0.01, 600},
    {"friction",
     LANE "local x, y = coordinates('x', 'y')\nmass(1)\npotential(9.81 * y)\n"
          "contact { 'floor', gap = y, slip = dot(x), restitution = 0.8, friction = 0.1 + 0.1 * lane }\n"
          "initial { y = 1, [dot(x)] = 3 }\n" UNTIL,
     0.005, 500, .least = 30},
    {"turning frame, linear",
     LANE "local x, y = coordinates('x', 'y')\nmass(1)\n"
          "force { x = -4 * x + (1 + lane) * dot(y), y = -y - (1 + lane) * dot(x) }\n"
          "contact { 'wall', gap = x + 0.4, restitution = 0.9 }\ninitial { x = 0.5, [dot(y)] = 1 }\n" UNTIL,
     0.01, 500},
    {"turning frame, not linear",
     LANE "local x, y = coordinates('x', 'y')\nmass(1)\n"
          "force { x = -4 * x^3 + (1 + lane) * dot(y), y = -y - (1 + lane) * dot(x) }\n"
          "contact { 'wall', gap = x + 0.4, restitution = 0.9 }\n"
          "contact { 'other', gap = y + 0.5 + x * y / 4, restitution = 0.9 }\ninitial { x = 0.5, [dot(y)] = "
          "1 }\n" UNTIL,
     0.01, 500},
    /* the largest entries of the Newton matrix stand beside its diagonal, not in the same places in all lanes */
    {"light masses that turn fast",
     LANE "local a, b, c, d, e = coordinates('a', 'b', 'c', 'd', 'e')\nmass(0.01)\n"
          "local g, k = 10 * lane, 3 - lane\n"
          "force { a = g * dot(b) - a^3, b = -g * dot(a) + 4 * k * dot(e) - b, c = k * dot(d) - c - c^3,\n"
          "        d = -k * dot(c) - 5 * dot(e) - d, e = -4 * k * dot(b) + 5 * dot(d) - e^3 }\n"
          "initial { a = 0.5, c = 0.2 * lane, [dot(d)] = 1, [dot(e)] = -0.4 }\n" UNTIL,
     0.01, 400, .least = 70},
    /* each of the first columns has larger and larger entries */
    {"light masses, all coupled",
     LANE "local a, b, c, d = coordinates('a', 'b', 'c', 'd')\nmass(0.01)\nlocal g = 3 + lane\n"
          "force { a = g * (dot(b) + 2 * dot(c) + 3 * dot(d)) - a^3, b = g * (-dot(a) + dot(c) + 2 * dot(d)) "
          "- b,\n"
          "        c = g * (-2 * dot(a) - dot(b) + (2 - lane) * dot(d)) - c, d = g * (-3 * dot(a) - 2 * "
          "dot(b) - (2 - lane) * dot(c)) - d^3 }\n"
          "initial { a = 0.5, c = 0.2, [dot(d)] = 1 }\n" UNTIL,
     0.01, 300},
    {"light masses that turn fast, linear",
     LANE "local a, b, c = coordinates('a', 'b', 'c')\nmass(0.01)\nlocal g = 4 * lane\n"
          "force { a = g * dot(b) - a, b = -g * dot(a) + 2 * dot(c) - b, c = -2 * dot(b) - c }\n"
          "initial { a = 0.5, [dot(c)] = 1 }\n" UNTIL,
     0.01, 400},
    /* what couples them is zero in two lanes: the solver sees a diagonal matrix there */
    {"coupled in some lanes",
     LANE "local x, y = coordinates('x', 'y')\nlocal k = select(1.5 - lane, 0, lane)\nmass { { 1, 0 }, { 0, "
          "2 } }\n"
          "potential(x^4 + y^2 + k * x * y + k * (x - y)^4)\n"
          "contact { 'wall', gap = x + 0.4, restitution = 0.9 }\ninitial { x = 0.5, y = 0.2, [dot(x)] = 1 "
          "}\n" UNTIL,
     0.01, 400},
    {"kinks",
     LANE "local x, y = coordinates('x', 'y')\nmass(1)\n"
          "force { x = -select(x - 0.2, 9 * (x - 0.2), x - 0.2) - 0.1 * abs(dot(x)) * dot(x),\n"
          "        y = -max(y, 3 * y) - 2 * abs(x - 0.1 * lane) + 0.5 }\n"
          "contact { 'wall', gap = min(x + 0.5, x + y + 1), restitution = 0.8 }\n"
          "initial { x = 1 + 0.1 * lane, y = 0.5 }\n" UNTIL,
     0.01, 500},
    /* the derivatives of the force are constant, and yet one step of Newton's method need not be enough */
    {"jumps",
     LANE "local x, y = coordinates('x', 'y')\nmass(1)\n"
          "force { x = -4 * x + y + 0.5 * sign(x - 0.1 * lane), y = x - 3 * y + select(y, 0.2, -0.2) }\n"
          "contact { 'wall', gap = x + 0.5, restitution = 0.9 }\ninitial { x = 1, [dot(y)] = 1 }\n" UNTIL,
     0.01, 500},
    {"twenty coordinates without coupling",
     LANE "local names = {}\nfor i = 1, 20 do names[i] = 'x' .. i end\nlocal x = coordinates(names)\n"
          "mass(1 + 0.1 * lane)\nlocal f, start = {}, {}\n"
          "for i = 1, 20 do\n  f[x[i]] = -i * x[i] - x[i]^3 + cos((1 + 0.1 * i) * time())\n"
          "  start[x[i]] = 0.1 * i\nend\nforce(f)\n"
          "contact { 'first', gap = x[1] + 0.5, restitution = 0.8 }\ncontact { 'last', gap = x[20] + 0.9, "
          "restitution = 0.6 }\n"
          "initial(start)\n" UNTIL,
     0.01, 300},
    {"rebound that depends on the position",
     LANE "local x, y = coordinates('x', 'y')\nmass(1)\npotential(9.81 * y + x^2 / 2)\n"
          "contact { 'floor', gap = y, restitution = 0.5 + 0.4 * sin(3 * x)^2 }\n"
          "initial { x = 0.3 * lane, y = 1, [dot(x)] = 1 }\n" UNTIL,
     0.004, 600},
    {"mass that depends on time",
     LANE "local x = coordinates('x')\nmass(2 + sin((1 + lane) * time()))\npotential(9.81 * x)\n"
          "contact { 'floor', gap = x, restitution = 0.9 }\ninitial { x = 1 }\n" UNTIL,
     0.005, 500},
};

enum {
    EXAMPLES = sizeof examples / sizeof examples[0]
};

static carom_experiment *load(const char *text)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(&(carom_load_request){.file = "model.lua", .text = text}, &experiment,
                              &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

/* The parameter `lane`, which is the first, and a step of its own. */
static void begin(lane_motions *m, const carom_experiment *experiment, int lane, double h)
{
    const double parameter[] = {lane};
    lane_motions_begin(m, lane,
                       &(carom_run_request){.experiment = experiment,
                                            .parameter = parameter,
                                            .scheme = "moreau-jean",
                                            .h = h * (1.0 + 0.1 * lane)});
    if (!m->lanes)
        fail_msg("%s: there are no lanes", m->name);
    m->lanes->outputs = true;
}

/* ---- models ------------------------------------------------------------------------------------------ */

static void test_models(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        const example *of = &examples[k];
        carom_experiment *experiment = load(of->text);
        lane_motions m = {.name = of->name};
        for (int lane = 0; lane < CAROM_LANES; lane++) {
            begin(&m, experiment, lane, of->h);
            carom_error error;
            if (lane % 2) /* who watches has the velocity before the step */
                assert_true(carom_stepper_watch(m.alone[lane]->stepper, &error) == CAROM_OK &&
                            carom_stepper_watch(m.beside[lane]->stepper, &error) == CAROM_OK);
            lane_motions_enter(&m, lane);
        }
        long struck = 0, found = 0;
        for (int i = 0; i < of->steps; i++) {
            lane_motions_step(&m, CAROM_LANES_ALL);
            for (int lane = 0; lane < CAROM_LANES; lane++) {
                const carom_stepper *stepper = m.beside[lane]->stepper;
                found += stepper->energy != NULL;
                for (int c = 0; c < stepper->contacts; c++)
                    struck += stepper->state.impulse[3 * c] > 0.0;
            }
        }
        const long all = (long)of->steps * CAROM_LANES;
        assert_int_equal(m.lanes->beside + m.lanes->single, all);
        assert_int_equal(found, m.lanes->beside);
        if (m.lanes->beside < all * (of->least ? of->least : 90) / 100)
            fail_msg("%s: %ld of %ld steps were made side by side", of->name, m.lanes->beside, all);
        if (experiment->model->contacts > 0 && struck == 0)
            fail_msg("%s: no contact has acted", of->name);
        lane_motions_end(&m);
        carom_experiment_free(experiment);
    }
}

/* ---- who enters and leaves --------------------------------------------------------------------------- */

/* What later steps depend on beside the state. What else a snapshot has, no step reads. */
static void assert_same_memory(const lane_motions *m, int lane)
{
    const moreau_jean *alone = (const moreau_jean *)m->alone[lane]->stepper,
                      *beside = (const moreau_jean *)m->beside[lane]->stepper;
    const jean_past *a = &alone->past, *b = &beside->past;
    const size_t dof = (size_t)alone->stepper.dof;
    if (alone->force_known != beside->force_known || alone->clean != beside->clean ||
        a->smooth != b->smooth || a->active_count != b->active_count || alone->lcp.size != beside->lcp.size)
        fail_msg(
            "%s: force known %d, alone %d; clean %d, %d; smooth %d, %d; %d contacts, %d; problem of %d, %d",
            m->name, beside->force_known, alone->force_known, beside->clean, alone->clean, b->smooth,
            a->smooth, b->active_count, a->active_count, beside->lcp.size, alone->lcp.size);
    for (int i = 0; i < a->active_count; i++)
        assert_int_equal(a->active[i], b->active[i]);
    assert_same_numbers(m->name, "velocity one step before", dof, a->v, b->v);
    assert_same_numbers(m->name, "velocity two steps before", dof, a->v_earlier, b->v_earlier);
    if (alone->force_known)
        assert_same_numbers(m->name, "force", dof, alone->force_old, beside->force_old);
    if (alone->stepper.model->constant_force)
        assert_same_numbers(m->name, "constant force", dof, alone->force_new, beside->force_new);
    assert_same_numbers(m->name, "impulse of the problem", (size_t)alone->lcp.size, alone->lcp.z,
                        beside->lcp.z);
}

/* Another one that is given all that a motion beside others remembers goes on in its place. */
static void replace_by_restored(lane_motions *m, const carom_experiment *experiment, int lane, double h)
{
    lane_motions other = {.name = m->name, .lanes = m->lanes};
    carom_snapshot kept = {0};
    carom_error error = {0};
    begin(&other, experiment, lane, h);
    if (carom_stepping_save(m->beside[lane], &kept, &error) != CAROM_OK ||
        carom_stepping_restore(other.beside[lane], kept.bytes, kept.length, &error) != CAROM_OK)
        fail_msg("%s: %s", m->name, error.text);
    carom_snapshot_free(&kept);
    carom_stepping_free(m->beside[lane]);
    carom_stepping_free(other.alone[lane]);
    m->beside[lane] = other.beside[lane];
    assert_same_memory(m, lane);
}

/* Lanes step in any order and any number of times, wait, leave and go on alone, and enter again. */
static void test_lanes_come_and_go(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        const example *of = &examples[k];
        carom_experiment *experiment = load(of->text);
        carom_random random = {.state = 3 + (uint64_t)k};
        lane_motions m = {.name = of->name};
        for (int lane = 0; lane < CAROM_LANES; lane++)
            begin(&m, experiment, lane, of->h);
        for (int lane = 0; lane < CAROM_LANES; lane++) { /* some are on their way when they enter */
            for (int i = 0; i < 20 * lane; i++)
                lane_motions_step(&m, 1U << lane);
            lane_motions_enter(&m, lane);
        }
        for (int i = 0; i < of->steps; i++) {
            const unsigned waiting = (unsigned)carom_random_uniform(&random, 0.0, 2.0 * CAROM_LANES_ALL);
            const int lane = (int)carom_random_uniform(&random, 0.0, CAROM_LANES);
            lane_motions_step(&m, CAROM_LANES_ALL & ~(waiting <= CAROM_LANES_ALL ? waiting : 0));
            if (i % 7 != 0)
                continue;
            if (m.lanes->stepper[lane]) {
                carom_lanes_leave(m.lanes, lane);
                assert_null(m.lanes->stepper[lane]);
                assert_true(!m.beside[lane]->stepper->gap && !m.beside[lane]->stepper->energy);
                assert_same_memory(&m, lane);
                if (i % 2)
                    replace_by_restored(&m, experiment, lane, of->h);
            } else {
                lane_motions_enter(&m, lane);
            }
        }
        if (m.lanes->beside < of->steps / 4)
            fail_msg("%s: %ld steps were made side by side", of->name, m.lanes->beside);
        lane_motions_end(&m);
        carom_experiment_free(experiment);
    }
}

/* A lane alone is stepped alone; one whose stepper has gone takes another, in the middle of the motions of the others. */
static void test_lanes_change_hands(void **state)
{
    (void)state;
    const example *of = &examples[1];
    carom_experiment *experiment = load(of->text);
    lane_motions m = {.name = of->name};
    begin(&m, experiment, 2, of->h);
    lane_motions_enter(&m, 2);
    for (int i = 0; i < 20; i++)
        lane_motions_step(&m, 4);
    assert_int_equal(m.lanes->beside, 0);
    assert_int_equal(m.lanes->single, 20);
    assert_true(!m.beside[2]->stepper->gap && !m.beside[2]->stepper->energy); /* the model knows them */
    m.lanes->outputs = false;
    for (int lane = 0; lane < CAROM_LANES; lane += 1 + (lane == 1)) { /* those beside it */
        begin(&m, experiment, lane, of->h);
        m.lanes->outputs = false;
        lane_motions_enter(&m, lane);
    }
    for (int i = 0; i < 20; i++) {
        lane_motions_step(&m, CAROM_LANES_ALL);
        assert_true(!m.beside[1]->stepper->gap && !m.beside[1]->stepper->energy); /* nobody wants them */
    }
    assert_int_equal(m.lanes->beside, 4 * 20);
    carom_stepping_free(m.alone[1]);
    carom_stepping_free(m.beside[1]);
    const double parameter[] = {3.5};
    lane_motions_begin(&m, 1,
                       &(carom_run_request){.experiment = experiment, .parameter = parameter, .h = 0.003});
    lane_motions_enter(&m, 1);
    for (int i = 0; i < 300; i++)
        lane_motions_step(&m, CAROM_LANES_ALL);
    assert_true(m.lanes->beside > 1000);
    lane_motions_end(&m);
    carom_experiment_free(experiment);
}

/* ---- motions that fail --------------------------------------------------------------------------------- */

static const example failing[] = {
    {"force that is no number from some time on",
     LANE
     "local x, y = coordinates('x', 'y')\nmass(1)\n"
     "force { x = -x + 1e-3 * sqrt(0.5 + lane - time()), y = -y^3 + x }\ninitial { x = 1, y = 0.5 }\n" UNTIL,
     0.01, 250},
    {"force that is no number at some place, of a linear one",
     LANE
     "local x = coordinates('x')\nmass(1)\npotential(9.81 * x)\nforce { x = 1e-3 * sqrt(1 + 2 * lane + x) }\n"
     "contact { 'floor', gap = x + 100 }\ninitial { x = 0 }\n" UNTIL,
     0.01, 150},
    {"force that grows without bound",
     LANE "local x, y = coordinates('x', 'y')\nmass(1)\nforce { x = x^3 * exp(x^2), y = -y + x }\n"
          "initial { x = 0.5 + 0.2 * lane }\n" UNTIL,
     0.01, 400},
    {"gap that is no number",
     LANE "local x, y = coordinates('x', 'y')\nmass(1)\npotential(9.81 * y)\n"
          "contact { 'floor', gap = y + 3 + 1e-3 * log(1 + lane - x) }\ninitial { [dot(x)] = 2 }\n" UNTIL,
     0.01, 250},
    {"rebound above one",
     LANE "local x, y = coordinates('x', 'y')\nmass(1)\npotential(9.81 * y)\n"
          "contact { 'floor', gap = y, restitution = 0.8 + 0.1 * x }\n"
          "initial { y = 0.3, [dot(x)] = 3 - lane }\n" UNTIL,
     0.01, 300},
    {"gap without gradient",
     LANE "local x, y = coordinates('x', 'y')\nmass(1)\nforce { y = -y^3 }\n"
          "contact { 'place', gap = x^2 + 0.5 + 0.3 * lane - time() }\ninitial { y = 1 }\n" UNTIL,
     0.01, 250},
    {"mass that vanishes",
     LANE
     "local x, y = coordinates('x', 'y')\nmass { x = 1 + lane - time(), y = 1 }\npotential(x * y + y^4)\n"
     "initial { x = 0.1, y = 0.5 }\n" UNTIL,
     0.01, 250},
};

/* Each fails when it does alone, in the same words; the others go on, and so it does when it is stepped again. */
static void test_motions_that_fail(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof failing / sizeof failing[0]; k++) {
        const example *of = &failing[k];
        carom_experiment *experiment = load(of->text);
        lane_motions m = {.name = of->name};
        for (int lane = 0; lane < CAROM_LANES; lane++) {
            begin(&m, experiment, lane, of->h);
            lane_motions_enter(&m, lane);
        }
        unsigned running = CAROM_LANES_ALL;
        long beside_failed = 0;
        int last = 0;
        for (int i = 0; i < of->steps; i++) {
            const long before = m.lanes->beside;
            lane_motions_step(&m, running);
            for (int lane = 0; lane < CAROM_LANES; lane++)
                if (running >> lane & 1 && m.status[lane] != CAROM_OK) {
                    assert_int_equal(m.status[lane], CAROM_FAILED);
                    running &= ~(1U << lane);
                    last = i;
                }
            if (running != CAROM_LANES_ALL)
                beside_failed += m.lanes->beside - before;
            if (i == last + 5 && running != CAROM_LANES_ALL) /* those that have failed, again */
                lane_motions_step(&m, CAROM_LANES_ALL);
        }
        if (running == CAROM_LANES_ALL || beside_failed == 0)
            fail_msg("%s: lanes %x run, %ld steps were made beside failed motions", of->name, running,
                     beside_failed);
        lane_motions_end(&m);
        carom_experiment_free(experiment);
    }
}

/* ---- what is stepped alone -------------------------------------------------------------------------------- */

#define BALL                                                                                                 \
    "local y = coordinates('y')\nmass(1)\npotential(9.81 * y)\ncontact { 'floor', gap = y, restitution = "   \
    "0.5 }\n"                                                                                                \
    "initial { y = 1 }\n"
#define CHAIN(n)                                                                                             \
    "local n, names = " #n ", {}\nfor i = 1, n do names[i] = 'x' .. i end\nlocal q = coordinates(names)\n"   \
    "mass(1)\nfor i = 2, n do potential((q[i] - q[i - 1])^2) end\n"

static carom_stepping *start(const carom_experiment *experiment, const char *scheme,
                             const carom_option *option)
{
    carom_stepping *stepping = NULL;
    carom_error error = {0};
    if (carom_stepping_create(
            &(carom_run_request){.experiment = experiment, .scheme = scheme, .option = option, .h = 0.01},
            &stepping, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return stepping;
}

static void check_lanes(const char *text, const char *scheme, const carom_option *option, bool expected)
{
    carom_experiment *experiment = load(text);
    carom_stepping *stepping = start(experiment, scheme, option);
    carom_lanes *lanes = carom_lanes_create(stepping->stepper);
    if ((lanes != NULL) != expected)
        fail_msg("there are %slanes for\n%s", lanes ? "" : "no ", text);
    carom_lanes_free(lanes);
    carom_stepping_free(stepping);
    carom_experiment_free(experiment);
}

static void test_motions_without_lanes(void **state)
{
    (void)state;
    const carom_option theta[] = {{"theta", 0.7}, {0}}, law[] = {{"impact_law", .word = "newton"}, {0}},
                       rows[] = {{"rows", .word = "predicted"}, {0}},
                       solver[] = {{"solver", .word = "lemke"}, {0}};
    check_lanes(BALL UNTIL, NULL, NULL, true);
    check_lanes(BALL UNTIL, NULL, theta, true);
    check_lanes(BALL UNTIL, NULL, law, false);
    check_lanes(BALL UNTIL, NULL, rows, false);
    check_lanes(BALL UNTIL, NULL, solver, false);
    check_lanes(BALL UNTIL, "event-driven", NULL, false);
    check_lanes(BALL UNTIL, "sweeping", NULL, false);
    check_lanes(BALL "friction_force { 'dry', slip = dot(y), bound = 0.1 }\n" UNTIL, NULL, NULL, false);
    check_lanes(BALL "local push = input { 'push', 0 }\nforce { y = push }\n" UNTIL, NULL, NULL, false);
    check_lanes("local x, y = coordinates('x', 'y')\nmass(1)\njoint { 'rod', x^2 + y^2 - 1 }\n"
                "potential(9.81 * y)\ninitial { x = 1 }\n" UNTIL,
                NULL, NULL, false);
    check_lanes("world { gravity = { 0, -9.81 } }\npair { friction = 0.5 }\n"
                "fixed { 'ground', shape = plane { normal = { 0, 1 }, offset = 0 } }\n"
                "body { 'disc', shape = disc { 0.1 }, density = 1, at = { 0, 1 } }\n" UNTIL,
                NULL, NULL, false);
    check_lanes(CHAIN(7) UNTIL, NULL, NULL, true);
    check_lanes(CHAIN(8) UNTIL, NULL, NULL, false);
}

static void check_entry(carom_lanes *lanes, const carom_experiment *experiment, const carom_option *option,
                        double h, bool expected)
{
    carom_stepping *stepping = start(experiment, NULL, option);
    stepping->stepper->h = h;
    assert_int_equal(carom_lanes_enter(lanes, 1, stepping->stepper), expected);
    assert_ptr_equal(lanes->stepper[1], expected ? stepping->stepper : NULL);
    carom_lanes_leave(lanes, 1);
    carom_lanes_leave(lanes, 1); /* nobody is there */
    carom_stepping_free(stepping);
}

static void test_motions_of_another_kind(void **state)
{
    (void)state;
    const carom_option theta[] = {{"theta", 0.7}, {0}}, prediction[] = {{"prediction", 0.25}, {0}},
                       tolerance[] = {{"tolerance", 1e-6}, {0}},
                       law[] = {{"impact_law", .word = "newton"}, {0}};
    carom_experiment *experiment = load(BALL UNTIL), *other = load(BALL UNTIL);
    carom_stepping *first = start(experiment, NULL, NULL), *events = start(experiment, "event-driven", NULL);
    carom_lanes *lanes = carom_lanes_create(first->stepper);
    assert_non_null(lanes);
    check_entry(lanes, experiment, NULL, 0.01, true);
    check_entry(lanes, experiment, NULL, 0.02, true);
    check_entry(lanes, experiment, theta, 0.01, false);
    check_entry(lanes, experiment, prediction, 0.01, false);
    check_entry(lanes, experiment, tolerance, 0.01, false);
    check_entry(lanes, experiment, law, 0.01, false);
    check_entry(lanes, other, NULL, 0.01, false);
    assert_false(carom_lanes_enter(lanes, 0, events->stepper));
    assert_null(lanes->stepper[0]);
    /* derivatives of steps are found by steps alone */
    carom_tangent *tangent = NULL;
    carom_error error = {0};
    const double along = 1.0;
    assert_true(carom_lanes_enter(lanes, 0, first->stepper));
    assert_int_equal(
        carom_tangent_create(first->stepper, 1, &(carom_tangent_column){.v0 = &along}, &tangent, &error),
        CAROM_OK);
    assert_false(carom_lanes_enter(lanes, 0, first->stepper));
    assert_null(carom_lanes_create(first->stepper));
    carom_tangent_free(tangent);
    carom_lanes_free(lanes);
    carom_lanes_free(NULL);
    carom_stepping_free(first);
    carom_stepping_free(events);
    carom_experiment_free(experiment);
    carom_experiment_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_lanes_come_and_go),
        cmocka_unit_test(test_lanes_change_hands),
        cmocka_unit_test(test_motions_that_fail),
        cmocka_unit_test(test_motions_without_lanes),
        cmocka_unit_test(test_motions_of_another_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
