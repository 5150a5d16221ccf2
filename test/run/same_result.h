/* Results of two runs that must have the same bits; how long they took does not count. */
#ifndef CAROM_TEST_RUN_SAME_RESULT_H
#define CAROM_TEST_RUN_SAME_RESULT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "carom/run.h"

static inline void same_bytes_at(const char *what, size_t bytes, const void *a, const void *b, int line)
{
    if ((!a || !b) ? a != b : bytes > 0 && memcmp(a, b, bytes) != 0) {
        print_error("%s differs\n", what);
        _fail(__FILE__, line);
    }
}

/* A member that is a number, and an array of numbers behind a pointer. */
#define SAME(member) same_bytes_at(#member, sizeof(a->member), &a->member, &b->member, __LINE__)
#define SAME_LIST(count, member)                                                                             \
    same_bytes_at(#member, (size_t)(count) * sizeof *a->member, a->member, b->member, __LINE__)
#define SAME_TEXT(member) assert_string_equal(a->member, b->member)

static inline void assert_same_certificate(const carom_certificate *a, const carom_certificate *b)
{
    SAME(trusted);
    SAME(energy_initial);
    SAME(energy_final);
    SAME(forces);
    SAME(contacts);
    SAME(joints);
    SAME(scheme);
    SAME(energy_scale);
    SAME(penetration);
    SAME(penetration_time);
    SAME_TEXT(penetration_contact);
    SAME(drift);
    SAME(drift_time);
    SAME(drift_joint);
    SAME(contact_error);
    SAME(contact_error_time);
    SAME(contact_tolerance);
    SAME(unsolved_steps);
    SAME(fixed_rows_steps);
    SAME(crossings);
    SAME(crossing_time);
    SAME_TEXT(crossing_contact);
    SAME_TEXT(stop);
    SAME(stop_time);
    SAME(doubts);
    for (int i = 0; i < a->doubts && i < CAROM_DOUBTS_KEPT; i++)
        SAME_TEXT(doubt[i]);
}

static inline void assert_same_step_counts(const carom_step_counts *a, const carom_step_counts *b)
{
    SAME(steps);
    SAME(adhesive_impulses);
    SAME(solver_iterations);
    SAME(worst_solver_error);
    SAME(solver_tolerance);
    SAME(unsolved);
    SAME(fixed_rows);
    SAME(accumulation_time);
}

static inline void assert_same_event(const carom_event *a, const carom_event *b)
{
    SAME(t);
    SAME(kind);
    SAME(contact);
    SAME(rate_before);
    SAME(rate_after);
    SAME(impulse);
    SAME(energy_before);
    SAME(energy_after);
}

static inline void assert_same_measured(const carom_measured *a, const carom_measured *b)
{
    SAME(count);
    SAME(is_array);
    SAME_LIST(a->count, value);
}

static inline void assert_same_result(const carom_run_result *a, const carom_run_result *b)
{
    SAME(status);
    SAME_TEXT(word);
    SAME_TEXT(message);
    SAME(scheme);
    SAME(h);
    SAME(t0);
    SAME(t_end);
    SAME(steps);
    SAME(steps_planned);
    SAME(record_every);
    SAME(steps_resumed);
    SAME(layout);
    SAME_LIST(a->layout.width, initial);
    SAME_LIST(a->layout.width, final);
    SAME(energy_initial);
    SAME(energy_final);
    SAME(max_step_gain);
    SAME(max_penetration);
    SAME(impacts);
    assert_same_step_counts(&a->counts, &b->counts);
    SAME(warnings.count);
    for (int i = 0; i < a->warnings.count && i < CAROM_WARNINGS_KEPT; i++)
        SAME_TEXT(warnings.text[i]);
    assert_same_certificate(&a->certificate, &b->certificate);
    SAME(event_count);
    for (size_t i = 0; i < a->event_count; i++)
        assert_same_event(&a->event[i], &b->event[i]);
    SAME(points.columns);
    SAME(points.count);
    SAME_LIST(a->points.count * carom_event_points_width(&a->points), points.row);
    SAME(measure_count);
    for (int i = 0; i < a->measure_count; i++)
        assert_same_measured(&a->measure[i], &b->measure[i]);
    SAME(sample_count);
    SAME_LIST(a->sample_count * a->layout.width, sample);
    SAME(option_count);
    SAME_LIST(a->option_count, option);
    SAME(solver_option_count);
    assert_int_equal(!a->values, !b->values);
    assert_int_equal(!a->results, !b->results);
    assert_int_equal(!a->sensitivity, !b->sensitivity);
    if (a->sensitivity)
        for (int i = 0; i < a->sensitivity->count; i++)
            same_bytes_at("sensitivity", (size_t)a->layout.width * sizeof(double),
                          carom_sensitivity_final(a->sensitivity, i),
                          carom_sensitivity_final(b->sensitivity, i), __LINE__);
}

#undef SAME
#undef SAME_LIST
#undef SAME_TEXT

#endif
