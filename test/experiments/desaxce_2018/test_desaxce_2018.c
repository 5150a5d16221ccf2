/* Friction by bipotentials through the experiments. Values: the specification (closed forms, independent
 * computations), and the same contact problem solved by a time step of a body. */
#include "test/experiments/trial.h"

static void frame_tables(void **state)
{
    (void)state;
    static const double rows[][6] = {/* mu, iterations 2 to 5 (corrected tables), exact */
                                     {0, 1.5, 1.5, 1.5, 1.5, 1.5},
                                     {.1, 1.7, 1.62, 1.612, 1.6112, 1.5 + .1 / .9},
                                     {.2, 1.9, 1.78, 1.756, 1.7512, 1.75},
                                     {.3, 2.1, 1.98, 1.944, 1.9332, 1.5 + .3 / .7},
                                     {.4, 2.3, 2.22, 2.188, 2.1752, 1.5 + .4 / .6},
                                     {.5, 2.5, 2.5, 2.5, 2.5, 2.5},
                                     {.8, 2.5, 2.5, 2.5, 2.5, 2.5}};
    static const char *const names[] = {"alpha_2", "alpha_3", "alpha_4", "alpha_5", "alpha"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double mu = rows[i][0];
        trial run = trial_run(&(trial_request){.experiment = "desaxce-2018/frame",
                                               .set = {{"mu", mu}, {"tolerance", 1e-12}},
                                               .word = {{"geometry", i % 2 ? "yes" : "no"}}});
        for (int k = 0; k < 5; k++)
            assert_near(measured_value(&run, names[k], 0), rows[i][k + 1], 1e-10);
        assert_near(measured_value(&run, "alpha_1", 0), 2.5, 1e-10);
        assert_near(measured_value(&run, "n", 0), rows[i][5] - .5, 1e-10);
        assert_near(measured_value(&run, "t", 0), rows[i][5] - 1.5, 1e-10);
        assert_near(measured_value(&run, "slides", 0), mu < .5, 0);
        assert_near(measured_value(&run, "hinges", 0), mu < .5 ? 2 : 3, 0);
        assert_near(measured_value(&run, "defect", 0), 0, 1e-10);
        /* the foot under N = 2, T = 1: x = (1 - 2 mu) t^2 / 2, sums of a first-order scheme */
        trial_free(&run);
    }
}

static void strong_foot(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "desaxce-2018/frame", .variant = "strong-foot"});
    assert_near(measured_value(&run, "alpha", 0), 2.25, 1e-9);
    assert_near(measured_value(&run, "alpha_1", 0), 3, 1e-10);
    assert_near(measured_value(&run, "alpha_3", 0), 2.28, 1e-10);
    trial_free(&run);
}

static void slip_reactions(void **state)
{
    (void)state;
    static const double rows[5][5] = {
        {-0.141421356237, -0.141421356237, 45, .2, .2},
        {-0.230466383879, -0.160046099916, 34.777831366, 0.280587790534, 0.276134025430},
        {-0.268328157300, -0.067082039325, 14.036243468, 0.276586333719, 0.237170824513},
        {-0.134164078650, -0.134164078650, 45, 0.189736659610, 0.189736659610},
        {-0.0093704257133, -0.149926811413, 86.423665625, 0.150219351811, 0.112640156596}};
    for (int i = 0; i < 5; i++) {
        trial run = trial_run(&(trial_request){.experiment = "desaxce-2018/slip-reaction",
                                               .scheme = i % 2 ? "moreau-jean" : "generalized-alpha",
                                               .set = {{"case", i + 1}}});
        assert_near(measured_value(&run, "r_x", 0), rows[i][0], 1e-11);
        assert_near(measured_value(&run, "r_y", 0), rows[i][1], 1e-11);
        assert_near(measured_value(&run, "force_angle", 0), rows[i][2], 1e-8);
        assert_near(measured_value(&run, "size", 0), rows[i][3], 1e-11);
        assert_near(measured_value(&run, "dissipation", 0), rows[i][4], 1e-11);
        /* the block that slides meets the same force, but for its first step's turn */
        assert_near(measured_value(&run, "block_r_x", 0), rows[i][0], 1e-5);
        assert_near(measured_value(&run, "block_r_y", 0), rows[i][1], 1e-5);
        trial_free(&run);
    }
}

static void dragged_point(void **state)
{
    (void)state;
    static const struct {
        double number, r[2], u[2], dissipation, sticking;
    } cases[] = {
        {1, {-0.141421356237, -0.141421356237}, {0.0012727922061, 0.0012727922061}, 3.6e-4, 4},
        {3, {-0.268320720192, -0.0670894759172}, {0.0011458928422, 0.0013471240865}, 4.02032485e-4, 3},
        {5, {-0.0093704257134, -0.149926811413}, {0.0014048431367, 0.0012642867510}, 2.09342192e-4, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial run = trial_run(
            &(trial_request){.experiment = "desaxce-2018/dragged-point", .set = {{"case", cases[i].number}}});
        assert_near(measured_value(&run, "r_x", 0), cases[i].r[0], 1e-11);
        assert_near(measured_value(&run, "r_y", 0), cases[i].r[1], 1e-11);
        assert_near(measured_value(&run, "u_x", 0), cases[i].u[0], 1e-12);
        assert_near(measured_value(&run, "u_y", 0), cases[i].u[1], 1e-12);
        assert_near(measured_value(&run, "dissipation", 0), cases[i].dissipation, 1e-12);
        assert_near(measured_value(&run, "sticking", 0), cases[i].sticking, 0);
        /* the damper alone holds the point back by 6 N s/m 3.5e-5 m/s / 1000 N/m */
        assert_near(measured_value(&run, "run_u_x", 0), cases[i].u[0], 3e-7);
        trial_free(&run);
    }
}

static void one_contact(void **state)
{
    (void)state;
    static const struct {
        double number;
        const char *variant;
        double r[3], u[3], branch;
    } cases[] = {
        {1, NULL, {1.04670522205, -0.180558020796, -0.105936178904}, {0, 0.406723159545, 0.238630758158}, 1},
        {3, NULL, {1.06403822156, -0.283526518659, -0.0733291782672}, {0, 0.265519112843, 0.274687510024}, 1},
        {5, NULL, {1.02144663254, -0.0310181441774, -0.152430037077}, {0, 0.612033099119, 0.187979145846}, 1},
        {5, "stick", {1.04085603113, -0.206225680933, 0.0038910505837}, {0, 0, 0}, 2},
        {3, "stick", {1.04085603113, -0.206225680933, 0.0038910505837}, {0, 0, 0}, 2},
        {3,
         "gap",
         {0.745156909625, -0.201674556724, -0.0482199828045},
         {-.3, 0.332053551997, 0.317573358336},
         1},
        {4, "open", {0, 0, 0}, {.2, .5, .4}, 0},
    };
    static const char *const r[] = {"r_n", "r_x", "r_y"}, *const u[] = {"u_n", "u_x", "u_y"};
    static const char *const body[] = {"body_u_n", "body_u_x", "body_u_y"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial run = trial_run(&(trial_request){.experiment = "desaxce-2018/contact",
                                               .variant = cases[i].variant,
                                               .set = {{"case", cases[i].number}}});
        const bool is_impact = !cases[i].variant || cases[i].branch == 2;
        for (int k = 0; k < 3; k++) {
            assert_near(measured_value(&run, r[k], 0), cases[i].r[k], 1e-10);
            assert_near(measured_value(&run, u[k], 0), cases[i].u[k], 1e-10);
            if (is_impact) /* a body with mass W^-1 in one step: an independent solver of the same problem */
                assert_near(measured_value(&run, body[k], 0), cases[i].u[k], 1e-9);
        }
        assert_near(measured_value(&run, "state", 0), cases[i].branch, 0);
        assert_near(measured_value(&run, "power", 0), 0, 1e-11);
        trial_free(&run);
    }
}

/* Axes of friction that are turned: two solvers that share no code, in two schemes. */
static void turned_axes(void **state)
{
    (void)state;
    static const char *const u[] = {"u_n", "u_x", "u_y"}, *const body[] = {"body_u_n", "body_u_x",
                                                                           "body_u_y"};
    double straight = 0.0;
    for (int i = 0; i < 20; i++) {
        const double angle = 0.7 * (i / 5);
        trial run = trial_run(&(trial_request){.experiment = "desaxce-2018/contact",
                                               .scheme = i % 2 ? "moreau-jean" : "moreau-friction",
                                               .set = {{"case", 1 + i % 5}, {"axes", angle}}});
        for (int k = 0; k < 3; k++)
            assert_near(measured_value(&run, body[k], 0), measured_value(&run, u[k], 0), 1e-9);
        assert_near(measured_value(&run, "power", 0), 0, 1e-11);
        if (i == 4)
            straight = measured_value(&run, "u_x", 0);
        if (i == 9) /* case 5 notices its axes */
            assert_true(fabs(measured_value(&run, "u_x", 0) - straight) > 0.1);
        trial_free(&run);
    }
}

/* Two bodies on one surface, their masses coupled: W of both contacts is the inverse of the mass matrix. The
 * step of the scheme against contact_solve, with turned axes and a slip potential of its own. */
static void two_orthotropic_contacts_at_once(void **state)
{
    (void)state;
    static const char text[] =
        "local mu_x, mu_y, p_x, p_y, axes = .3, .15, .2, .2, 0.4\n"
        "local B, W, q = { { 1, .2, .1 }, { .2, 1.5, .3 }, { .1, .3, 2 } }, {}, { -1, .5, .4, -.6, -.2, .3 "
        "}\n"
        "local M, flat = {}, {}\n"
        "for i = 1, 6 do W[i], M[i] = {}, {} for j = 1, 6 do\n"
        "  local a, b, same = (i - 1) % 3 + 1, (j - 1) % 3 + 1, (i <= 3) == (j <= 3)\n"
        "  W[i][j] = same and B[a][b] * (i <= 3 and 1 or 1.2) or (a == b and -.3 or 0)\n"
        "  flat[6 * i - 6 + j], M[i][j] = W[i][j], i == j and 1 or 0 end end\n"
        "for p = 1, 6 do local d = W[p][p]\n" /* M = W^-1 by Gauss and Jordan */
        "  for j = 1, 6 do W[p][j], M[p][j] = W[p][j] / d, M[p][j] / d end\n"
        "  for i = 1, 6 do local f = W[i][p] if i ~= p then for j = 1, 6 do\n"
        "    W[i][j], M[i][j] = W[i][j] - f * W[p][j], M[i][j] - f * M[p][j] end end end end\n"
        "for i = 1, 6 do for j = 1, i do M[i][j] = M[j][i] end end\n"
        "local found = contact_solve { W = flat, q = q, axes = axes, mu_x = mu_x, mu_y = mu_y, p_x = p_x, "
        "p_y = "
        "p_y, tolerance = 1e-14 }\n"
        "local n, x, y, m, s, t = coordinates('n', 'x', 'y', 'm', 's', 't')\n"
        "mass(M)\n"
        "local law = { ellipse = { mu_x, mu_y }, axes = axes, slip_potential = { p_x, p_y } }\n"
        "contact { 'one', gap = n, slip = { dot(x), dot(y) }, friction = law }\n"
        "contact { 'two', gap = m, slip = { dot(s), dot(t) }, friction = law }\n"
        "initial { [dot(n)] = q[1], [dot(x)] = q[2], [dot(y)] = q[3], [dot(m)] = q[4], [dot(s)] = q[5], "
        "[dot(t)] = "
        "q[6] }\n"
        "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1e-3 }\n"
        "local v = { dot(n), dot(x), dot(y), dot(m), dot(s), dot(t) }\n"
        "local off = 0 for i = 1, 6 do off = off + abs(v[i] - found.u[i]) end\n"
        "measure { off = off, slip = abs(dot(x)) + abs(dot(y)), power = found.power, error = found.error }";
    static const char *const schemes[] = {"moreau-jean", "moreau-friction"};
    for (int k = 0; k < 2; k++) {
        trial run = trial_run(&(trial_request){.text = text, .scheme = schemes[k]});
        assert_near(measured_value(&run, "off", 0), 0, 1e-9);
        assert_near(measured_value(&run, "power", 0), 0, 1e-12);
        assert_true(measured_value(&run, "slip", 0) > 0.1);
        assert_true(run.result.counts.worst_solver_error <= 1e-10);
        trial_free(&run);
    }
}

/* Loading is a straight line because all contacts keep their states; the first step back only relieves; after
 * a complete unloading the second cycle is the first again. */
static void cylinder_load_cycles(void **state)
{
    (void)state;
    for (int number = 3; number <= 5; number += 2) {
        trial run = trial_run(&(trial_request){.experiment = "desaxce-2018/cylinder-cycles",
                                               .set = {{"case", number}, {"tolerance", 1e-12}}});
        const double top = measured_value(&run, "force_top", 0), slip = measured_value(&run, "slip_top", 0);
        assert_near(measured_value(&run, "linear", 0), 0, 1e-9);
        assert_near(top, 5 * measured_value(&run, "force_1", 0), 1e-8 * top);
        assert_near(measured_value(&run, "first_back_slip", 0), 0, 1e-9);
        assert_near(measured_value(&run, "repeat_force", 0), 0, 1e-9);
        assert_near(measured_value(&run, "repeat_slip", 0), 0, 1e-9);
        /* a sharp drop: more than the elastic share of one step */
        assert_true(measured_value(&run, "force_back_1", 0) < 0.8 * top - 1e-3 * top);
        assert_true(measured_value(&run, "slip_back_4", 0) < 0.9 * slip);
        assert_near(measured_value(&run, "force_back_5", 0), 0, 1e-9 * top);
        assert_near(measured_value(&run, "slip_back_5", 0), 0, 1e-9 * slip);
        assert_true(measured_value(&run, "dissipation", 0) > 0);
        assert_near(measured_value(&run, "power", 0), 0, 1e-3);
        trial_free(&run);
    }
}

/* What the source's pictures show, on a small mesh: the stick zone is round for a round cone and longer along
 * x where mu_x is larger; slip is largest along y; less of it for case 4 than for 3, more for 5 than for 4;
 * rules that are not associated need more sweeps. */
static void cylinder_on_a_plate(void **state)
{
    (void)state;
    double slip[6] = {0}, sweeps[6] = {0};
    for (int number = 1; number <= 5; number += number == 1 ? 2 : 1) {
        trial run =
            trial_run(&(trial_request){.experiment = "desaxce-2018/cylinder", .set = {{"case", number}}});
        slip[number] = measured_value(&run, "max_slip", 0);
        sweeps[number] = measured_value(&run, "sweeps", 0);
        const double x = measured_value(&run, "stick_x", 0), y = measured_value(&run, "stick_y", 0);
        if (number == 1)
            assert_near(x, y, 1e-12);
        else
            assert_true(x > y);
        if (number == 3)
            assert_near(measured_value(&run, "max_slip_angle", 0), 90, 1e-6);
        assert_true(measured_value(&run, "pressure_rim", 0) > measured_value(&run, "pressure_centre", 0));
        /* some 7e5 N times 0.1 mm are at stake */
        assert_near(measured_value(&run, "power", 0), 0, 1e-3);
        assert_near(measured_value(&run, "penetration", 0), 0, 1e-8);
        trial_free(&run);
    }
    assert_true(slip[4] < slip[3] && slip[5] > slip[4] && slip[1] < slip[3]);
    assert_true(sweeps[4] > sweeps[3] && sweeps[5] > 5 * sweeps[4]);
}

/* Reads a study and computes it. */
static carom_status compute_text(const char *text, carom_error *error)
{
    char all[1000];
    snprintf(all, sizeof all, "%s\nmeasure { one = 1 }\n", text);
    carom_load_request load = {.name = "text", .file = "text.lua", .text = all};
    carom_experiment *experiment = NULL;
    carom_status status = carom_experiment_load(&load, &experiment, error);
    if (status == CAROM_OK)
        status = carom_experiment_compute(experiment, (carom_progress){0}, error);
    carom_experiment_free(experiment);
    return status;
}

static void bad_tables_are_told(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"cone_project { tau = { 1, 1, 1 }, mu = -0.1 }", "mu_x = -0.1"},
        {"cone_project { tau = { 1, 1, 1 }, mu_x = 0.1 }", "both mu_x and mu_y"},
        {"cone_project { tau = { 1, 1 }, mu = 0.1 }", "3"},
        {"slip_reaction { angle = 1 }", "friction is mu"},
        {"slip_reaction { angle = 1, mu = 0.1, p_x = 0, p_y = 1 }", "p_x"},
        {"contact_solve { W = { 1, 0, 0, 0, 1, 0, 0, 0, -1 }, q = { 1, 1, 1 }, mu = 1 }", "eigenvalue"},
        {"contact_solve { W = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, q = { 1, 1, 1 }, mu = 1, rho = 0 }", "rho"},
        {"contact_solve { W = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, q = { 1, 1, 1 }, mu = 1, gap = -1e-3 }",
         "initial penetration"},
        {"contact_solve { W = 1, q = { 1, 1 }, mu = 1 }", "three numbers per contact"},
        {"limit_load { matrix = { { 1, 0 }, { 0, 1 } }, load = { 1 }, capacity = { 1, 1 } }", "load"},
        {"limit_load { matrix = { { 1 } }, load = { 1 }, capacity = { 1, 1 } }", "row 1"},
        {"limit_load { matrix = { { 1 } }, load = { 0 }, capacity = { 1 } }", "zero"},
        {"limit_load { matrix = { { 1 } }, load = { 1 }, capacity = { -1 } }", "capacity"},
        {"limit_load { matrix = { { 1 } }, load = { 1 }, capacity = { math.huge } }", "unbounded"},
        {"frame_limit { nodes = { { 0, 0, support = \"welded\" }, { 1, 0 } }, bars = { { 1, 2 } } }",
         "welded"},
        {"frame_limit { nodes = { { 0, 0 }, { 0, 0 } }, bars = { { 1, 2 } } }", "no length"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        carom_error error = {0};
        assert_int_not_equal(compute_text(cases[i][0], &error), CAROM_OK);
        if (!strstr(error.text, cases[i][1]))
            fail_msg("%s: '%s' does not say '%s'", cases[i][0], error.text, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frame_tables),
        cmocka_unit_test(strong_foot),
        cmocka_unit_test(slip_reactions),
        cmocka_unit_test(dragged_point),
        cmocka_unit_test(one_contact),
        cmocka_unit_test(cylinder_on_a_plate),
        cmocka_unit_test(bad_tables_are_told),
        cmocka_unit_test(turned_axes),
        cmocka_unit_test(two_orthotropic_contacts_at_once),
        cmocka_unit_test(cylinder_load_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
