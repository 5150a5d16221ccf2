/* Memory that runs out at any call: a clean error, never a crash. Every call for memory of a piece of work fails once, in
 * a process of its own: the k-th call alone, or all from the k-th. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "carom/carom.h"
#include "carom/io.h"

#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__
#define REFUSES_MEMORY 1
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
static long asked, refused_first, refused_last; /* refused: calls first .. last; 0: none */

static bool spared;

/* SUNDIALS: this call alone does not survive a refusal; carom asks for room before it. */
int SUNContext_Create(void *communicator, void *context);
int SUNContext_Create(void *communicator, void *context)
{
    int (*create)(void *, void *) = NULL;
    *(void **)&create = dlsym(RTLD_NEXT, "SUNContext_Create");
    spared = true;
    const int status = create(communicator, context);
    spared = false;
    return status;
}

static bool is_refused(void)
{
    if (spared)
        return false;
    const long call = __atomic_add_fetch(&asked, 1, __ATOMIC_RELAXED);
    const bool refused = refused_first > 0 && call >= refused_first && call <= refused_last;
    if (refused)
        errno = ENOMEM;
    return refused;
}

void *malloc(size_t size)
{
    return is_refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return is_refused() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return is_refused() ? NULL : __libc_realloc(old, size);
}
#else
#define REFUSES_MEMORY 0
static long asked, refused_first, refused_last;
#endif

/* ---- pieces of work: false when a status is neither ok nor a failure with a text ------------------------------- */

static bool is_clean(carom_status status, const carom_error *error)
{
    return status == CAROM_OK || error->text[0] != '\0';
}

static const char ball[] =
    "local e = param { 'e', 0.5 } local x, y = coordinates('x', 'y') mass(1) potential(9.81 * y)\n"
    "contact { 'floor', gap = y, slip = dot(x), friction = 0.3, restitution = e }\n"
    "initial { y = 0.02, [dot(x)] = 1 } record { height = y }\n"
    "measure { low = minimum(y), hits = times(impact 'floor'), s = compute(function() return { a = 1 } "
    "end).a }\n"
    "plot { 'p', x = time(), y = y } integrate { h = 0.01, until_t = 0.3 }\n";

static const char falling[] =
    "local y = coordinates('y') mass(1) potential(9.81*y) contact { 'floor', gap = y, restitution = 0.5 }\n"
    "initial { y = 0.02 } integrate { h = 0.01, until_t = 0.05 }\n";

static bool run_scheme(const char *text, const char *scheme)
{
    const carom_load_request load = {.file = "model.lua", .text = text};
    carom_experiment *experiment = NULL;
    carom_run_result result = {0};
    carom_error error = {0};
    carom_status status = carom_experiment_load(&load, &experiment, &error);
    bool clean = is_clean(status, &error) && (status == CAROM_OK) == (experiment != NULL);
    if (status == CAROM_OK) {
        const carom_run_request run = {.experiment = experiment, .scheme = scheme};
        status = carom_run(&run, &result, &error);
        clean = is_clean(status, &error);
        carom_run_result_free(&result);
    }
    carom_experiment_free(experiment);
    return clean;
}

static bool run_moreau_jean(void)
{
    return run_scheme(ball, "moreau-jean");
}

static bool run_penalty(void) /* CVODE */
{
    return run_scheme(falling, "penalty");
}

static bool run_event_driven(void)
{
    return run_scheme(falling, "event-driven");
}

static bool run_generalized_alpha(void)
{
    return run_scheme(falling, "generalized-alpha");
}

static bool read_and_write_json(void)
{
    carom_impact_file *file = NULL;
    carom_error error = {0};
    const carom_status status = carom_impact_file_read("system.json", &file, &error);
    carom_impact_file_free(file);
    return is_clean(status, &error);
}

static bool read_fclib(void)
{
    carom_fclib *problem = NULL;
    carom_error error = {0};
    const carom_status status = carom_fclib_read("problem.hdf5", &problem, &error);
    carom_fclib_free(problem);
    return is_clean(status, &error);
}

/* A shape of every kind that takes memory while it is made. */
static carom_status make_shape(int kind, carom_shape **shape, carom_error *error)
{
    static const double point[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5, 0.5, 1, 0.5, 0.5, 0.5};
    static const double concave[] = {0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2},
                        height[] = {0, 1, 2, 0, 1, 0, 1, 1, 1};
    static const int corner[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    switch (kind) {
    case 0:
        return carom_shape_convex(CAROM_SPACE, 6, point, shape, error);
    case 1:
        return carom_shape_mesh(6, point, 4, corner, shape, error);
    case 2:
        return carom_shape_heightfield(3, 3, 1.0, 1.0, height, shape, error);
    case 3:
        return carom_shape_box(CAROM_SPACE, point + 12, shape, error);
    case 4:
        return carom_shape_cylinder(1.0, 1.0, shape, error);
    case 5:
        return carom_shape_polygon(6, concave, shape, error);
    default:
        return carom_shape_polyline(6, concave, true, shape, error);
    }
}

/* Shapes, a copy and a compound of them, and their touches. */
static bool find_touches(void)
{
    carom_shape *shape[7] = {NULL}, *moved = NULL, *compound = NULL;
    carom_error error = {0};
    carom_status status = CAROM_OK;
    for (int i = 0; i < 7 && status == CAROM_OK; i++) {
        status = make_shape(i, &shape[i], &error);
        if ((status == CAROM_OK) != (shape[i] != NULL))
            return false;
    }
    const carom_pose pose[5] = {carom_pose_identity(), carom_pose_identity(), carom_pose_identity(),
                                carom_pose_identity(), carom_pose_identity()};
    if (status == CAROM_OK)
        status = carom_shape_moved(shape[0], (const double[3]){0.1, 0.2, 0.3}, &moved, &error);
    if (status == CAROM_OK)
        status = carom_shape_compound(CAROM_SPACE, 1, &moved, pose, &compound, &error);
    if (status == CAROM_OK) {
        moved = NULL;
        const carom_shape *const all[] = {shape[0], shape[1], shape[2], shape[3], compound};
        carom_collider *collider = NULL;
        const carom_touch *touch = NULL;
        size_t count = 0;
        status = carom_collider_setup(CAROM_SPACE, 5, all, NULL, 0, NULL, 0.1, &collider, &error);
        for (int again = 0; again < 2 && status == CAROM_OK; again++)
            status = carom_collider_find(collider, pose, &touch, &count, &error);
        carom_collider_free(collider);
    }
    for (int i = 0; i < 7; i++)
        carom_shape_free(shape[i]);
    carom_shape_free(moved);
    carom_shape_free(compound);
    return is_clean(status, &error);
}

/* ---- each call once ----------------------------------------------------------------------------------------------- */

/* Runs the work in a child; the number of calls for memory, or -1 when it crashed or was not clean. */
static long calls_of(bool (*work)(void), long first, long last)
{
    int tube[2];
    long calls = -1;
    assert_int_equal(pipe(tube), 0);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        signal(SIGSEGV, SIG_DFL); /* cmocka would go on with the next test */
        asked = 0;
        refused_first = first;
        refused_last = last;
        const bool clean = work();
        refused_first = 0;
        const long count = clean ? asked : -1;
        const bool told = write(tube[1], &count, sizeof count) == sizeof count;
        _exit(told && clean ? 0 : 1);
    }
    close(tube[1]);
    if (read(tube[0], &calls, sizeof calls) != (ssize_t)sizeof calls)
        calls = -1;
    close(tube[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        print_message("call %ld .. %ld: %s %d\n", first, last, WIFSIGNALED(status) ? "signal" : "status",
                      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        return -1;
    }
    return calls;
}

/* At most some hundred of the calls, spread over all of them, so that it takes seconds. */
static void check(bool (*work)(void))
{
    if (!REFUSES_MEMORY) {
        print_message(
            "sanitizers have a malloc of their own, which cannot be made to refuse: skipped; the build "
            "without them refuses\n");
        skip();
    }
    const char *most_text = getenv("CAROM_SHORT_MEMORY_CASES");
    const long calls = calls_of(work, 0, 0), most = most_text ? atol(most_text) : 300;
    assert_true(calls > 0);
    const long step = calls / most + 1;
    int failures = 0;
    for (long k = 1; k <= calls; k += step) {
        failures += calls_of(work, k, k) < 0;
        failures += calls_of(work, k, __LONG_MAX__) < 0;
    }
    print_message("%ld calls, every %ld. of them refused\n", calls, step);
    assert_int_equal(failures, 0);
}

static void running(void **state)
{
    (void)state;
    check(run_moreau_jean);
}

static void integrating(void **state)
{
    (void)state;
    /* they run when memory is there: a scheme that refused the model would be no test */
    const carom_load_request load = {.file = "model.lua", .text = falling};
    carom_experiment *experiment = NULL;
    carom_run_result result = {0};
    assert_int_equal(carom_experiment_load(&load, &experiment, NULL), CAROM_OK);
    const carom_run_request run = {.experiment = experiment, .scheme = "penalty"};
    assert_int_equal(carom_run(&run, &result, NULL), CAROM_OK);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
    check(run_penalty);
    check(run_event_driven);
    check(run_generalized_alpha);
}

static void touching(void **state)
{
    (void)state;
    check(find_touches);
}

static void reading_json(void **state)
{
    (void)state;
    FILE *file = fopen("system.json", "w");
    fputs("{\"M\": [[2, 0.5], [0.5, 1]], \"W\": [[1, 0], [0, 1]], \"velocity\": [-1, 0], \"restitution\": "
          "[0.5, 1], "
          "\"names\": [\"a\", \"b\"]}",
          file);
    fclose(file);
    check(read_and_write_json);
}

static void reading_fclib(void **state)
{
    (void)state;
    static const int index[] = {0, 1, 2};
    static const double one[] = {1.0, 1.0, 1.0}, mu[] = {0.5};
    carom_arena *arena = carom_arena_create();
    carom_fclib problem = {.arena = arena, .title = "short"};
    carom_sparse square, none, empty;
    assert_true(carom_sparse_take(arena, 3, 3, 3, index, index, one, &square));
    assert_true(carom_sparse_take(arena, 3, 0, 0, index, index, one, &none));
    assert_true(carom_sparse_take(arena, 0, 0, 0, index, index, one, &empty));
    problem.local = (carom_coulomb_local){3, 1, square, none, empty, one, one, mu};
    assert_int_equal(carom_fclib_write("problem.hdf5", &problem, true, NULL), CAROM_OK);
    carom_arena_free(arena);
    if (!REFUSES_MEMORY) {
        print_message(
            "sanitizers take all addresses for themselves, so that none can be denied: skipped; the build "
            "without them denies\n");
        skip();
    }
    /* HDF5 itself does not survive calls that fail one by one: with as little memory as the process has it is not asked. */
    for (int more = 0; more <= 64; more += 2) {
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            FILE *statm = fopen("/proc/self/statm", "r");
            long pages = 0;
            if (!statm || fscanf(statm, "%ld", &pages) != 1)
                _exit(0);
            fclose(statm);
            const rlim_t limit = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)more << 20);
            setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit});
            signal(SIGSEGV, SIG_DFL);
            _exit(read_fclib() ? 0 : 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(running),      cmocka_unit_test(integrating),   cmocka_unit_test(touching),
        cmocka_unit_test(reading_json), cmocka_unit_test(reading_fclib),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
