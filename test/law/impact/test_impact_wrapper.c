/* What surrounds a law of impact: messages for bad data, sizes, moving obstacles, flags, names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>

#include "sample_impact.h"

/* A block on two corners, all arrays at hand. */
typedef struct bench {
    int start[3], row[4];
    double mass[4], masses[2], value[4], v[2], e[2], rate[2], stiffness[2], exponent[2];
    carom_impact impact;
    carom_impact_sizes sizes;
    double after[2], p[2];
    carom_impact_options options;
} bench;

static void set_up(bench *b)
{
    *b = (bench){
        .start = {0, 2, 4},
        .row = {0, 1, 0, 1},
        .mass = {2, .1, .1, .5},
        .masses = {2, .5},
        .value = {1, -.4, 1, .4},
        .v = {-1, .3},
        .e = {.5, .5},
        .stiffness = {1, 1},
        .exponent = {1.5, 1.5},
        .sizes = {.coordinates = 2, .contacts = 2, .full_mass = true},
        .options = carom_impact_defaults(),
    };
    b->impact = (carom_impact){.coordinates = 2,
                               .contacts = 2,
                               .masses = b->masses,
                               .column_start = b->start,
                               .row = b->row,
                               .value = b->value,
                               .rate = b->rate,
                               .velocity = b->v,
                               .restitution = b->e,
                               .stiffness = b->stiffness,
                               .exponent = b->exponent};
}

static carom_status solve(bench *b, const carom_impact_law_ops *law, carom_impact_result *result,
                          carom_error *error)
{
    carom_impact_work *work = NULL;
    carom_status status = carom_impact_work_create(law, &b->sizes, &work, error);
    *result = (carom_impact_result){.velocity = b->after, .impulse = b->p};
    if (status == CAROM_OK)
        status = carom_impact_solve(work, &b->impact, &b->options, result, error);
    carom_impact_work_free(work);
    return status;
}

static void assert_accepted(bench *b)
{
    carom_impact_result result;
    carom_error error = {0};
    if (solve(b, &carom_impact_poisson, &result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
}

static void assert_refused(bench *b, const char *words)
{
    carom_impact_result result;
    carom_error error = {0};
    assert_int_equal(solve(b, &carom_impact_newton, &result, &error), CAROM_BAD_INPUT);
    if (!strstr(error.text, words))
        fail_msg("\"%s\" does not say \"%s\"", error.text, words);
    set_up(b);
}

static void refuses_bad_numbers(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    assert_accepted(&b);
    b.masses[1] = 0;
    assert_refused(&b, "mass 2 must be positive and finite (got 0)");
    b.masses[0] = NAN;
    assert_refused(&b, "mass 1 must be positive and finite (got ");
    b.masses[0] = INFINITY;
    assert_refused(&b, "mass 1 must be positive and finite (got inf)");
    b.v[1] = NAN;
    assert_refused(&b, "velocity 2 is ");
    b.v[0] = -INFINITY;
    assert_refused(&b, "velocity 1 is -inf; it must be finite");
    b.e[1] = 1.2;
    assert_refused(&b, "restitution of contact 2 must lie in [0, 1] (got 1.2): above 1 it creates energy");
    b.e[0] = -.1;
    assert_refused(&b, "restitution of contact 1 must lie in [0, 1] (got -0.1)");
    b.e[0] = NAN;
    assert_refused(&b, "restitution of contact 1 must lie in [0, 1]");
    b.e[0] = INFINITY;
    b.options.allow_gain = true;
    assert_refused(&b, "restitution of contact 1 must lie in [0, 1] (got inf)");
    b.rate[1] = NAN;
    assert_refused(&b, "the rate of contact 2 is ");
    b.stiffness[0] = 0;
    assert_refused(&b, "stiffness of contact 1 must be positive and finite (got 0)");
    b.exponent[1] = 0;
    assert_refused(&b,
                   "exponent of contact 2 must be positive and finite (got 0); the limit 0 is law moreau");
    b.value[3] = INFINITY;
    assert_refused(&b, "the direction of contact 2 is inf at coordinate 2");
    b.value[2] = b.value[3] = 0;
    assert_refused(&b, "the direction of contact 2 is zero: its gap has no gradient here");
    b.value[0] = 1e200;
    assert_refused(&b, "contact 1 answers an impulse with an infinite velocity");
    b.v[0] = 1e200;
    assert_refused(&b, "overflow");
    b.options.allow_gain = true;
    b.e[0] = 1.5;
    assert_accepted(&b);
}

static void refuses_bad_matrices(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    b.impact.mass = b.mass;
    assert_accepted(&b);
    set_up(&b);
    b.impact.mass = b.mass;
    b.mass[2] = .1001;
    assert_refused(&b, "not symmetric: it differs from its transpose by up to 0.0001");
    b.impact.mass = b.mass;
    b.mass[1] = NAN;
    assert_refused(&b, "entry (1, 2) of the mass matrix is ");
    b.impact.mass = b.mass;
    b.mass[3] = -1;
    assert_refused(&b, "not positive definite: its diagonal entry 2 is -1");
    b.impact.mass = b.mass;
    b.mass[1] = b.mass[2] = 3;
    assert_refused(&b, "the mass matrix is not positive definite (pivot 2)");
    b.impact.mass = b.mass;
    b.mass[0] = b.mass[3] = b.mass[1] = b.mass[2] = 1; /* singular */
    assert_refused(&b, "the mass matrix is not positive definite (pivot 2)");
}

static void refuses_bad_sizes(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    b.sizes.contacts = 1;
    assert_refused(&b, "an impact of 2 coordinates and 2 contacts does not fit a work made for 2 and 1");
    b.sizes.coordinates = 1;
    assert_refused(&b, "does not fit a work made for 1 and 2");
    b.sizes.entries = 3;
    assert_refused(&b, "directions with 4 entries do not fit a work made for 3");
    b.sizes.couplings = 3;
    assert_refused(&b, "contacts couple in more than 3 places, which this work was made for");
    b.impact.mass = b.mass;
    b.sizes.full_mass = false;
    assert_refused(&b, "set full_mass");
    b.impact.coordinates = 0;
    assert_refused(&b, "0 coordinates and 2 contacts: there must be a coordinate");
    b.impact.contacts = -1;
    assert_refused(&b, "2 coordinates and -1 contacts");
    b.row[2] = 2;
    assert_refused(&b, "contact 2 moves coordinate 3 of 2");
    b.row[0] = -1;
    assert_refused(&b, "contact 1 moves coordinate 0 of 2");
    b.start[0] = 1;
    assert_refused(&b, "column_start must begin with 0 (got 1)");
    b.start[1] = 5;
    assert_refused(&b, "column_start falls from 5 to 4 at contact 2");
    b.impact.masses = NULL;
    assert_refused(&b, "neither a mass matrix nor masses");
    b.impact.velocity = NULL;
    assert_refused(&b, "there is no velocity before the impact");
    b.impact.restitution = NULL;
    assert_refused(&b, "restitution of 2 contacts are missing");
    b.sizes.coordinates = 0;
    assert_refused(&b, "an impact of 0 coordinates");
    b.sizes.entries = -1;
    assert_refused(&b, "-1 entries of W and 0 couplings: they cannot be negative");
    b.sizes.contacts = INT_MAX;
    b.sizes.entries = 4;
    b.sizes.full_mass = false;
    assert_refused(&b, "too many for a full matrix of couplings: give their number");
    b.sizes.contacts = INT_MAX;
    assert_refused(&b, "too many for a full matrix: give the entries of W");
}

static void moreau_has_one_restitution(void **state)
{
    (void)state;
    bench b;
    carom_impact_result result;
    carom_error error = {0};
    for (int apart = 0; apart < 2; apart++) { /* also where there is nothing to do */
        set_up(&b);
        b.e[1] = .25;
        b.v[0] = apart ? 1 : -1;
        assert_int_equal(solve(&b, &carom_impact_moreau, &result, &error), CAROM_BAD_INPUT);
        assert_non_null(
            strstr(error.text, "one restitution for all contacts (contact 1 has 0.5, contact 2 has 0.25)"));
    }
}

/* Works for larger systems take smaller ones, one after the other, with the same numbers. */
static void a_work_serves_smaller_impacts(void **state)
{
    (void)state;
    const carom_impact_law_ops *laws[] = {&carom_impact_newton, &carom_impact_poisson};
    const carom_impact_sizes wide[] = {
        {.coordinates = 30, .contacts = 40, .full_mass = true},
        {.coordinates = 5000, .contacts = 4000, .entries = 9000, .couplings = 12000},
    };
    for (int law = 0; law < 2; law++)
        for (int k = 0; k < 2; k++) {
            bench b;
            carom_impact_result result;
            carom_error error = {0};
            set_up(&b);
            assert_int_equal(solve(&b, laws[law], &result, &error), CAROM_OK);
            const double after[] = {b.after[0], b.after[1]};
            b.sizes = wide[k];
            assert_int_equal(solve(&b, laws[law], &result, &error), CAROM_OK);
            assert_true(largest_difference(2, b.after, after) == 0.0);
            b.impact.contacts = 0;
            b.impact.column_start = NULL;
            assert_int_equal(solve(&b, laws[law], &result, &error), CAROM_OK);
            assert_int_equal(result.word, CAROM_IMPACT_NONE);
            assert_true(b.after[0] == b.v[0] && b.after[1] == b.v[1]);
        }
}

/* A diagonal mass matrix says the same as masses; entries at one place are added. */
static void forms_of_the_same_data(void **state)
{
    (void)state;
    bench b;
    carom_impact_result result;
    carom_error error = {0};
    set_up(&b);
    assert_int_equal(solve(&b, &carom_impact_newton, &result, &error), CAROM_OK);
    const double after[] = {b.after[0], b.after[1]};
    b.mass[1] = b.mass[2] = 0;
    b.impact.mass = b.mass;
    assert_int_equal(solve(&b, &carom_impact_newton, &result, &error), CAROM_OK);
    assert_true(largest_difference(2, b.after, after) < 1e-15);
    const int start[] = {0, 3, 5}, row[] = {0, 1, 0, 0, 1};
    const double value[] = {.25, -.4, .75, 1, .4};
    b.impact.column_start = start;
    b.impact.row = row;
    b.impact.value = value;
    b.sizes.entries = 5;
    for (int full = 0; full < 2; full++) {
        b.impact.mass = full ? b.mass : NULL;
        assert_int_equal(solve(&b, &carom_impact_newton, &result, &error), CAROM_OK);
        assert_true(largest_difference(2, b.after, after) < 1e-15);
    }
}

static void sizes_of_impacts(void **state)
{
    (void)state;
    bench b;
    set_up(&b);
    carom_impact_sizes sizes = carom_impact_sizes_of(&b.impact);
    assert_true(sizes.coordinates == 2 && sizes.contacts == 2 && sizes.entries == 4 && !sizes.full_mass);
    b.impact.mass = b.mass;
    assert_true(carom_impact_sizes_of(&b.impact).full_mass);
    b.impact.mass = NULL;
    b.row[1] = 77; /* refused later, harmless here */
    sizes = carom_impact_sizes_of(&b.impact);
    assert_true(sizes.entries == 4);
    b.impact.contacts = 0;
    assert_true(carom_impact_sizes_of(&b.impact).entries == 0);
    /* never too small: random sparse directions */
    carom_random random = {3};
    for (int k = 0; k < 300; k++) {
        sample s = random_sample(&random, 1 + k % 9, 1 + k % 7, false);
        for (int i = 0; i < s.n * s.c; i++)
            s.w[i] = i % s.c == i / s.c % s.c || carom_random_uniform(&random, 0, 1) < .2 ? s.w[i] : 0.0;
        const outcome out = run(&s, &carom_impact_poisson);
        if (out.status != CAROM_OK)
            assert_non_null(strstr(out.error.text, "is zero")); /* more contacts than rows */
    }
}

/* A racket that moves to the right at 2 meets a ball at rest: v+ = (1 + e) 2. The frame of the racket says
 * the same, and what the contact does is -(1 - e^2) 2^2 m / 2. */
static void obstacles_that_move(void **state)
{
    (void)state;
    const carom_impact_law_ops *laws[] = {&carom_impact_moreau, &carom_impact_newton, &carom_impact_poisson};
    for (int law = 0; law < 3; law++)
        for (int k = 0; k <= 4; k++) {
            const double e = k / 4.0;
            const sample s = {.n = 1, .c = 1, .masses = {3}, .w = {1}, .v = {0}, .rate = {-2}, .e = {e}};
            const outcome out = run(&s, laws[law]);
            assert_int_equal(out.r.word, CAROM_IMPACT_OK);
            assert_true(fabs(out.v[0] - 2 * (1 + e)) < 1e-15 && fabs(out.p[0] - 6 * (1 + e)) < 1e-14);
            assert_true(fabs(out.r.work + 6 * (1 - e * e)) < 1e-14);
            assert_true(out.r.energy_before == 0.0 && out.r.energy_after > 0.0);
            assert_true(out.r.kinematic && out.r.kinetic && out.r.energetic);
            assert_true(out.r.imbalance < 1e-15);
        }
    /* gain is seen through the work where the obstacle moves */
    const sample s = {.n = 1, .c = 1, .masses = {3}, .w = {1}, .v = {0}, .rate = {-2}, .e = {1.5}};
    carom_impact_options options = carom_impact_defaults();
    options.allow_gain = true;
    assert_false(run_with(&s, &carom_impact_newton, &options).r.energetic);
}

static void laws_by_name(void **state)
{
    (void)state;
    carom_error error = {0};
    const char *const names[] = {"moreau", "newton", "poisson"};
    const carom_impact_law_ops *const laws[] = {&carom_impact_moreau, &carom_impact_newton,
                                                &carom_impact_poisson};
    for (int i = 0; i < 3; i++)
        assert_ptr_equal(carom_impact_law_find(names[i], &error), laws[i]);
    for (size_t i = 0; i < carom_impact_law_count(); i++) {
        const carom_impact_law_ops *law = carom_impact_law_at(i);
        assert_ptr_equal(carom_impact_law_find(law->name, &error), law);
        assert_true(strlen(law->summary) > 20);
    }
    assert_null(carom_impact_law_at(carom_impact_law_count()));
    assert_null(carom_impact_law_find("poison", &error));
    assert_non_null(strstr(error.text, "poisson"));
}

static void words_and_notes(void **state)
{
    (void)state;
    for (int word = CAROM_IMPACT_OK; word <= CAROM_IMPACT_INFEASIBLE; word++)
        for (int other = CAROM_IMPACT_OK; other < word; other++)
            assert_string_not_equal(carom_impact_word_text((carom_impact_word)word),
                                    carom_impact_word_text((carom_impact_word)other));
    for (int bit = 0; bit < CAROM_IMPACT_NOTES; bit++)
        assert_true(strlen(carom_impact_note_text(bit)) > 20);
    assert_null(carom_impact_note_text(-1));
    assert_null(carom_impact_note_text(CAROM_IMPACT_NOTES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_bad_numbers),
        cmocka_unit_test(refuses_bad_matrices),
        cmocka_unit_test(refuses_bad_sizes),
        cmocka_unit_test(moreau_has_one_restitution),
        cmocka_unit_test(a_work_serves_smaller_impacts),
        cmocka_unit_test(forms_of_the_same_data),
        cmocka_unit_test(sizes_of_impacts),
        cmocka_unit_test(obstacles_that_move),
        cmocka_unit_test(laws_by_name),
        cmocka_unit_test(words_and_notes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
