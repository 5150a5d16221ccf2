#include "bridge.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- Ctrl-C ------------------------------------------------------------------------------------------ */

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static atomic_int calls; /* under way; changed by the guard, read by the handler */
static atomic_bool interrupted;

/* The handler stays where it is after a call, on top of the one that it found first (Python's), to which it leaves Ctrl-C between
 * calls: to set and restore it takes calls of the system, longer than a small contact problem. Another one that stands there later
 * is restored after the call; were it kept below, too, two such handlers could call each other. By the guard: */
static struct sigaction below; /* sa_handler NULL (SIG_DFL): none was found yet */
static struct sigaction lifted;
static bool is_lifted;
static bool heard; /* it is known that Ctrl-C comes here */

static void interrupt(int number, siginfo_t *information, void *context)
{
    if (atomic_load(&calls) > 0)
        atomic_store(&interrupted, true);
    else if (below.sa_flags & SA_SIGINFO)
        below.sa_sigaction(number, information, context);
    else if (below.sa_handler != SIG_DFL)
        below.sa_handler(number);
    else { /* somebody put this one back */
        signal(number, SIG_DFL);
        raise(number);
    }
}

static void hear(void)
{
    heard = true;
    struct sigaction now;
    sigaction(SIGINT, NULL, &now);
    /* A job in the background is not stopped from the keyboard. */
    if (now.sa_handler == SIG_IGN || ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == interrupt))
        return;
    if (now.sa_handler != SIG_DFL && below.sa_handler == SIG_DFL)
        below = now;
    is_lifted = now.sa_handler == SIG_DFL || now.sa_handler != below.sa_handler;
    if (is_lifted)
        lifted = now;
    struct sigaction ours = now;
    ours.sa_flags |= SA_SIGINFO;
    ours.sa_sigaction = interrupt;
    sigaction(SIGINT, &ours, NULL);
}

void carom_python_hear(void)
{
    pthread_mutex_lock(&guard);
    if (!heard)
        hear();
    pthread_mutex_unlock(&guard);
}

/* Threads of the linear algebra, which numpy may share: one while a call runs, as in the program, for the same bits on any
 * number of cores. Only OpenBLAS has these; another BLAS leaves them NULL. */
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int count) __attribute__((weak));
static int threads_before; /* by the guard */

static void make_serial(void)
{
    threads_before = openblas_get_num_threads ? openblas_get_num_threads() : 1;
    if (threads_before > 1) /* setting what is set takes microseconds: it looks through OpenBLAS's buffers */
        carom_run_reproducibly();
}

static void make_parallel(void)
{
    if (openblas_set_num_threads && threads_before > 1)
        openblas_set_num_threads(threads_before);
}

static void begin(bool is_short)
{
    pthread_mutex_lock(&guard);
    if (atomic_load(&calls) == 0) {
        atomic_store(&interrupted, false);
        make_serial();
    }
    atomic_fetch_add(&calls, 1);
    if (!heard && (!is_short || below.sa_handler == SIG_DFL))
        hear();
    pthread_mutex_unlock(&guard);
}

void carom_python_begin(void)
{
    begin(false);
}

void carom_python_begin_short(void)
{
    begin(true);
}

bool carom_python_end(void)
{
    pthread_mutex_lock(&guard);
    if (atomic_load(&calls) == 1) {
        make_parallel();
        if (is_lifted)
            sigaction(SIGINT, &lifted, NULL);
        is_lifted = heard = false;
    }
    atomic_fetch_sub(&calls, 1);
    const bool stopped = atomic_load(&interrupted); /* after the count: what comes between goes to Python */
    pthread_mutex_unlock(&guard);
    return stopped;
}

bool carom_python_stopped(void)
{
    return atomic_load(&interrupted);
}

static bool go_on(void *context, double done, double total)
{
    if (context)
        *(double *)context = total > 0.0 ? done / total : 0.0;
    return !atomic_load(&interrupted);
}

carom_progress carom_python_progress(double *done)
{
    return (carom_progress){go_on, done};
}

/* ---- run files --------------------------------------------------------------------------------------- */

carom_status carom_python_save(const char *path, const carom_experiment *experiment, const double *parameter,
                               const carom_series *series, const carom_python_slopes *slopes,
                               const carom_run_result *result, carom_error *error)
{
    const carom_sensitivity *known = slopes && slopes->count == series->count ? result->sensitivity : NULL;
    carom_run_writer *writer = NULL;
    carom_recorder recorder = {0};
    carom_status status = carom_run_writer_create(path, &writer, error);
    if (status == CAROM_OK)
        status = carom_run_writer_begin_sensitive(writer, -1, experiment, parameter, known ? known->count : 0,
                                                  known ? (const char *const *)known->name : NULL, &recorder,
                                                  error);
    for (size_t i = 0; status == CAROM_OK && i < series->count; i++) {
        if (known && known->exact)
            recorder.slopes(recorder.context,
                            slopes->rows + i * (size_t)slopes->names * (size_t)slopes->width);
        status = recorder.row(recorder.context, carom_series_row(series, i), error);
    }
    if (status == CAROM_OK)
        status = carom_run_writer_end(writer, result, error);
    if (status == CAROM_OK)
        return carom_run_writer_close(writer, error);
    carom_run_writer_discard(writer);
    return status;
}

/* ---- steppers ---------------------------------------------------------------------------------------- */

struct carom_python_stepper {
    carom_stepping *motion;
    atomic_flag busy; /* a call is under way */
};

static carom_status enter(carom_python_stepper *stepper, carom_error *error)
{
    if (!atomic_flag_test_and_set_explicit(&stepper->busy, memory_order_acquire))
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "another thread is using this stepper; give each thread one of its own (copy())");
}

static carom_status leave(carom_python_stepper *stepper, carom_status status)
{
    atomic_flag_clear_explicit(&stepper->busy, memory_order_release);
    return status;
}

carom_status carom_python_stepper_create(const carom_run_request *request, carom_python_stepper **out,
                                         carom_error *error)
{
    *out = NULL;
    carom_python_stepper *stepper = calloc(1, sizeof *stepper);
    if (!stepper)
        return carom_fail_memory(error);
    atomic_flag_clear(&stepper->busy);
    const carom_status status = carom_stepping_create(request, &stepper->motion, error);
    if (status == CAROM_OK)
        *out = stepper;
    else
        free(stepper);
    return status;
}

void carom_python_stepper_free(carom_python_stepper *stepper)
{
    if (stepper)
        carom_stepping_free(stepper->motion);
    free(stepper);
}

const carom_stepping *carom_python_stepper_data(const carom_python_stepper *stepper)
{
    return stepper->motion;
}

double carom_python_stepper_step_size(const carom_python_stepper *stepper)
{
    return stepper->motion->stepper->h;
}

const char *carom_python_stepper_scheme(const carom_python_stepper *stepper)
{
    return stepper->motion->stepper->ops->name;
}

const char *carom_python_stepper_body_name(const carom_python_stepper *stepper, int body)
{
    return carom_model_bodies(stepper->motion->stepper->work)->body[body].name;
}

const double *carom_python_stepper_time(const carom_python_stepper *stepper)
{
    return &stepper->motion->stepper->state.t;
}

carom_status carom_python_step(carom_python_stepper *stepper, carom_error *error)
{
    const carom_status status = enter(stepper, error);
    return status == CAROM_OK ? leave(stepper, carom_stepper_step(stepper->motion->stepper, error)) : status;
}

static bool stop_asked(void *context)
{
    (void)context;
    return atomic_load(&interrupted);
}

carom_status carom_python_stepper_run(carom_python_stepper *stepper, long count, long *done,
                                      carom_error *error)
{
    *done = 0;
    const carom_status status = enter(stepper, error);
    if (status != CAROM_OK)
        return status;
    carom_stop *stop = &stepper->motion->stepper->stop; /* inside long steps */
    *stop = (carom_stop){NULL, stop_asked};
    const carom_status ran =
        carom_stepping_run(stepper->motion, count, carom_python_progress(NULL), done, error);
    *stop = (carom_stop){0};
    return leave(stepper, ran);
}

carom_status carom_python_stepper_set(carom_python_stepper *stepper, double t, const double *q,
                                      const double *v, carom_error *error)
{
    const carom_status status = enter(stepper, error);
    return status == CAROM_OK ? leave(stepper, carom_stepping_set(stepper->motion, t, q, v, error)) : status;
}

carom_status carom_python_stepper_save(carom_python_stepper *stepper, carom_snapshot *snapshot,
                                       carom_error *error)
{
    const carom_status status = enter(stepper, error);
    return status == CAROM_OK ? leave(stepper, carom_stepping_save(stepper->motion, snapshot, error))
                              : status;
}

carom_status carom_python_stepper_restore(carom_python_stepper *stepper, const void *bytes, size_t count,
                                          carom_error *error)
{
    const carom_status status = enter(stepper, error);
    return status == CAROM_OK ? leave(stepper, carom_stepping_restore(stepper->motion, bytes, count, error))
                              : status;
}

carom_status carom_python_stepper_energy(carom_python_stepper *stepper, double *energy, carom_error *error)
{
    const carom_status status = enter(stepper, error);
    if (status != CAROM_OK)
        return status;
    *energy = carom_stepper_energy(stepper->motion->stepper);
    return leave(stepper, CAROM_OK);
}

static bool has_obstacles(const carom_model *model)
{
    for (int i = 0; i < model->contacts; i++)
        if (!model->contact[i].friction_force)
            return true;
    return false;
}

carom_status carom_python_stepper_contacts(carom_python_stepper *stepper, double *gap, double *impulse,
                                           int *regime, carom_error *error)
{
    const carom_status status = enter(stepper, error);
    if (status != CAROM_OK)
        return status;
    const carom_stepper *now = stepper->motion->stepper;
    const size_t contacts = (size_t)now->contacts;
    memset(gap, 0, contacts * sizeof *gap);
    if (now->gap)
        memcpy(gap, now->gap, contacts * sizeof *gap);
    else if (has_obstacles(now->model))
        now->model->ops->gaps(now->work, now->state.t, now->state.q, gap);
    memcpy(impulse, now->state.impulse, CAROM_CONTACT_COMPONENTS * contacts * sizeof *impulse);
    for (int i = 0; i < now->contacts; i++)
        regime[i] = now->state.regime[i];
    return leave(stepper, CAROM_OK);
}

carom_status carom_python_stepper_points(carom_python_stepper *stepper, int room, carom_body_point *point,
                                         double *place, int *count, carom_error *error)
{
    const carom_status status = enter(stepper, error);
    if (status != CAROM_OK)
        return status;
    const carom_stepper *now = stepper->motion->stepper;
    const carom_bodies *bodies = carom_model_bodies(now->work);
    *count = carom_stepper_body_points(now, room, point);
    for (int i = 0; i < *count && i < room; i++) {
        const int moves = bodies->body[point[i].a].q >= 0 ? 0 : 1; /* one of the two has a position */
        const int q = bodies->body[moves == 0 ? point[i].a : point[i].b].q;
        for (int k = 0; k < 3; k++)
            place[3 * i + k] =
                point[i].arm[moves][k] + (q >= 0 && k < bodies->dimension ? now->state.q[q + k] : 0.0);
    }
    return leave(stepper, CAROM_OK);
}
