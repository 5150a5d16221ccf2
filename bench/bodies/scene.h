/* Scenes and records of bench-bodies as plain text, for C and C++: every program reads the same scene and writes the same
 * kind of record, which one judge reads.
 *
 * A scene, one thing per line; the bodies are at rest at the start:
 *
 *   dimension 2                           plane (x, y) or space
 *   gravity 0 -9.81 0
 *   step 0.002
 *   steps 500
 *   friction 0.3                          of every pair; no restitution
 *   size 0.5                              what lengths are compared with
 *   halfspace NX NY NZ OFFSET             n.x <= offset is solid
 *   ball R MASS INERTIA X Y Z             a disc in the plane
 *   box A B C MASS IX IY IZ X Y Z QW QX QY QZ     full edges; in the plane C is 0 and IZ counts
 *
 * A record:
 *
 *   program NAME VERSION
 *   sample STEP                           what follows is of this step
 *   b X Y Z QW QX QY QZ VX VY VZ WX WY WZ     per body: pose where its contacts were found, velocity before the step
 *   a X Y Z QW QX QY QZ VX VY VZ WX WY WZ     per body: after the step
 *   c A B PX PY PZ QX QY QZ NX NY NZ IX IY IZ SHIFT    a contact: bodies (halfspace k: -1 - k), points of A and of B, normal
 *                                         towards A, impulse on A in the step; the program lets A approach B with the
 *                                         speed SHIFT
 *   time SECONDS STEPS                    of the processor, for the steps alone
 *   note TEXT                             what the reader should know */
#ifndef CAROM_BENCH_BODIES_SCENE_H
#define CAROM_BENCH_BODIES_SCENE_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SAMPLES = 12,
    MOST_HALFSPACES = 8
};

typedef struct scene_body {
    bool is_box;
    double edge[3]; /* of a ball: the radius in edge[0] */
    double mass, inertia[3];
    double x[3], q[4];
} scene_body;

typedef struct scene {
    int dimension, steps, bodies, halfspaces;
    double gravity[3], step, friction, size;
    double normal[MOST_HALFSPACES][3], offset[MOST_HALFSPACES];
    scene_body *body;
} scene;

static inline void scene_stop(const char *what, const char *detail)
{
    fprintf(stderr, "%s: %s\n", what, detail);
    exit(EXIT_FAILURE);
}

static inline scene_body *scene_add(scene *s)
{
    if ((s->bodies & (s->bodies + 1)) == 0) { /* 0, 1, 3, 7, ...: room for as many again */
        void *larger = realloc(s->body, 2 * ((size_t)s->bodies + 1) * sizeof *s->body);
        if (!larger)
            scene_stop("scene", "out of memory");
        s->body = (scene_body *)larger;
    }
    scene_body *body = &s->body[s->bodies++];
    memset(body, 0, sizeof *body);
    body->q[0] = 1.0;
    return body;
}

/* False: no such line. */
static inline bool scene_read_line(scene *s, const char *line)
{
    double a[14];
    if (sscanf(line, "dimension %d", &s->dimension) == 1 || sscanf(line, "steps %d", &s->steps) == 1 ||
        sscanf(line, "step %lf", &s->step) == 1 || sscanf(line, "friction %lf", &s->friction) == 1 ||
        sscanf(line, "size %lf", &s->size) == 1 ||
        sscanf(line, "gravity %lf %lf %lf", &s->gravity[0], &s->gravity[1], &s->gravity[2]) == 3)
        return true;
    if (s->halfspaces < MOST_HALFSPACES &&
        sscanf(line, "halfspace %lf %lf %lf %lf", &a[0], &a[1], &a[2], &a[3]) == 4) {
        memcpy(s->normal[s->halfspaces], a, 3 * sizeof *a);
        s->offset[s->halfspaces++] = a[3];
        return true;
    }
    if (sscanf(line, "ball %lf %lf %lf %lf %lf %lf", a, a + 1, a + 2, a + 3, a + 4, a + 5) == 6) {
        scene_body *body = scene_add(s);
        body->edge[0] = a[0];
        body->mass = a[1];
        body->inertia[0] = body->inertia[1] = body->inertia[2] = a[2];
        memcpy(body->x, a + 3, sizeof body->x);
        return true;
    }
    if (sscanf(line, "box %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", a, a + 1, a + 2, a + 3,
               a + 4, a + 5, a + 6, a + 7, a + 8, a + 9, a + 10, a + 11, a + 12, a + 13) != 14)
        return false;
    scene_body *body = scene_add(s);
    body->is_box = true;
    memcpy(body->edge, a, sizeof body->edge);
    body->mass = a[3];
    memcpy(body->inertia, a + 4, sizeof body->inertia);
    memcpy(body->x, a + 7, sizeof body->x);
    memcpy(body->q, a + 10, sizeof body->q);
    return true;
}

static inline scene scene_read(const char *path)
{
    scene s;
    char line[1024];
    memset(&s, 0, sizeof s);
    FILE *file = fopen(path, "r");
    if (!file)
        scene_stop(path, "cannot be read");
    while (fgets(line, sizeof line, file))
        if (!scene_read_line(&s, line))
            scene_stop("scene: no such line", line);
    fclose(file);
    return s;
}

static inline double scene_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Steps that are looked at: SAMPLES of them, evenly, the last one among them. */
static inline bool scene_is_sample(const scene *s, int step)
{
    const int every = s->steps > SAMPLES ? s->steps / SAMPLES : 1;
    return (s->steps - 1 - step) % every == 0;
}

/* ---- records ------------------------------------------------------------------------------------------- */

static inline void record_body(char kind, const double x[3], const double q[4], const double v[3],
                               const double w[3])
{
    printf("%c %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", kind, x[0],
           x[1], x[2], q[0], q[1], q[2], q[3], v[0], v[1], v[2], w[0], w[1], w[2]);
}

static inline void record_contact(int a, int b, const double point_a[3], const double point_b[3],
                                  const double normal[3], const double impulse[3], double shift)
{
    const double *vector[4] = {point_a, point_b, normal, impulse};
    printf("c %d %d", a, b);
    for (int i = 0; i < 4; i++)
        printf(" %.17g %.17g %.17g", vector[i][0], vector[i][1], vector[i][2]);
    printf(" %.17g\n", shift);
}

/* What a program of this benchmark does, for the loop below. */
typedef struct stepped {
    void *context;
    void (*poses)(void *context, char kind);   /* records all bodies */
    bool (*step)(void *context, bool sampled); /* false: it failed and cannot go on */
    void (*contacts)(void *context);           /* of the last step */
} stepped;

/* All steps, or as many as begin within the seconds, and one more where no step was looked at by then. */
static inline void run_steps(const scene *s, const stepped *program, double seconds)
{
    double spent = 0.0;
    int step = 0, samples = 0;
    for (; step < s->steps && (spent < seconds || samples == 0); step++) {
        const bool sampled = scene_is_sample(s, step) || spent >= seconds;
        if (sampled) {
            samples++;
            printf("sample %d\n", step);
            program->poses(program->context, 'b');
        }
        const double started = scene_seconds();
        if (!program->step(program->context, sampled))
            break;
        spent += scene_seconds() - started;
        if (sampled) {
            program->poses(program->context, 'a');
            program->contacts(program->context);
        }
    }
    printf("time %.6g %d\n", spent, step);
}

#endif
