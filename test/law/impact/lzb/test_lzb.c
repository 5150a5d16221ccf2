/* Law lzb by its default method against closed forms and reference values: those of free chains and chains on
 * a wall were computed with two other integrators, and agree with them to all the digits given. */
#include "lzb_chain.h"

static void run_default(const chain *c, outcome *o)
{
    run_method(c, CAROM_LZB_EVENTS, 0.0, o);
    assert_int_equal(o->result.word, CAROM_IMPACT_OK);
    assert_true(o->result.kinematic && o->result.kinetic && o->result.energetic);
    assert_true(o->result.imbalance < 1e-13);
    for (int j = 0; j < c->contacts; j++)
        assert_true(o->impulse[j] >= 0.0);
}

/* ---- closed forms ------------------------------------------------------------------------------------ */

/* The time of compression of two balls, ((eta + 1) m / 2K)^(1 / (eta + 1)) v^((1 - eta) / (1 + eta)) I with
 * I = sqrt(pi) Gamma(1 + 1 / (eta + 1)) / Gamma(1/2 + 1 / (eta + 1)). */
static double compression_time(double eta, double mass, double stiffness, double v)
{
    const double p = 1.0 / (eta + 1.0);
    return pow((eta + 1.0) * mass / (2.0 * stiffness), p) * pow(v, (1.0 - eta) * p) * sqrt(acos(-1.0)) *
           tgamma(1.0 + p) / tgamma(0.5 + p);
}

static void two_balls_have_a_closed_form(void **state)
{
    (void)state;
    static const double exponents[] = {0.35, 0.5, 0.8, 1.0, 1.3, 1.5, 2.0, 3.0, 5.0};
    static const double restitutions[] = {1.0, 0.7, 0.3, 0.05};
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++)
        for (size_t k = 0; k < sizeof restitutions / sizeof *restitutions; k++) {
            const double eta = exponents[i], e = restitutions[k], v = 2.0;
            chain c = new_chain(2, false, eta, e);
            c.velocity[0] = v;
            c.mass[1] = 3.0;
            c.stiffness[0] = 40.0;
            const double mass = 0.75;
            outcome o;
            run_default(&c, &o);
            /* v1 - v2 changes to -e times itself. */
            const double p = mass * (1.0 + e) * v;
            assert_near(o.impulse[0], p, 1e-9);
            assert_near(o.velocity[0], v - p, 1e-9);
            assert_near(o.velocity[1], p / 3.0, 1e-9);
            assert_near(o.result.duration, (1.0 + e) * compression_time(eta, mass, 40.0, v), 1e-7);
            const double deepest = pow((eta + 1.0) * mass * v * v / 80.0, 1.0 / (eta + 1.0));
            assert_near(o.peak_force[0] / (40.0 * pow(deepest, eta)), 1.0, 1e-7);
            assert_int_equal(o.closings[0], 1);
            assert_int_equal(o.repeats[0], 0);
        }
}

static void times_of_contact_have_a_closed_form(void **state)
{
    (void)state;
    outcome o;
    chain c = new_chain(2, false, 1.5, 0.7);
    run_default(&c, &o);
    assert_near(o.result.duration, 2.073011930, 1e-8);
    c = new_chain(1, true, 1.5, 1.0);
    run_default(&c, &o);
    assert_near(o.result.duration, 3.218065460, 1e-8);
    assert_near(o.velocity[0], -1.0, 1e-9);
    c = new_chain(1, true, 1.0, 1.0);
    run_default(&c, &o);
    assert_near(o.result.duration, acos(-1.0), 1e-8);
}

/* Modes of two coupled contacts until the first opens, x = (sin t + sin(sqrt(3) t) / sqrt(3)) / 2, then one.
 */
static void three_linear_balls_have_a_closed_form(void **state)
{
    (void)state;
    const double t = 2.554812911197, w = sqrt(3.0);
    const double d1 = 0.5 * (cos(t) + cos(w * t)), d2 = 0.5 * (cos(t) - cos(w * t));
    const double x2 = 0.5 * (sin(t) - sin(w * t) / w);
    assert_near(sin(t) + sin(w * t) / w, 0.0, 1e-11);
    const double v1 = (1.0 + 2.0 * d1 + d2) / 3.0, last = sqrt(d2 * d2 + 2.0 * x2 * x2);
    const double expected[3] = {v1, 0.5 * (1.0 - v1 - last), 0.5 * (1.0 - v1 + last)};
    const chain c = new_chain(3, false, 1.0, 1.0);
    outcome o;
    run_default(&c, &o);
    assert_true(apart(3, o.velocity, expected) < 1e-10);
    assert_near(expected[2], 0.980032125630, 1e-11);
    assert_near(o.result.duration, 3.426976250, 1e-8);
}

/* ---- reference values -------------------------------------------------------------------------------- */

typedef struct reference {
    int balls;
    bool wall;
    double exponent, restitution;
    double velocity[10];
    double ratio; /* 0: 1 */
} reference;

static const reference references[] = {
    {3, false, 1.5, 1, {-0.070952354, 0.076403039, 0.994549315}, 0},
    {4, false, 1, 1, {-0.132275275, -0.064974765, 0.236977607, 0.960272433}, 0},
    {4, false, 1.5, 1, {-0.071085016, -0.029626196, 0.109738640, 0.990972573}, 0},
    {5, false, 1, 1, {-0.132279485, -0.075329170, -0.031010829, 0.296217750, 0.942401733}, 0},
    {5, false, 1.5, 1, {-0.071085017, -0.030273764, -0.014463629, 0.127044986, 0.988777424}, 0},
    {10,
     false,
     1,
     1,
     {-0.132279487, -0.075412033, -0.054662246, -0.043572452, -0.036558228, -0.031584579, -0.021264963,
      0.078764461, 0.438898285, 0.877671242},
     0},
    {10,
     false,
     1.5,
     1,
     {-0.071085017, -0.030273789, -0.015833397, -0.008885695, -0.005126583, -0.002985978, -0.001737668,
      0.002671955, 0.147390307, 0.985865866},
     0},
    {3, false, 3, 1, {-0.010396842, 0.010506084, 0.999890758}, 0},
    {3, false, 1, 0.9, {-0.065304587, 0.167192952, 0.898111635}, 0.838822681},
    {3, false, 1.5, 0.9, {-0.008615356, 0.104142798, 0.904472558}, 0.828990554},
    {3, false, 1, 0.5, {0.182734857, 0.233984180, 0.583280963}, 0.428357307},
    {3, false, 1.5, 0.5, {0.209235475, 0.218779442, 0.571985083}, 0.418810863},
    {5, false, 1.5, 0.9, {-0.008670629, 0.023776872, 0.033065561, 0.124262570, 0.827565626}, 0.702039903},
    {5, false, 1.5, 0.5, {0.153976457, 0.155352219, 0.166498407, 0.188325050, 0.335847868}, 0.223824895},
    {10,
     false,
     1.5,
     0.95,
     {-0.039608380, -0.002414582, 0.009761697, 0.014994136, 0.017369378, 0.018381303, 0.018708749,
      0.019822522, 0.124218425, 0.818766753},
     0.689086499},
    {2, true, 1, 1, {-1.188573796, -0.766350006}, 0},
    {2, true, 1.5, 1, {-1.156689752, -0.813676113}, 0},
    {3, true, 1, 1, {-1.234241414, -1.001446459, -0.688297262}, 0},
    {3, true, 1.5, 1, {-1.226836063, -1.039524994, -0.643631153}, 0},
    {5, true, 1, 1, {-1.289368233, -1.051158617, -0.977486148, -0.933301005, -0.637232443}, 0},
    {5, true, 1.5, 1, {-1.348838822, -1.109164316, -1.028457647, -0.844286277, -0.424080066}, 0},
    {10,
     true,
     1,
     1,
     {-1.360454357, -1.120325397, -1.054381942, -1.032097199, -1.021821913, -0.975268867, -0.954962490,
      -0.872986364, -0.864680686, -0.547803262},
     0},
    {10,
     true,
     1.5,
     1,
     {-1.548826412, -1.255792220, -1.126760921, -1.064447836, -1.031100842, -1.007917423, -0.909644914,
      -0.621765979, -0.510587923, -0.260134520},
     0},
    {3, true, 1.5, 0.9, {-1.040560952, -0.902217046, -0.546912835}, 0.731958781},
};

static void chains_come_out_as_computed_otherwise(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        const reference *r = &references[i];
        const chain c = new_chain(r->balls, r->wall, r->exponent, r->restitution);
        outcome o;
        run_default(&c, &o);
        const double error = apart(r->balls, o.velocity, r->velocity);
        if (error > 2e-9)
            fail_msg("row %zu: off by %g", i, error);
        assert_near(o.ratio, r->ratio > 0.0 ? r->ratio : 1.0, 2e-9);
    }
}

static void check(const chain *c, const double *velocity, double ratio)
{
    outcome o;
    run_default(c, &o);
    assert_true(apart(c->balls, o.velocity, velocity) < 2e-9);
    assert_near(o.ratio, ratio, 2e-9);
}

static void unequal_chains_come_out_as_computed_otherwise(void **state)
{
    (void)state;
    static const struct {
        double stiffness[2], exponent[2], mass[3], velocity[3];
    } three[] = {
        {{1, 10}, {1, 1}, {1, 1, 1}, {-0.330993892, 0.617171623, 0.713822269}},
        {{10, 1}, {1, 1}, {1, 1, 1}, {-0.011840854, 0.011982760, 0.999858094}},
        {{1, 10}, {1.5, 1.5}, {1, 1, 1}, {-0.325713255, 0.575813369, 0.749899886}},
        {{10, 1}, {1.5, 1.5}, {1, 1, 1}, {-0.006183964, 0.006222445, 0.999961519}},
        {{1, 1}, {1.5, 1.5}, {1, 2, 3}, {-0.363889336, -0.112791476, 0.529824096}},
        {{1, 1}, {1.5, 1.5}, {3, 1, 1}, {0.281265963, 0.610092188, 1.546109924}},
        {{1, 1}, {1, 1.5}, {1, 1, 1}, {-0.073734812, 0.079642104, 0.994092708}},
    };
    for (size_t i = 0; i < sizeof three / sizeof *three; i++) {
        chain c = new_chain(3, false, 1.5, 1.0);
        memcpy(c.stiffness, three[i].stiffness, sizeof three[i].stiffness);
        memcpy(c.exponent, three[i].exponent, sizeof three[i].exponent);
        memcpy(c.mass, three[i].mass, sizeof three[i].mass);
        check(&c, three[i].velocity, 1.0);
    }
    chain c = new_chain(4, false, 1.5, 1.0);
    c.restitution[1] = 0.5;
    check(&c, (double[]){-0.071067696, 0.091498990, 0.204064697, 0.775504009}, 0.656471552);
    c = new_chain(5, false, 1.5, 1.0);
    c.velocity[1] = 1.0;
    check(&c, (double[]){-0.112614979, -0.041959501, 0.214485776, 0.800366672, 1.139722032}, 1.0);
    c = new_chain(5, false, 1.5, 0.8);
    c.velocity[4] = -1.0;
    check(&c, (double[]){-0.648206041, -0.045023463, 0.0, 0.045023463, 0.648206041}, 0.422198184);
    c = new_chain(7, false, 1.5, 1.0);
    for (int i = 1; i < 7; i += 2)
        c.mass[i] = 0.5;
    check(&c,
          (double[]){-0.241029324, -0.153736791, -0.089381788, 0.177015641, 0.216877825, 0.476530601,
                     0.863628562},
          1.0);
    c = new_chain(3, true, 1.5, 1.0);
    c.stiffness[2] = 2.0 * sqrt(2.0);
    check(&c, (double[]){-1.288007114, -1.086412587, -0.400930622}, 1.0);
}

/* Known to five digits only. */
static void a_square_root_law_comes_out(void **state)
{
    (void)state;
    const chain c = new_chain(3, false, 0.5, 1.0);
    outcome o;
    run_default(&c, &o);
    assert_true(apart(3, o.velocity, (double[]){-0.23824, 0.32195, 0.91629}) < 1e-5);
}

static void impulses_times_and_counts_are_told(void **state)
{
    (void)state;
    outcome o;
    chain c = new_chain(3, false, 1.5, 1.0);
    run_default(&c, &o);
    assert_true(apart(2, o.impulse, (double[]){1.070952354, 0.994549315}) < 2e-9);
    assert_near(o.result.duration, 3.731456, 1e-6);
    c = new_chain(4, false, 1.0, 1.0);
    run_default(&c, &o);
    assert_near(o.result.duration, 4.569558, 1e-6);
    c = new_chain(2, true, 1.0, 1.0);
    run_default(&c, &o);
    assert_true(apart(2, o.impulse, (double[]){2.188573796, 3.954923802}) < 2e-9);
    c = new_chain(3, false, 1.5, 0.5);
    run_default(&c, &o);
    assert_int_equal(o.closings[0], 2);
    c = new_chain(5, false, 1.5, 0.5);
    run_default(&c, &o);
    const int closings[4] = {3, 2, 2, 1}, repeats[4] = {1, 1, 0, 0};
    assert_memory_equal(o.closings, closings, sizeof closings);
    assert_memory_equal(o.repeats, repeats, sizeof repeats);
    c = new_chain(10, true, 1.0, 1.0);
    run_default(&c, &o);
    assert_int_equal(o.closings[5], 3);
}

static void dispersion_comes_out(void **state)
{
    (void)state;
    static const struct {
        int balls;
        double exponent, dispersion;
    } known[] = {{5, 1.5, 1.944411}, {10, 1.0, 2.304066}, {10, 1.5, 2.907145}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const chain c = new_chain(known[i].balls, false, known[i].exponent, 1.0);
        outcome o;
        run_default(&c, &o);
        assert_near(dispersion(&c, o.velocity), known[i].dispersion, 1e-6);
    }
}

/* ---- long chains ------------------------------------------------------------------------------------- */

static void a_hundred_balls_come_out(void **state)
{
    (void)state;
    static const struct {
        double exponent, first, one_before, last, dispersion, tolerance;
    } known[] = {
        {1.5, -0.071085, 0.148600, 0.985679, 9.66669, 1e-5},
        {1.0, -0.13227949, 0.55053266, 0.63878939, 5.296987, 1e-6},
        {3.0, NAN, NAN, 0.999880, 9.947454, 1e-5},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const chain c = new_chain(100, false, known[i].exponent, 1.0);
        outcome o;
        run_default(&c, &o);
        if (!isnan(known[i].first)) {
            assert_near(o.velocity[0], known[i].first, known[i].tolerance);
            assert_near(o.velocity[98], known[i].one_before, known[i].tolerance);
        }
        assert_near(o.velocity[99], known[i].last, known[i].tolerance);
        assert_near(dispersion(&c, o.velocity), known[i].dispersion, known[i].tolerance);
    }
    const chain c = new_chain(100, false, 1.5, 0.98);
    outcome o;
    run_default(&c, &o);
    assert_near(o.ratio, 0.218854, 1e-5);
    assert_near(o.velocity[99], 0.454896, 1e-5);
}

static void stiffnesses_that_grow_spread_the_energy(void **state)
{
    (void)state;
    chain c = new_chain(100, false, 1.5, 1.0);
    for (int j = 0; j < c.contacts; j++)
        c.stiffness[j] = 1.0 + 20.0 * j;
    outcome o;
    run_default(&c, &o);
    assert_near(dispersion(&c, o.velocity), 4.95400, 1e-5);
    assert_near(o.velocity[0], -0.605715, 1e-5);
    assert_near(o.velocity[99], 0.542840, 1e-5);
}

static void decorated_chains_spread_the_energy(void **state)
{
    (void)state;
    chain c = new_chain(101, false, 1.5, 1.0);
    for (int i = 1; i < c.balls; i += 2)
        c.mass[i] = 0.64;
    outcome o;
    run_default(&c, &o);
    assert_near(dispersion(&c, o.velocity), 1.74520905, 1e-5);
}

static bool stop_at_once(void *context, double done, double total)
{
    (void)total;
    ++*(int *)context;
    return done < 64.0;
}

static void the_end_can_be_asked_for(void **state)
{
    (void)state;
    for (int method = 0; carom_lzb_method_words[method]; method++) {
        int asked = 0;
        carom_impact_options options = carom_impact_defaults();
        options.method = (carom_lzb_method)method;
        options.step = 1e-3;
        options.progress = (carom_progress){stop_at_once, &asked};
        const chain c = new_chain(20, false, 1.5, 0.9);
        outcome o;
        run_chain(&c, &options, &o);
        assert_int_equal(o.result.word, CAROM_IMPACT_NOT_CONVERGED);
        assert_int_equal(o.result.steps, 64);
        assert_int_equal(asked, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_balls_have_a_closed_form),
        cmocka_unit_test(times_of_contact_have_a_closed_form),
        cmocka_unit_test(three_linear_balls_have_a_closed_form),
        cmocka_unit_test(chains_come_out_as_computed_otherwise),
        cmocka_unit_test(unequal_chains_come_out_as_computed_otherwise),
        cmocka_unit_test(a_square_root_law_comes_out),
        cmocka_unit_test(impulses_times_and_counts_are_told),
        cmocka_unit_test(dispersion_comes_out),
        cmocka_unit_test(a_hundred_balls_come_out),
        cmocka_unit_test(stiffnesses_that_grow_spread_the_energy),
        cmocka_unit_test(decorated_chains_spread_the_energy),
        cmocka_unit_test(the_end_can_be_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
