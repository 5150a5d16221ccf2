/* What a model declares constant is evaluated once, and the motion is the one without the declaration. */
#include "models.h"

/* Calls of the model. Zeroed by every comparison. */
static int jacobian_calls, frame_calls;

static void declare_constant(hand_model *hand, bool frame)
{
    hand->model.constant_force_jacobian = true;
    for (int a = 0; a < hand->model.contacts; a++) {
        hand->info[a].constant_rows = true;
        hand->info[a].constant_frame = frame;
    }
}

/* ---- a linear system between two walls ----------------------------------------------------------------- */

/* data: normals in [0, 6), strength of a gyroscopic force in [30], speed of the second wall's shaking in
 * [31] */
static const double linear_mass[9] = {2.0, 0.3, 0.0, 0.3, 1.0, -0.2, 0.0, -0.2, 1.5};
static const double stiffness[9] = {30.0, -10.0, 0.0, -10.0, 25.0, -5.0, 0.0, -5.0, 40.0};
static const double load[3] = {-3.0, -8.0, 1.0};

static void linear_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    const double gyro = hand->data[30];
    for (int i = 0; i < 3; i++)
        force[i] = load[i] * (1.0 + 0.3 * sin(5.0 * t)) - carom_dot(3, stiffness + 3 * i, q);
    force[0] += gyro * u[1];
    force[1] -= gyro * u[0];
}

static void linear_jacobian(const hand_model *hand, double t, const double *q, const double *u, double *by_q,
                            double *by_u)
{
    (void)t;
    (void)q;
    (void)u;
    jacobian_calls++;
    for (int i = 0; i < 9; i++)
        by_q[i] = -stiffness[i];
    by_u[1] = hand->data[30];
    by_u[3] = -hand->data[30];
}

static void shaken_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    planes_gap(hand, t, q, gap);
    gap[1] -= hand->data[31] * sin(t);
}

static void shaken_frame(const hand_model *hand, int contact, double t, const double *q,
                         carom_contact_frame *frame)
{
    frame_calls++;
    planes_frame(hand, contact, t, q, frame);
    for (int i = 0; i < 3; i++)
        frame->tangent[0].value[i] = i == 2 ? 1.0 : 0.0;
    if (contact == 1)
        frame->normal_rate = -hand->data[31] * cos(t);
}

typedef struct linear_case {
    double theta, gyro, shake, mu;
} linear_case;

static void init_linear(hand_model *hand, const linear_case *now)
{
    const double normals[6] = {0.2, 1.0, 0.1, 1.0, -0.3, 0.0};
    hand_init(hand, 3, 2);
    memcpy(hand->mass, linear_mass, sizeof linear_mass);
    memcpy(hand->data, normals, sizeof normals);
    hand->force = linear_force;
    hand->jacobian = linear_jacobian;
    hand->gaps = shaken_gap;
    hand->frame = shaken_frame;
    hand->data[30] = now->gyro;
    hand->data[31] = now->shake;
    for (int a = 0; a < 2; a++) {
        hand->info[a].has_restitution = true;
        hand->restitution[a] = a == 0 ? 0.7 : 0.3;
        if (now->mu > 0.0)
            hand_friction(hand, a, 1, -1.0, now->mu);
    }
}

static void assert_same_state(const carom_state *a, const carom_state *b, int dof, int contacts, double mu,
                              double tolerance)
{
    assert_near(a->t, b->t, 0.0);
    for (int i = 0; i < dof; i++) {
        assert_near(a->q[i], b->q[i], tolerance);
        assert_near(a->v[i], b->v[i], tolerance);
    }
    /* Two contacts with friction have more rows than the three coordinates: their impulses are not unique, and one on the
     * surface of its cone without slip may be called either. A slip would show in the velocities. */
    const bool unique = mu == 0.0 || a->regime[0] == CAROM_CONTACT_OPEN || a->regime[1] == CAROM_CONTACT_OPEN;
    for (int i = 0; unique && i < 3 * contacts; i++)
        assert_near(a->impulse[i], b->impulse[i], tolerance);
    for (int i = 0; i < contacts; i++)
        if (!unique && fabs(fabs(a->impulse[3 * i + 1]) - mu * a->impulse[3 * i]) <= 1e-9)
            assert_int_equal(a->regime[i] == CAROM_CONTACT_OPEN, b->regime[i] == CAROM_CONTACT_OPEN);
        else
            assert_int_equal(a->regime[i], b->regime[i]);
}

static void linear_motion_is_the_same(void **unused)
{
    (void)unused;
    const double q0[3] = {0.4, 0.5, 0.2}, v0[3] = {1.0, -2.0, 0.5};
    const linear_case cases[] = {{0.5, 0.0, 0.0, 0.0}, {0.8, 0.0, 0.0, 0.0}, {0.5, 6.0, 0.0, 0.0},
                                 {0.5, 0.0, 0.3, 0.0}, {0.5, 0.0, 0.0, 0.3}, {1.0, 4.0, 0.3, 0.3}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        hand_model general, constant;
        int closed = 0, constant_frames = 0, constant_jacobians = 0;
        init_linear(&general, &cases[k]);
        init_linear(&constant, &cases[k]);
        declare_constant(&constant, cases[k].shake == 0.0);
        carom_stepper *expected = hand_start_with(scheme_named("moreau-jean"), &general, 0.0, 0.02, q0, v0,
                                                  "theta", cases[k].theta);
        carom_stepper *stepper = hand_start_with(scheme_named("moreau-jean"), &constant, 0.0, 0.02, q0, v0,
                                                 "theta", cases[k].theta);
        for (int i = 0; i < 1000; i++) {
            hand_step(expected);
            jacobian_calls = frame_calls = 0;
            hand_step(stepper);
            constant_jacobians += jacobian_calls;
            constant_frames += frame_calls;
            assert_same_state(&stepper->state, &expected->state, 3, 2, cases[k].mu, 2e-12);
            closed += stepper->state.regime[0] != CAROM_CONTACT_OPEN;
        }
        assert_true(closed > 20);
        if (cases[k].gyro == 0.0)
            assert_int_equal(constant_jacobians, 1);
        if (cases[k].shake == 0.0)
            assert_int_equal(constant_frames, 2);
        hand_free(stepper);
        hand_free(expected);
    }
}

/* ---- Moreau's schemes: the same bits ----------------------------------------------------------------- */

static void counted_floor(const hand_model *hand, int contact, double t, const double *q,
                          carom_contact_frame *frame)
{
    frame_calls++;
    floor_frame(hand, contact, t, q, frame);
}

static void init_ball(hand_model *hand, const carom_scheme_ops *scheme)
{
    hand_init(hand, 3, 1);
    hand->mass[0] = hand->mass[4] = 0.3;
    hand->force = constant_force;
    hand->data[16] = 0.4;
    hand->data[18] = -2.0;
    hand->gaps = floor_gap;
    hand->frame = counted_floor;
    if (scheme == scheme_named("moreau-friction"))
        hand_friction(hand, 0, 2, -1.0, 0.2);
}

static void moreau_schemes_are_the_same(void **unused)
{
    (void)unused;
    const carom_scheme_ops *const schemes[] = {scheme_named("elast"), scheme_named("billiard"),
                                               scheme_named("inel"), scheme_named("moreau-friction")};
    const double q0[3] = {0.0, 0.0, 0.05}, v0[3] = {1.0, 0.5, -1.0};
    for (size_t s = 0; s < 4; s++) {
        hand_model general, constant;
        int calls = 0, closed = 0;
        init_ball(&general, schemes[s]);
        init_ball(&constant, schemes[s]);
        declare_constant(&constant, true);
        carom_stepper *expected = hand_start(schemes[s], &general, 0.0, 0.01, q0, v0);
        carom_stepper *stepper = hand_start(schemes[s], &constant, 0.0, 0.01, q0, v0);
        for (int i = 0; i < 500; i++) {
            hand_step(expected);
            frame_calls = 0;
            hand_step(stepper);
            calls += frame_calls;
            closed += stepper->state.regime[0] != CAROM_CONTACT_OPEN;
            assert_same_state(&stepper->state, &expected->state, 3, 1, 0.0, 0.0);
        }
        assert_true(closed > 1);
        assert_int_equal(calls, 1);
        hand_free(stepper);
        hand_free(expected);
    }
}

/* ---- traced models: which parts are found constant --------------------------------------------------- */

typedef struct traced_parts {
    carom_graph *graph;
    carom_node x, y, u, v, t, k; /* k: a parameter */
    carom_node force[2];
    carom_traced_contact contact;
} traced_parts;

static carom_node number(traced_parts *parts, double value)
{
    return carom_constant(parts->graph, value);
}

static carom_node times(traced_parts *parts, carom_node a, carom_node b)
{
    return carom_binary(parts->graph, CAROM_OP_MUL, a, b);
}

static carom_node minus(traced_parts *parts, carom_node a, carom_node b)
{
    return carom_binary(parts->graph, CAROM_OP_SUB, a, b);
}

/* A mass point on a spring of stiffness k above the floor y = 0, with slip, friction and restitution. */
static void start_parts(traced_parts *parts)
{
    static const carom_friction_law coulomb = {
        .dynamic_cone = {.shape = &carom_friction_isotropic, .coefficients = 1}};
    static carom_node mu;
    carom_graph *graph = carom_graph_create(0);
    *parts = (traced_parts){.graph = graph};
    parts->x = carom_leaf(graph, CAROM_OP_COORDINATE, 0);
    parts->y = carom_leaf(graph, CAROM_OP_COORDINATE, 1);
    parts->u = carom_leaf(graph, CAROM_OP_VELOCITY, 0);
    parts->v = carom_leaf(graph, CAROM_OP_VELOCITY, 1);
    parts->t = carom_leaf(graph, CAROM_OP_TIME, 0);
    parts->k = carom_leaf(graph, CAROM_OP_PARAMETER, 0);
    parts->force[0] = minus(parts, number(parts, 0.0), times(parts, parts->k, parts->x));
    parts->force[1] = number(parts, -10.0);
    mu = number(parts, 0.3);
    parts->contact = (carom_traced_contact){.name = "floor",
                                            .gap = parts->y,
                                            .tangents = 1,
                                            .slip = {parts->u, CAROM_NO_NODE},
                                            .restitution = number(parts, 0.5),
                                            .stiffness = CAROM_NO_NODE,
                                            .exponent = CAROM_NO_NODE,
                                            .friction = coulomb,
                                            .coefficient = &mu};
}

static carom_model *build(traced_parts *parts)
{
    static char stiffness_name[] = "k";
    static const char *const names[] = {"x", "y"};
    const carom_parameter parameters[1] = {{.name = stiffness_name, .value = 40.0}};
    carom_node half = number(parts, 0.5);
    carom_node squares = carom_binary(parts->graph, CAROM_OP_ADD, times(parts, parts->u, parts->u),
                                      times(parts, parts->v, parts->v));
    const carom_traced_spec spec = {.graph = parts->graph,
                                    .dof = 2,
                                    .coordinate = names,
                                    .parameters = 1,
                                    .parameter = parameters,
                                    .kinetic = times(parts, half, squares),
                                    .potential = CAROM_NO_NODE,
                                    .force = parts->force,
                                    .contacts = 1,
                                    .contact = &parts->contact};
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_traced_model_create(&spec, &model, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_graph_free(parts->graph);
    return model;
}

/* Builds, checks what was found constant, and frees. */
static void check_parts(traced_parts *parts, bool jacobian, bool rows, bool frame)
{
    carom_model *model = build(parts);
    assert_true(model->constant_mass);
    assert_int_equal(model->constant_force_jacobian, jacobian);
    assert_int_equal(model->contact[0].constant_rows, rows);
    assert_int_equal(model->contact[0].constant_frame, frame);
    carom_model_free(model);
}

static void traced_models_know_their_constant_parts(void **unused)
{
    (void)unused;
    traced_parts parts;
    carom_node mu;
    start_parts(&parts);
    check_parts(&parts, true, true, true);

    start_parts(&parts); /* force of time: affine still */
    parts.force[1] = times(&parts, parts.t, parts.force[1]);
    check_parts(&parts, true, true, true);
    start_parts(&parts); /* a stiffness that grows */
    parts.force[0] = times(&parts, parts.t, parts.force[0]);
    check_parts(&parts, false, true, true);
    start_parts(&parts); /* a force of the product of velocities */
    parts.force[1] = times(&parts, parts.u, parts.v);
    check_parts(&parts, false, true, true);

    start_parts(&parts); /* a floor that rises faster and faster */
    parts.contact.gap = minus(&parts, parts.y, times(&parts, parts.t, parts.t));
    check_parts(&parts, true, true, false);
    start_parts(&parts); /* a curved floor */
    parts.contact.gap = minus(&parts, parts.y, times(&parts, parts.x, parts.x));
    check_parts(&parts, true, false, false);
    start_parts(&parts); /* a belt whose speed depends on the place */
    parts.contact.slip[0] = minus(&parts, parts.u, parts.x);
    check_parts(&parts, true, false, false);
    start_parts(&parts); /* restitution of the place: it is that of the beginning of the step */
    parts.contact.restitution = carom_unary(parts.graph, CAROM_OP_TANH, parts.x);
    check_parts(&parts, true, true, false);
    start_parts(&parts); /* friction of the place, and of the time */
    mu = carom_unary(parts.graph, CAROM_OP_ABS, parts.x);
    parts.contact.coefficient = &mu;
    check_parts(&parts, true, false, false);
    start_parts(&parts);
    mu = carom_unary(parts.graph, CAROM_OP_ABS, parts.t);
    parts.contact.coefficient = &mu;
    check_parts(&parts, true, true, false);
}

/* ---- traced models: the same motion ------------------------------------------------------------------ */

static carom_stepper *start_traced(const carom_model *model, carom_model_work **work, double stiffness_value)
{
    const double q0[2] = {1.0, 0.3}, v0[2] = {0.0, 0.0};
    const carom_step_settings settings = {.h = 1e-3};
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    *work = model->ops->work_create(model);
    model->ops->bind(*work, &stiffness_value);
    if (carom_stepper_create(scheme_named("moreau-jean"), *work, &settings, q0, v0, &stepper, &error) !=
        CAROM_OK)
        fail_msg("%s", error.text);
    return stepper;
}

/* Adds terms that vanish for the parameter 0 but are not seen to: force and gap look nonlinear. */
static void hide_constants(traced_parts *parts, carom_node zero)
{
    carom_node cube = times(parts, zero, times(parts, parts->x, times(parts, parts->x, parts->x)));
    parts->force[0] = minus(parts, parts->force[0], cube);
    parts->contact.gap = minus(parts, parts->contact.gap, cube);
}

static void compare_traced(void (*change)(traced_parts *parts), bool constant_jacobian)
{
    traced_parts seen, hidden;
    start_parts(&seen);
    start_parts(&hidden);
    change(&seen);
    change(&hidden);
    hide_constants(&hidden, minus(&hidden, hidden.k, number(&hidden, 40.0)));
    carom_model *constant = build(&seen), *general = build(&hidden);
    assert_int_equal(constant->constant_force_jacobian, constant_jacobian);
    assert_false(general->constant_force_jacobian || general->contact[0].constant_rows);
    carom_model_work *work[2];
    carom_stepper *stepper = start_traced(constant, &work[0], 40.0);
    carom_stepper *expected = start_traced(general, &work[1], 40.0);
    int closed = 0;
    for (int i = 0; i < 3000; i++) {
        hand_step(stepper);
        hand_step(expected);
        assert_same_state(&stepper->state, &expected->state, 2, 1, 0.0, 1e-12);
        closed += stepper->state.regime[0] != CAROM_CONTACT_OPEN;
    }
    assert_true(closed > 100);
    hand_free(stepper);
    hand_free(expected);
    constant->ops->work_free(work[0]);
    general->ops->work_free(work[1]);
    carom_model_free(constant);
    carom_model_free(general);
}

static void unchanged(traced_parts *parts)
{
    (void)parts;
}

static void shaking_floor(traced_parts *parts)
{
    carom_node wave = carom_unary(parts->graph, CAROM_OP_SIN, times(parts, number(parts, 30.0), parts->t));
    parts->contact.gap = minus(parts, parts->y, times(parts, number(parts, 0.01), wave));
}

/* Constant rows, but a matrix that changes. */
static void growing_damper(traced_parts *parts)
{
    carom_node damping = times(parts, number(parts, 20.0), parts->t);
    parts->force[1] = minus(parts, parts->force[1], times(parts, damping, parts->v));
}

static void curved_floor(traced_parts *parts)
{
    parts->contact.gap = minus(parts, parts->y, times(parts, parts->x, parts->x));
}

/* The derivative of a sign is zero: a force that jumps looks affine. It must not be taken for that. */
static void jumping_force(traced_parts *parts)
{
    carom_node side = minus(parts, parts->u, number(parts, 0.317));
    carom_node jump = carom_unary(parts->graph, CAROM_OP_SIGN, side);
    parts->force[0] = minus(parts, parts->force[0], times(parts, number(parts, 5.0), jump));
}

static void traced_motion_is_the_same(void **unused)
{
    (void)unused;
    compare_traced(unchanged, true);
    compare_traced(shaking_floor, true);
    compare_traced(growing_damper, false);
    compare_traced(curved_floor, true);
    compare_traced(jumping_force, true);
}

/* ---- failures ---------------------------------------------------------------------------------------- */

static void late_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    constant_force(hand, t, q, u, force);
    if (hand->data[0] == 1.0 && t > 0.105)
        force[1] = NAN;
}

static void late_frame(const hand_model *hand, int contact, double t, const double *q,
                       carom_contact_frame *frame)
{
    floor_frame(hand, contact, t, q, frame);
    if (hand->data[0] == 2.0 && t > 0.105)
        frame->normal_rate = NAN;
}

/* What is not constant is still looked at in every step, and a failed step can be asked for again. */
static void failures_are_seen(void **unused)
{
    (void)unused;
    const char *const words[] = {"force of coordinate 'q2' is", "rate of contact 'one'"};
    const double q0[2] = {0.0, -1e-9}, v0[2] = {1.0, 0.0};
    for (int what = 1; what <= 2; what++) {
        hand_model hand;
        hand_init(&hand, 2, 1);
        hand.force = late_force;
        hand.data[17] = -10.0;
        hand.gaps = floor_gap;
        hand.frame = late_frame;
        hand.data[0] = what;
        declare_constant(&hand, false);
        carom_stepper *stepper = hand_start(scheme_named("moreau-jean"), &hand, 0.0, 0.01, q0, v0);
        hand_run(stepper, 10);
        const double q = stepper->state.q[0];
        for (int again = 0; again < 2; again++) {
            carom_error error = {0};
            assert_int_equal(carom_stepper_step(stepper, &error), CAROM_FAILED);
            assert_mentions(&error, "t = 0.11, step 11: ");
            assert_mentions(&error, words[what - 1]);
            assert_near(stepper->state.q[0], q, 0.0);
        }
        hand.data[0] = 0.0;
        hand_step(stepper);
        assert_near(stepper->state.v[0], 1.0, 1e-15);
        assert_near(stepper->state.v[1], 0.0, 1e-15);
        hand_free(stepper);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_motion_is_the_same),
        cmocka_unit_test(moreau_schemes_are_the_same),
        cmocka_unit_test(traced_models_know_their_constant_parts),
        cmocka_unit_test(traced_motion_is_the_same),
        cmocka_unit_test(failures_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
