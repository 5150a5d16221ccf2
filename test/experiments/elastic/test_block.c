/* The elastic block beside closed values of uniform strain, and beside the static problem that bench/large makes of it. */
#include "bench/large/large_problem.h"
#include "test/experiments/trial.h"

enum {
    SIDE = 5,
    CONTACTS = SIDE * SIDE
};

static const double height = 0.3, young = 30.0, poisson = 0.3;

/* Reactions of the whole way in one step: normal and two tangents per contact. */
static void solve_static(double crown, double friction, double r[3 * CONTACTS])
{
    elastic_block block = elastic_block_of(SIDE, SIDE, 2);
    block.crown = crown;
    block.friction = friction;
    carom_fclib *problem = NULL;
    carom_error error = {0};
    carom_solve_report report;
    const carom_solver_options limits = {.tolerance = 1e-11};
    double v[3 * CONTACTS * 2] = {0};
    memset(r, 0, 3 * CONTACTS * sizeof *r);
    assert_int_equal(elastic_block_make(&block, &problem, &error), CAROM_OK);
    assert_int_equal(carom_coulomb_solve_global(&problem->global, &limits, v, r, &report, &error), CAROM_OK);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    carom_fclib_free(problem);
}

/* Force k of a contact, the mean of the last step. */
static double last_force(const trial *run, int contact, int k)
{
    const double *row = output(run, output_count(run) - 1);
    return row[run->result.layout.impulse + 3 * contact + k] / run->result.h;
}

/* Largest difference of the forces from r, in parts of the largest of r. */
static double farthest(const trial *run, const double r[3 * CONTACTS])
{
    double most = 0.0, largest = 0.0;
    for (int i = 0; i < 3 * CONTACTS; i++) {
        most = fmax(most, fabs(last_force(run, i / 3, i % 3) - r[i]));
        largest = fmax(largest, fabs(r[i]));
    }
    return most / largest;
}

/* ---- the stiffness --------------------------------------------------------------------------------------------- */

/* The model with displacements a (z - height) at the start: uniform strain, held at the top. */
static char *text_with_strain(const double a[3])
{
    FILE *file = fopen(CAROM_SOURCE_DIR "/experiments/elastic/block.lua", "r");
    enum {
        ROOM = 1 << 16
    };
    char *text = malloc(ROOM);
    assert_non_null(file);
    assert_non_null(text);
    const size_t length = fread(text, 1, ROOM - 1024, file);
    assert_true(feof(file));
    fclose(file);
    text[length] = 0;
    char *initial = strstr(text, "initial { gap_tolerance");
    assert_non_null(initial);
    initial[0] = initial[1] = '-'; /* a comment: there is one statement of the start */
    snprintf(text + length, 1024,
             "local a, start = { %g, %g, %g }, { gap_tolerance = 2 * closed }\n"
             "for x = 1, nx do for y = 1, ny do for z = 1, nz do for i = 1, 3 do\n"
             "  start[u[first_of(x, y, z) + i]] = a[i] * ((z - 1) * side[3] - sides[3])\n"
             "end end end end\n"
             "initial(start)\n",
             a[0], a[1], a[2]);
    return text;
}

/* The energy of uniform strain is exact, rotations have none, and it leaves the nodes inside in equilibrium. */
static void uniform_strain_is_exact(void **state)
{
    (void)state;
    const double a[3] = {0.03, -0.02, -0.01}, h = 1e-7;
    char *text = text_with_strain(a);
    trial run = trial_run(&(trial_request){
        .experiment = "elastic/block",
        .text = text,
        .set = {
            {"nx", SIDE}, {"ny", SIDE}, {"nz", 2}, {"t_end", h}, {"steps", 1}, {"press", 0}, {"drag", 0}}});
    const double shear = young / (2.0 * (1.0 + poisson));
    const double wave =
        young * (1.0 - poisson) / ((1.0 + poisson) * (1.0 - 2.0 * poisson)); /* lambda + 2 G */
    const double exact = 0.5 * height * (wave * a[2] * a[2] + shear * (a[0] * a[0] + a[1] * a[1]));
    assert_near(energy_of(&run, output(&run, 0)), exact, 1e-14);
    double inside = 0.0, outside = 0.0;
    for (int x = 0; x < SIDE; x++)
        for (int y = 0; y < SIDE; y++)
            for (int i = 0; i < 3; i++) {
                const bool within = x > 0 && y > 0 && x < SIDE - 1 && y < SIDE - 1;
                double *most = within ? &inside : &outside;
                *most = fmax(*most, fabs(velocity(&run, output(&run, 1), 3 * (2 * (x * SIDE + y) + 1) + i)));
            }
    assert_true(outside > 0.0);
    assert_true(inside < 1e-6 * outside); /* faces move in the step, by h^2 K / m of themselves */
    trial_free(&run);
    free(text);
}

/* Poisson's number 0 and no friction: the foundation presses with E press / height all over. */
static void a_uniform_pressure_is_exact(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){
        .experiment = "elastic/block",
        .set = {
            {"nx", SIDE}, {"ny", SIDE}, {"nu", 0}, {"mu", 0}, {"crown", 0}, {"rho", 1e-10}, {"steps", 4}}});
    const double pressure = young * 0.01 / height;
    for (int c = 0; c < CONTACTS; c++) {
        const int x = c / SIDE, y = c % SIDE;
        const double part = (x % (SIDE - 1) == 0 ? 0.5 : 1.0) * (y % (SIDE - 1) == 0 ? 0.5 : 1.0);
        assert_near(last_force(&run, c, 0), pressure * part / ((SIDE - 1) * (SIDE - 1)), 1e-8);
    }
    trial_free(&run);
}

/* ---- beside the static problem ----------------------------------------------------------------------------------- */

/* On a plane that touches from the start all grows with the way: any number of steps has the forces of one. */
static void on_a_plane_the_forces_are_the_static_ones(void **state)
{
    (void)state;
    double r[3 * CONTACTS];
    solve_static(0.0, 0.2, r);
    trial run = trial_run(&(trial_request){
        .experiment = "elastic/block",
        .variant = "together",
        .set = {{"nx", SIDE}, {"ny", SIDE}, {"crown", 0}, {"mu", 0.2}, {"rho", 1e-10}, {"steps", 5}}});
    print_message("forces on a plane: %.2g from the static ones\n", farthest(&run, r));
    assert_true(farthest(&run, r) < 1e-6);
    assert_true(measured_value(&run, "sliding", 0) > 0.0);
    assert_true(measured_value(&run, "sticking", 0) > 0.0);
    trial_free(&run);
}

/* Without friction the way does not matter; a contact that closes within a step is late by a part of it. */
static void without_friction_the_forces_tend_to_the_static_ones(void **state)
{
    (void)state;
    static const double steps[] = {50, 800};
    double r[3 * CONTACTS], off[2];
    solve_static(0.007, 0.0, r);
    for (int k = 0; k < 2; k++) {
        trial run = trial_run(&(trial_request){
            .experiment = "elastic/block",
            .variant = "together",
            .set = {{"nx", SIDE}, {"ny", SIDE}, {"mu", 0}, {"rho", 1e-6}, {"steps", steps[k]}}});
        off[k] = farthest(&run, r);
        trial_free(&run);
    }
    print_message("forces without friction: %.2g and %.2g from the static ones\n", off[0], off[1]);
    assert_true(off[0] < 0.05);
    assert_true(off[1] < off[0] / 4.0);
}

/* ---- the experiment ---------------------------------------------------------------------------------------------- */

/* Open, sliding and sticking contacts at once; forces obey Coulomb's law, and balance what the way was. */
static void contacts_open_slide_and_stick(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "elastic/block"});
    const double open = measured_value(&run, "open", 0), slide = measured_value(&run, "sliding", 0),
                 stick = measured_value(&run, "sticking", 0);
    assert_true(open > 0.0 && slide > 0.0 && stick > 0.0);
    assert_near(open + slide + stick, 36.0, 0.0);
    assert_true(measured_value(&run, "ratio_most", 0) <= 0.5 * (1.0 + 1e-6));
    assert_true(measured_value(&run, "ratio", 0) < 0.5);
    assert_true(measured_value(&run, "along_x", 0) < 0.0);   /* against the drag */
    assert_true(measured_value(&run, "deepest", 0) > -4e-4); /* a step of the pressing */
    trial_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_strain_is_exact),
        cmocka_unit_test(a_uniform_pressure_is_exact),
        cmocka_unit_test(on_a_plane_the_forces_are_the_static_ones),
        cmocka_unit_test(without_friction_the_forces_tend_to_the_static_ones),
        cmocka_unit_test(contacts_open_slide_and_stick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
