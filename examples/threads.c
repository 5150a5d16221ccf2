/* One model, many threads: each has its own work and steppers, the model is shared and never changes. What is
 * computed does not depend on the number of threads.
 *
 *   cc threads.c $(pkg-config --cflags --libs carom) -pthread -o threads && ./threads
 */
#include <carom/carom.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum {
    MOTIONS = 8,
    THREADS_MAX = 4,
    STEPS = 20000
};

/* A driven oscillator before a wall; the frequency is a parameter. */
static carom_status build(carom_model **model, carom_error *error)
{
    carom_builder *b = carom_builder_create();
    if (!b)
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_parameter(b, "frequency", 1.0);
    carom_build_kinetic(b, carom_build_formula(b, "dot(x)^2 / 2"));
    carom_build_potential(b, carom_build_formula(b, "x^2 / 2"));
    carom_build_force(b, x, carom_build_formula(b, "cos(frequency * t) - 0.1 * dot(x)"));
    const int wall = carom_build_contact(b, "wall", carom_build_formula(b, "0.5 - x"));
    carom_build_restitution(b, wall, carom_build_formula(b, "0.8"));
    const carom_status status = carom_build_model(b, model, error);
    carom_builder_free(b);
    return status;
}

typedef struct job {
    const carom_model *model;
    int first, every; /* motions first, first + every, ... */
    double *fastest;  /* per motion: the largest speed, the result */
    carom_status status;
    carom_error error;
} job;

static carom_status move(job *self, int motion)
{
    const double frequency = 0.5 + 0.25 * motion, q0[] = {0.0}, v0[] = {0.0};
    carom_model_work *work = NULL;
    carom_stepper *stepper = NULL;
    carom_status status = carom_model_work_create(self->model, &frequency, &work, &self->error);
    if (status == CAROM_OK)
        status = carom_stepper_create(carom_scheme_find("moreau-jean", NULL), work,
                                      &(carom_step_settings){.h = 1e-3}, q0, v0, &stepper, &self->error);
    for (int i = 0; status == CAROM_OK && i < STEPS; i++) {
        status = carom_stepper_step(stepper, &self->error);
        if (stepper->state.v[0] > self->fastest[motion])
            self->fastest[motion] = stepper->state.v[0];
    }
    carom_stepper_free(stepper);
    carom_model_work_free(work);
    return status;
}

static void *run(void *context)
{
    job *self = context;
    for (int i = self->first; self->status == CAROM_OK && i < MOTIONS; i += self->every)
        self->status = move(self, i);
    return NULL;
}

static int compute(const carom_model *model, int threads, double *fastest)
{
    pthread_t thread[THREADS_MAX];
    job jobs[THREADS_MAX] = {0};
    int failed = 0;
    for (int i = 0; i < threads; i++) {
        jobs[i] = (job){.model = model, .first = i, .every = threads, .fastest = fastest};
        pthread_create(&thread[i], NULL, run, &jobs[i]);
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(thread[i], NULL);
        if (jobs[i].status != CAROM_OK)
            failed = fprintf(stderr, "threads: %s\n", jobs[i].error.text);
    }
    return failed;
}

int main(void)
{
    double one[MOTIONS] = {0}, many[MOTIONS] = {0};
    carom_model *model;
    carom_error error;
    if (build(&model, &error) != CAROM_OK)
        return fprintf(stderr, "threads: %s\n", error.text);
    const int failed = compute(model, 1, one) || compute(model, THREADS_MAX, many);
    for (int i = 0; i < MOTIONS; i++)
        printf("frequency %.2f: fastest towards the wall %.4f\n", 0.5 + 0.25 * i, one[i]);
    const int same = memcmp(one, many, sizeof one) == 0;
    printf("1 thread and %d threads: %s\n", THREADS_MAX, same ? "the same bits" : "different numbers");
    carom_model_free(model);
    return failed || !same;
}
