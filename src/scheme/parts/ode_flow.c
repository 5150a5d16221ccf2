#include "ode_flow.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

enum {
    BISECTIONS_MAX = 200,
    STEPS_PER_LOOK = 200,   /* between two looks at problem.stop */
    STEPS_TO_STALL = 10000, /* so many steps that do not change the time */
    CONTEXT_ROOM = 1 << 17, /* bytes */
};

/* Errors of single steps add up: they are kept below the tolerances by this factor, for a seventh more steps. */
static const double safety = 8.0;

struct ode_flow {
    ode_flow_problem problem;
    SUNContext context;
    void *solver;
    SUNNonlinearSolver iteration;
    N_Vector y, between; /* where the flow is; interpolated values */
    /* The integrator's last step goes from t to t_ahead, or to the first root in it. Outputs before are interpolated, so that
     * neither steps nor roots depend on them. */
    N_Vector ahead;
    double t_ahead;
    ode_flow_end end_ahead;
    bool is_ahead;
    double weight; /* safety, and makes the norm of errors one over the components that are watched */
    int *direction, *found;
    double *value; /* of the root functions */
    double t;      /* where the flow is */
    int steps;     /* since the last restart or the last time that was reached */
    double t_from; /* before the last advance or at the restart: roots before are not looked for */
    bool fresh;    /* no step since the restart */
    bool refused;  /* somewhere in this advance there was no rate */
};

static int rate_for_solver(realtype t, N_Vector y, N_Vector rate, void *data)
{
    ode_flow *flow = data;
    const ode_flow_problem *problem = &flow->problem;
    const int recoverable = 1;
    if (problem->rate(problem->context, t, NV_DATA_S(y), NV_DATA_S(rate)))
        return 0;
    flow->refused = true;
    return recoverable;
}

static int roots_for_solver(realtype t, N_Vector y, realtype *value, void *data)
{
    const ode_flow_problem *problem = &((ode_flow *)data)->problem;
    return problem->root(problem->context, t, NV_DATA_S(y), value) ? 0 : -1;
}

/* The integrator would print its messages; what it returns says enough. */
static void say_nothing(int code, const char *module, const char *function, char *message, void *data)
{
    (void)code;
    (void)module;
    (void)function;
    (void)message;
    (void)data;
}

static int weights_for_solver(N_Vector y, N_Vector weight, void *data)
{
    const ode_flow *flow = data;
    const ode_flow_problem *problem = &flow->problem;
    const double *value = NV_DATA_S(y);
    double *result = NV_DATA_S(weight);
    for (int i = 0; i < problem->size; i++)
        result[i] = isinf(problem->absolute_tolerance[i])
                        ? DBL_MIN
                        : flow->weight /
                              (problem->relative_tolerance * fabs(value[i]) + problem->absolute_tolerance[i]);
    return 0;
}

/* The integrator takes what a vector's clone gives back without a look. Where memory is short, while it is set up, it gets
 * this vector, and is thrown away then; nothing of it stays in a thread. */
static _Thread_local N_Vector spare;
static _Thread_local bool spare_used;

static N_Vector clone_or_spare(N_Vector vector)
{
    N_Vector clone = N_VClone_Serial(vector);
    spare_used = spare_used || !clone;
    return clone ? clone : spare;
}

static void destroy_but_spare(N_Vector vector)
{
    if (vector != spare)
        N_VDestroy_Serial(vector);
}

static void free_solver(ode_flow *flow)
{
    if (flow->solver)
        CVodeFree(&flow->solver);
    if (flow->iteration)
        SUNNonlinSolFree(flow->iteration);
    flow->solver = NULL;
    flow->iteration = NULL;
}

static bool set_up_solver(ode_flow *flow)
{
    const ode_flow_problem *problem = &flow->problem;
    flow->solver = CVodeCreate(CV_ADAMS, flow->context);
    if (!flow->solver || CVodeSetErrHandlerFn(flow->solver, say_nothing, NULL) != CV_SUCCESS)
        return false;
    flow->iteration = SUNNonlinSol_FixedPoint(flow->y, 0, flow->context);
    if (!flow->iteration)
        return false;
    if (CVodeInit(flow->solver, rate_for_solver, 0.0, flow->y) != CV_SUCCESS) {
        free(flow->solver); /* it has freed its vectors, and CVodeFree would do so once more */
        flow->solver = NULL;
        return false;
    }
    return CVodeSetUserData(flow->solver, flow) == CV_SUCCESS &&
           CVodeWFtolerances(flow->solver, weights_for_solver) == CV_SUCCESS &&
           CVodeSetNonlinearSolver(flow->solver, flow->iteration) == CV_SUCCESS &&
           CVodeSetMaxStep(flow->solver, problem->max_step) == CV_SUCCESS &&
           CVodeSetNoInactiveRootWarn(flow->solver) == CV_SUCCESS &&
           CVodeRootInit(flow->solver, problem->roots, roots_for_solver) == CV_SUCCESS &&
           (problem->roots == 0 || CVodeSetRootDirection(flow->solver, flow->direction) == CV_SUCCESS);
}

/* SUNContext_Create does not survive a call for memory that is refused: is there room for what it takes, some kilobytes? */
static bool create_context(SUNContext *context)
{
    void *room = carom_new_array(CONTEXT_ROOM, 1);
    free(room);
    return room && SUNContext_Create(NULL, context) == 0;
}

/* ---- sums of vectors ---------------------------------------------------------------------------------------- */

/* The integrator spends most of its time in sums of short vectors: 78 per step at order 12. These give the same bits as its own
 * functions, which choose among eleven loops at every call. */
static void add_vectors(realtype a, N_Vector x, realtype b, N_Vector y, N_Vector result)
{
    const sunindextype size = NV_LENGTH_S(x);
    const double *from = NV_DATA_S(x), *other = NV_DATA_S(y);
    double *to = NV_DATA_S(result);
    if (a == b && a == 1.0)
        for (sunindextype i = 0; i < size; i++)
            to[i] = from[i] + other[i];
    else if (a == b)
        for (sunindextype i = 0; i < size; i++)
            to[i] = a * (from[i] + other[i]);
    else if (a == -b)
        for (sunindextype i = 0; i < size; i++)
            to[i] = a * (from[i] - other[i]);
    else
        for (sunindextype i = 0; i < size; i++)
            to[i] = a * from[i] + b * other[i];
}

static void scale_vector(realtype factor, N_Vector x, N_Vector result)
{
    const sunindextype size = NV_LENGTH_S(x);
    const double *from = NV_DATA_S(x);
    double *to = NV_DATA_S(result);
    for (sunindextype i = 0; i < size; i++)
        to[i] = factor * from[i];
}

static realtype norm_of(N_Vector x, N_Vector weight)
{
    const sunindextype size = NV_LENGTH_S(x);
    const double *value = NV_DATA_S(x), *factor = NV_DATA_S(weight);
    double sum = 0.0;
    for (sunindextype i = 0; i < size; i++) {
        const double product = value[i] * factor[i];
        sum += product * product;
    }
    return sqrt(sum / (double)size);
}

static void use_short_sums(N_Vector vector)
{
    vector->ops->nvlinearsum = add_vectors;
    vector->ops->nvscale = scale_vector;
    vector->ops->nvwrmsnorm = norm_of;
}

static bool set_up_with_spare(ode_flow *flow)
{
    use_short_sums(flow->y);
    use_short_sums(flow->between);
    use_short_sums(flow->ahead);
    flow->y->ops->nvclone = clone_or_spare;
    flow->y->ops->nvdestroy = flow->between->ops->nvdestroy = destroy_but_spare;
    spare = flow->between;
    spare_used = false;
    const bool good = set_up_solver(flow) && !spare_used;
    if (!good)
        free_solver(flow);
    spare = NULL;
    return good;
}

carom_status ode_flow_create(const ode_flow_problem *problem, ode_flow **result, carom_error *error)
{
    ode_flow *flow = carom_new_array(1, sizeof *flow);
    if (!flow)
        return carom_fail_memory(error);
    const size_t roots = (size_t)problem->roots;
    flow->problem = *problem;
    int watched = 0;
    for (int i = 0; i < problem->size; i++)
        watched += !isinf(problem->absolute_tolerance[i]);
    flow->weight = safety * (watched > 0 ? sqrt((double)problem->size / watched) : 1.0);
    flow->direction = carom_new_array(roots, sizeof *flow->direction);
    flow->found = carom_new_array(roots, sizeof *flow->found);
    flow->value = carom_new_array(roots, sizeof *flow->value);
    bool good = flow->direction && flow->found && flow->value && create_context(&flow->context);
    if (good) {
        if (roots > 0)
            memcpy(flow->direction, problem->direction, roots * sizeof *flow->direction);
        flow->y = N_VNew_Serial(problem->size, flow->context);
        flow->between = N_VNew_Serial(problem->size, flow->context);
        flow->ahead = N_VNew_Serial(problem->size, flow->context);
        good = flow->y && flow->between && flow->ahead;
    }
    if (!good || !set_up_with_spare(flow)) {
        ode_flow_free(flow);
        return carom_fail_memory(error);
    }
    *result = flow;
    return CAROM_OK;
}

void ode_flow_free(ode_flow *flow)
{
    if (!flow)
        return;
    free_solver(flow);
    if (flow->ahead)
        N_VDestroy(flow->ahead);
    if (flow->between)
        N_VDestroy(flow->between);
    if (flow->y)
        N_VDestroy(flow->y);
    if (flow->context)
        SUNContext_Free(&flow->context);
    free(flow->direction);
    free(flow->found);
    free(flow->value);
    free(flow);
}

double *ode_flow_values(ode_flow *flow)
{
    return NV_DATA_S(flow->y);
}

void ode_flow_restart(ode_flow *flow, double t)
{
    flow->t = flow->t_from = t;
    flow->fresh = true;
    flow->is_ahead = false;
    flow->steps = 0;
    CVodeReInit(flow->solver, t, flow->y);
}

bool ode_flow_renew(ode_flow *flow, double t)
{
    CVodeFree(&flow->solver);
    SUNNonlinSolFree(flow->iteration);
    flow->solver = NULL;
    flow->iteration = NULL;
    if (!set_up_solver(flow))
        return false;
    ode_flow_restart(flow, t);
    return true;
}

static ode_flow_end end_of(int code)
{
    switch (code) {
    case CV_SUCCESS:
        return ODE_FLOW_TIME;
    case CV_ROOT_RETURN:
        return ODE_FLOW_ROOT;
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
    case CV_RHSFUNC_FAIL:
    case CV_RTFUNC_FAIL:
        return ODE_FLOW_NO_RATE;
    case CV_TOO_MUCH_WORK:
        return ODE_FLOW_TOO_LONG;
    default:
        return ODE_FLOW_FAILED;
    }
}

static bool is_stalled(const ode_flow *flow)
{
    double step = 0.0;
    CVodeGetLastStep(flow->solver, &step);
    return step > 0.0 && step <= 16.0 * DBL_EPSILON * fabs(flow->t);
}

/* One step, or to the first root in it, or the rest of a step after a root. The first step after a restart is chosen by the
 * integrator: the time it is given for that is the longest step. */
static ode_flow_end integrate(ode_flow *flow)
{
    const double to = flow->t + fmax(flow->problem.max_step, 1e3 * DBL_EPSILON * fabs(flow->t));
    int code = CVode(flow->solver, to, flow->ahead, &flow->t_ahead, CV_ONE_STEP);
    if (code == CV_ILL_INPUT) {
        /* A root function stays at zero after its root, which the integrator accepts at a start only. */
        CVodeReInit(flow->solver, flow->t, flow->y);
        code = CVode(flow->solver, to, flow->ahead, &flow->t_ahead, CV_ONE_STEP);
    }
    return end_of(code);
}

static bool is_good(ode_flow_end end)
{
    return end == ODE_FLOW_TIME || end == ODE_FLOW_ROOT || end == ODE_FLOW_BACK;
}

static void go_ahead(ode_flow *flow)
{
    const ode_flow_problem *problem = &flow->problem;
    flow->end_ahead = integrate(flow);
    flow->is_ahead = true;
    flow->fresh = false;
    if (!is_good(flow->end_ahead))
        return;
    if (flow->end_ahead == ODE_FLOW_ROOT)
        CVodeGetRootInfo(flow->solver, flow->found);
    double to = flow->t_ahead;
    if (!problem->passed || !(flow->t < to) || problem->passed(problem->context, flow->t, &to))
        return;
    flow->t_ahead = to;
    flow->end_ahead =
        CVodeGetDky(flow->solver, to, 0, flow->ahead) == CV_SUCCESS ? ODE_FLOW_BACK : ODE_FLOW_FAILED;
}

/* What stands in the way when the time stands still. */
static ode_flow_end judge(const ode_flow *flow, ode_flow_end end)
{
    const bool stalled = (end == ODE_FLOW_TOO_LONG || end == ODE_FLOW_FAILED) && is_stalled(flow);
    if (flow->refused && (stalled || end == ODE_FLOW_FAILED))
        return ODE_FLOW_NO_RATE;
    return stalled ? ODE_FLOW_STALLED : end;
}

ode_flow_end ode_flow_advance(ode_flow *flow, double t_end, double *t)
{
    const ode_flow_problem *problem = &flow->problem;
    /* The integrator refuses to start when there is nothing but rounding to go. */
    const double rounding = 16.0 * DBL_EPSILON * fmax(fabs(flow->t), fabs(t_end));
    flow->t_from = flow->t;
    if (flow->fresh && t_end - flow->t <= rounding) {
        *t = t_end;
        return ODE_FLOW_TIME;
    }
    flow->refused = false;
    ode_flow_end end = ODE_FLOW_TOO_LONG;
    for (; end == ODE_FLOW_TOO_LONG && flow->steps < ODE_FLOW_STEPS_MAX; flow->steps++) {
        if (flow->steps % STEPS_PER_LOOK == 0 && problem->stop && problem->stop(problem->context)) {
            end = ODE_FLOW_STOPPED;
            break;
        }
        if (!flow->is_ahead)
            go_ahead(flow);
        end = flow->end_ahead;
        if (is_good(end) && flow->t_ahead > t_end) {
            end =
                CVodeGetDky(flow->solver, t_end, 0, flow->y) == CV_SUCCESS ? ODE_FLOW_TIME : ODE_FLOW_FAILED;
            flow->t = t_end;
            break;
        }
        flow->is_ahead = false;
        if (is_good(end)) {
            N_VScale(1.0, flow->ahead, flow->y);
            flow->t = flow->t_ahead;
        }
        if (end == ODE_FLOW_TIME && flow->t < t_end)
            end = ODE_FLOW_TOO_LONG;
        if (end == ODE_FLOW_FAILED || (flow->steps + 1) % STEPS_TO_STALL == 0)
            end = judge(flow, end);
    }
    if (end == ODE_FLOW_TIME)
        flow->steps = 0;
    *t = flow->t;
    return end;
}

const double *ode_flow_at(ode_flow *flow, double t)
{
    if (t == flow->t_ahead)
        return NV_DATA_S(flow->ahead);
    if (t == flow->t)
        return NV_DATA_S(flow->y);
    return CVodeGetDky(flow->solver, t, 0, flow->between) == CV_SUCCESS ? NV_DATA_S(flow->between) : NULL;
}

bool ode_flow_is_root(const ode_flow *flow, int root)
{
    return flow->found[root] != 0;
}

/* The root function at a time inside the last step, and the values there in flow->between. */
static double root_at(ode_flow *flow, int root, double t)
{
    const ode_flow_problem *problem = &flow->problem;
    if (CVodeGetDky(flow->solver, t, 0, flow->between) != CV_SUCCESS ||
        !problem->root(problem->context, t, NV_DATA_S(flow->between), flow->value))
        return NAN;
    return flow->value[root];
}

bool ode_flow_back_to_root(ode_flow *flow, int root, double *t)
{
    double last_step = 0.0, now = 0.0;
    CVodeGetLastStep(flow->solver, &last_step);
    CVodeGetCurrentTime(flow->solver, &now);
    double low = fmax(now - last_step, flow->t_from), high = *t;
    if (!(low < high) || !(root_at(flow, root, low) >= 0.0))
        return false;
    for (int i = 0; i < BISECTIONS_MAX; i++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high)
            break;
        if (root_at(flow, root, middle) < 0.0)
            high = middle;
        else
            low = middle;
    }
    root_at(flow, root, high);
    N_VScale(1.0, flow->between, flow->y);
    flow->t = *t = high;
    flow->is_ahead = false;
    return true;
}
