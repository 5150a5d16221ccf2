/* A branch that was stopped anywhere and is followed again: the bits of an unbroken one, nothing of what is known computed
 * twice, whatever the parameter is and however many threads take the multipliers. */
#include <stdlib.h>

#include "ring_orbits.h"

/* A memo in memory, which asks for the same arguments in the same order. */
enum {
    RECORDS_MAX = 4000,
    NUMBERS_MAX = 200
};

typedef struct record {
    int size, count;
    double p, x[NUMBERS_MAX], value[NUMBERS_MAX];
} record;

typedef struct notes {
    record *record;
    int count, recalled, kept; /* kept: by this branch */
} notes;

static bool recall(void *context, int size, const double *x, double p, int count, double *value, bool *good)
{
    notes *self = context;
    const record *next = self->record + self->recalled;
    if (self->recalled == self->count)
        return false;
    assert_int_equal(next->size, size);
    assert_int_equal(next->count, count);
    assert_memory_equal(next->x, x, (size_t)size * sizeof *x);
    assert_true(next->p == p);
    memcpy(value, next->value, (size_t)count * sizeof *value);
    self->recalled++;
    return *good = true;
}

static void keep(void *context, int size, const double *x, double p, int count, const double *value,
                 bool good)
{
    notes *self = context;
    assert_true(good && size <= NUMBERS_MAX && count <= NUMBERS_MAX && self->count < RECORDS_MAX);
    record *next = self->record + self->count++;
    next->size = size;
    next->count = count;
    next->p = p;
    memcpy(next->x, x, (size_t)size * sizeof *x);
    memcpy(next->value, value, (size_t)count * sizeof *value);
    self->recalled = self->count;
    self->kept++;
}

static carom_orbit_branch follow(const carom_orbit_branch_request *request)
{
    carom_orbit_branch branch;
    carom_error error = {0};
    const carom_status status = carom_orbit_branch_follow(request, &branch, &error);
    if (status != CAROM_OK)
        fail_msg("%s", error.text);
    return branch;
}

static void same_branch(const carom_orbit_branch *a, const carom_orbit_branch *b)
{
    assert_int_equal(a->point_count, b->point_count);
    assert_int_equal(a->stretch_count, b->stretch_count);
    for (int i = 0; i < a->point_count; i++) {
        const carom_orbit_branch_point *p = &a->point[i], *q = &b->point[i];
        assert_memory_equal(p, q, offsetof(carom_orbit_branch_point, off_circle));
        assert_int_equal(p->off_circle, q->off_circle);
    }
    for (int i = 0; i < a->stretch_count; i++) {
        const carom_orbit_branch_stretch *s = &a->stretch[i], *t = &b->stretch[i];
        assert_memory_equal(s->pattern, t->pattern, (size_t)a->contacts * sizeof *s->pattern);
        assert_int_equal(s->end, t->end);
        assert_true(s->end_value == t->end_value);
        assert_int_equal(s->contact, t->contact);
        assert_int_equal(s->crossings, t->crossings);
    }
}

/* Stopped after every `stride`-th record. */
static void goes_on_from_anywhere(carom_orbit_branch_request *request, int stride)
{
    request->memo = NULL;
    carom_orbit_branch plain = follow(request);
    notes all = {.record = calloc(RECORDS_MAX, sizeof(record))};
    assert_non_null(all.record);
    const carom_branch_memo memo = {.context = &all, .recall = recall, .keep = keep};
    request->memo = &memo;
    carom_orbit_branch whole = follow(request);
    same_branch(&plain, &whole);
    const int total = all.count;
    assert_true(total > 20);
    for (int known = 0; known <= total; known += stride) {
        all.count = known;
        all.recalled = all.kept = 0;
        request->threads = 1 + known % 3;
        carom_orbit_branch again = follow(request);
        same_branch(&plain, &again);
        assert_int_equal(all.kept, total - known);
        carom_orbit_branch_free(&again);
    }
    carom_orbit_branch_free(&whole);
    carom_orbit_branch_free(&plain);
    free(all.record);
}

/* The second long-wave branch of a ring of 30: it changes its pattern. */
static void over_the_period(void **state)
{
    (void)state;
    const int first[] = {15};
    carom_phase pattern[30];
    put_opposite(pattern, 1, first);
    carom_linear_oscillator *ring = make_ring(30, 1.0);
    const double scale = ring_mode_period(30, 1.0, 1);
    carom_orbit_branch_request request = carom_orbit_branch_defaults();
    request.oscillator = ring;
    request.pattern = pattern;
    request.parameter = CAROM_ORBIT_BRANCH_PERIOD;
    request.from = 0.995 * scale;
    request.to = 0.96 * scale;
    request.step = 0.004 * scale;
    request.switches = 2;
    request.multipliers = true;
    goes_on_from_anywhere(&request, 23);
    carom_linear_oscillator_free(ring);
}

static void over_the_coupling(void **state)
{
    (void)state;
    const carom_phase pattern[20] = {[10] = CAROM_PHASE_START, [11] = CAROM_PHASE_HALF};
    carom_linear_oscillator *ring = make_ring(20, 0.0);
    carom_orbit_branch_request request = carom_orbit_branch_defaults();
    request.oscillator = ring;
    request.pattern = pattern;
    request.parameter = CAROM_ORBIT_BRANCH_COUPLING;
    request.period = three_halves;
    request.to = 0.3;
    request.step = 0.01;
    request.multipliers = true;
    goes_on_from_anywhere(&request, 7);
    carom_linear_oscillator_free(ring);
}

/* The chain of two masses 1/2 with springs k = value. */
static carom_status stiffen(void *context, double value, carom_linear_oscillator *oscillator,
                            carom_error *error)
{
    const double mass[4] = {0.5, 0.0, 0.0, 0.5}, normal[2] = {0.0, -1.0}, gap = 1.0;
    const double stiffness[4] = {2.0 * value, -value, -value, value};
    const carom_linear_system system = {2, mass, stiffness, 1, normal, &gap};
    ++*(int *)context;
    return carom_linear_oscillator_set(oscillator, &system, error);
}

static void over_a_system(void **state)
{
    (void)state;
    const carom_phase pattern = CAROM_PHASE_START;
    carom_linear_oscillator *chain = make_chain(2);
    int changes = 0;
    carom_orbit_branch_request request = carom_orbit_branch_defaults();
    request.oscillator = chain;
    request.pattern = &pattern;
    request.parameter = CAROM_ORBIT_BRANCH_SYSTEM;
    request.period = 4.4;
    request.from = 2.0;
    request.to = 1.0;
    request.switches = 1;
    request.multipliers = true;
    request.change = stiffen;
    request.context = &changes;
    goes_on_from_anywhere(&request, 1);
    carom_linear_oscillator_free(chain);
}

typedef struct stop_clock {
    int left;
} stop_clock;

static bool count_down(void *context, double done, double total)
{
    (void)done, (void)total;
    return ((stop_clock *)context)->left-- > 0;
}

/* Asked to stop while multipliers are taken: it does, and what it has stays. */
static void multipliers_are_interrupted(void **state)
{
    (void)state;
    const carom_phase pattern[12] = {[6] = CAROM_PHASE_START};
    carom_linear_oscillator *ring = make_ring(12, 0.0);
    stop_clock clock = {1 << 20};
    carom_orbit_branch_request request = carom_orbit_branch_defaults();
    request.oscillator = ring;
    request.pattern = pattern;
    request.period = three_halves;
    request.to = 0.15;
    request.step = 0.001;
    request.multipliers = true;
    request.threads = 1;
    request.progress = (carom_progress){.report = count_down, .context = &clock};
    carom_orbit_branch whole = follow(&request), part;
    const int followed = (1 << 20) - clock.left - whole.point_count;
    carom_error error = {0};
    clock.left = followed + whole.point_count / 2;
    assert_int_equal(carom_orbit_branch_follow(&request, &part, &error), CAROM_INTERRUPTED);
    assert_int_equal(part.point_count, whole.point_count);
    assert_true(part.point[0].largest == whole.point[0].largest);
    assert_true(isnan(part.point[whole.point_count - 1].largest));
    carom_orbit_branch_free(&part);
    carom_orbit_branch_free(&whole);
    carom_linear_oscillator_free(ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(over_the_period),
        cmocka_unit_test(over_the_coupling),
        cmocka_unit_test(over_a_system),
        cmocka_unit_test(multipliers_are_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
