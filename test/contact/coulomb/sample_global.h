/* Random friction problems of flexible bodies with their equations of motion. For programs that include
 * cmocka. */
#ifndef CAROM_TEST_CONTACT_COULOMB_SAMPLE_GLOBAL_H
#define CAROM_TEST_CONTACT_COULOMB_SAMPLE_GLOBAL_H

#include "carom/contact.h"

enum {
    CONTACTS_MAX = 12,
    SIZE_MAX_3 = 3 * CONTACTS_MAX,
    DOF_MAX = 4 * SIZE_MAX_3,
    EQUATIONS_MAX = 4,
    ENTRIES_MAX = 8 * DOF_MAX
};

typedef struct sample_global {
    carom_arena *arena;
    carom_coulomb_global global;
    double f[DOF_MAX], w[SIZE_MAX_3], b[EQUATIONS_MAX], mu[CONTACTS_MAX];
} sample_global;

typedef struct sample_entries {
    size_t count;
    int row[ENTRIES_MAX], column[ENTRIES_MAX];
    double value[ENTRIES_MAX];
} sample_entries;

static inline void put_sample(sample_entries *list, int row, int column, double value)
{
    assert_true(list->count < ENTRIES_MAX);
    list->row[list->count] = row;
    list->column[list->count] = column;
    list->value[list->count++] = value;
}

static inline carom_sparse sample_matrix(carom_arena *arena, int rows, int columns,
                                         const sample_entries *list)
{
    carom_sparse matrix;
    assert_true(
        carom_sparse_take(arena, rows, columns, list->count, list->row, list->column, list->value, &matrix));
    return matrix;
}

/* A chain of masses and springs; `skew` is what a gyroscopic force adds. */
static inline carom_sparse sample_chain(carom_random *random, carom_arena *arena, int n, double skew)
{
    static sample_entries list;
    list.count = 0;
    for (int i = 0; i < n; i++)
        put_sample(&list, i, i, carom_random_uniform(random, 0.5, 3.0));
    for (int i = 0; i + 1 < n; i++) {
        const double spring = carom_random_uniform(random, 0.0, 4.0);
        const double turn = carom_random_uniform(random, -skew, skew);
        put_sample(&list, i, i, spring);
        put_sample(&list, i + 1, i + 1, spring);
        put_sample(&list, i, i + 1, turn - spring);
        put_sample(&list, i + 1, i, -turn - spring);
    }
    return sample_matrix(arena, n, n, &list);
}

/* Every column has a place of its own, 4 j + first, and small entries at others: full rank. */
static inline carom_sparse sample_directions(carom_random *random, carom_arena *arena, int n, int columns,
                                             int first)
{
    static sample_entries list;
    list.count = 0;
    for (int j = 0; j < columns; j++) {
        put_sample(&list, (4 * j + first) % n, j, carom_random_uniform(random, 0.5, 1.5));
        for (int k = 0; k < 2; k++)
            put_sample(&list, (int)carom_random_uniform(random, 0.0, n - 1e-9), j,
                       carom_random_uniform(random, -0.2, 0.2));
    }
    return sample_matrix(arena, n, columns, &list);
}

static inline void fill_sample(carom_random *random, int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = carom_random_uniform(random, -1.0, 1.0);
}

static inline void make_sample_global(carom_random *random, int dimension, int equations, double skew,
                                      double friction, sample_global *s)
{
    const int contacts = 1 + (int)carom_random_uniform(random, 0.0, CONTACTS_MAX - 1e-9);
    const int m = dimension * contacts, n = 4 * m;
    *s = (sample_global){.arena = carom_arena_create()};
    s->global = (carom_coulomb_global){.dimension = dimension,
                                       .contacts = contacts,
                                       .M = sample_chain(random, s->arena, n, skew),
                                       .H = sample_directions(random, s->arena, n, m, 0),
                                       .G = sample_directions(random, s->arena, n, equations, 2),
                                       .f = s->f,
                                       .w = s->w,
                                       .b = s->b,
                                       .mu = s->mu};
    fill_sample(random, n, s->f);
    fill_sample(random, m, s->w);
    fill_sample(random, equations, s->b);
    for (int a = 0; a < contacts; a++)
        s->mu[a] =
            carom_random_uniform(random, 0.0, 1.0) < 0.1 ? 0.0 : carom_random_uniform(random, 0.0, friction);
}

/* The plane in space. */
static inline void embed_sample(const carom_coulomb_global *global, const double *given, double *three)
{
    for (int at = 0; at < 3 * global->contacts; at++)
        three[at] = at % 3 < global->dimension ? given[at / 3 * global->dimension + at % 3] : 0.0;
}

#endif
