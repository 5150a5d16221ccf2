/* A membrane over stops: contacts of a sparse model whose factors fill in, through W. */
#include "test/scheme/built_models.h"

enum {
    SIDE = 9,
    NODES = SIDE * SIDE,
    DOF = 2 * NODES
};

typedef struct membrane {
    carom_builder *builder;
    bool cubic;
} membrane;

/* Nodes that move up and along, held by springs to their neighbours and at the rim, over a bowl with friction. */
static void add_node(const membrane *m, int x, int y)
{
    carom_builder *b = m->builder;
    char text[400], name[20];
    carom_format(name, sizeof name, "stop%d_%d", x, y);
    carom_format(text, sizeof text, "w%d_%d + %g", x, y,
                 0.01 + 0.001 * ((x - 4) * (x - 4) + (y - 4) * (y - 4)));
    const int contact = carom_build_contact(b, name, carom_build_formula(b, text));
    carom_format(text, sizeof text, "dot(s%d_%d)", x, y);
    carom_build_slip(b, contact, carom_build_formula(b, text));
    carom_build_friction(b, contact, carom_build_formula(b, "0.3"));
    carom_build_restitution(b, contact, carom_build_formula(b, "0.2"));
    carom_format(text, sizeof text, "(dot(w%d_%d)^2 + dot(s%d_%d)^2)/2", x, y, x, y);
    carom_build_kinetic(b, carom_build_formula(b, text));
    carom_format(text, sizeof text, "5*w%d_%d + 20*(w%d_%d^2 + s%d_%d^2)/2 + 10*w%d_%d*s%d_%d", x, y, x, y, x,
                 y, x, y, x, y);
    carom_build_potential(b, carom_build_formula(b, text));
}

static void add_spring(const membrane *m, int x, int y, int to_x, int to_y)
{
    char text[400];
    carom_format(text, sizeof text,
                 "2000*((w%d_%d - w%d_%d)^2 + (s%d_%d - s%d_%d)^2)/2 + %g*(w%d_%d - w%d_%d)^4", x, y, to_x,
                 to_y, x, y, to_x, to_y, m->cubic ? 1e5 : 0.0, x, y, to_x, to_y);
    carom_build_potential(m->builder, carom_build_formula(m->builder, text));
}

static built start(bool cubic, const char *solver)
{
    built made = {0};
    carom_error error = {0};
    const membrane m = {.builder = carom_builder_create(), .cubic = cubic};
    double q[DOF] = {0}, v[DOF];
    char name[20];
    for (int i = 0; i < NODES; i++) {
        carom_format(name, sizeof name, "w%d_%d", i / SIDE, i % SIDE);
        carom_build_coordinate(m.builder, name);
        name[0] = 's';
        carom_build_coordinate(m.builder, name);
        v[2 * i] = -1.0;
        v[2 * i + 1] = 0.5 * sin(i);
    }
    for (int x = 0; x < SIDE; x++)
        for (int y = 0; y < SIDE; y++) {
            add_node(&m, x, y);
            if (x > 0)
                add_spring(&m, x, y, x - 1, y);
            if (y > 0)
                add_spring(&m, x, y, x, y - 1);
        }
    const carom_option option[] = {{"solver", .word = solver}, {0}};
    const carom_step_settings settings = {.h = 1e-3, .option = option};
    if (carom_build_model(m.builder, &made.model, &error) != CAROM_OK ||
        carom_model_work_create(made.model, NULL, &made.work, &error) != CAROM_OK ||
        carom_stepper_create(carom_scheme_find("moreau-jean", &error), made.work, &settings, q, v,
                             &made.stepper, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_builder_free(m.builder);
    return made;
}

/* Beside the step of full matrices, which a solver by name takes. */
static void motions_are_those_of_full_matrices(void **unused)
{
    (void)unused;
    for (int cubic = 0; cubic < 2; cubic++) {
        built sparse = start(cubic, "auto"), full = start(cubic, "nsgs");
        assert_true(carom_model_is_sparse(sparse.model));
        double worst = 0.0;
        int most = 0;
        for (int step = 0; step < 60; step++) {
            int closed = 0;
            built_steps(&sparse, 1);
            built_steps(&full, 1);
            for (int i = 0; i < DOF; i++)
                worst = fmax(worst, fabs(sparse.stepper->state.v[i] - full.stepper->state.v[i]));
            for (int c = 0; c < NODES; c++)
                closed += sparse.stepper->state.regime[c] != CAROM_CONTACT_OPEN;
            most = closed > most ? closed : most;
        }
        print_message("cubic %d: up to %d contacts, velocities differ by %.2g\n", cubic, most, worst);
        assert_true(most > 20);
        assert_true(worst <= 1e-8);
        assert_int_equal(sparse.stepper->counts.unsolved, 0);
        built_free(&sparse);
        built_free(&full);
    }
}

/* A stepper that has kept nothing of W goes on with the same bits. */
static void a_motion_goes_on(void **unused)
{
    (void)unused;
    for (int cubic = 0; cubic < 2; cubic++) {
        built whole = start(cubic, "auto"), other = start(cubic, "auto");
        assert_goes_on(&whole, &other, 25, 50);
        assert_memory_equal(whole.stepper->state.q, other.stepper->state.q, DOF * sizeof(double));
        assert_memory_equal(whole.stepper->state.v, other.stepper->state.v, DOF * sizeof(double));
        built_free(&whole);
        built_free(&other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_are_those_of_full_matrices),
        cmocka_unit_test(a_motion_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
