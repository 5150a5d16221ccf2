/* Which outputs pictures show, and pushes of a long run. */
#include "test/near.h"

#include "carom/run/frames.h"

static void fill(carom_series *series, size_t rows)
{
    carom_recorder recorder = carom_series_recorder(series);
    for (size_t i = 0; i < rows; i++) {
        double row[2] = {(double)i, -(double)i};
        assert_int_equal(recorder.row(recorder.context, row, NULL), CAROM_OK);
    }
}

/* Never more than asked for, begun with the first and ended with the last output, evenly in between. */
static void frames_are_even(void **state)
{
    (void)state;
    for (size_t rows = 1; rows < 120; rows++) {
        carom_series series = {.layout = {.width = 2}};
        fill(&series, rows);
        for (size_t most = 2; most < 130; most++) {
            const carom_frames frames = carom_frames_of(&series, most);
            assert_in_range(frames.count, 1, most);
            assert_true(carom_frame_row(&frames, 0)[0] == 0.0);
            assert_true(carom_frame_row(&frames, frames.count - 1)[0] == (double)(rows - 1));
            for (size_t f = 1; f + 1 < frames.count; f++)
                assert_true(carom_frame_row(&frames, f)[0] == (double)(f * frames.stride));
            if (rows <= most)
                assert_int_equal(frames.count, rows);
            else /* half of what is allowed, or more: no output is left out without need */
                assert_true(2 * frames.count >= most);
        }
        carom_series_free(&series);
    }
}

static void no_rows_no_frames(void **state)
{
    (void)state;
    const carom_series series = {.layout = {.width = 2}};
    assert_int_equal(carom_frames_of(&series, 10).count, 0);
}

static carom_status record_points(const carom_recorder *recorder, int output)
{
    /* The second carries nothing. */
    const carom_body_point idle = {.a = 2, .b = 0, .normal = {0, 1, 0}, .friction = 0.5};
    carom_body_point point[4] = {idle, idle, idle, idle};
    for (int i = 0; i < 3; i++) {
        carom_body_point *p = &point[i < 1 ? i : i + 1];
        p->a = output;
        p->arm[0][0] = 0.25;
        p->impulse[0] = 0.5 * i; /* the cone ends at 1 */
        p->impulse[1] = 2.0;
    }
    const int pushing = output % 4;
    return recorder->points(recorder->context, (double)output, pushing > 1 ? pushing + 1 : pushing, point,
                            NULL);
}

/* Output i has i mod 4 points that push, the last of three on the boundary of its cone. */
static void check_pushes(const carom_push_series *pushes)
{
    assert_int_equal(pushes->first[0], 0);
    for (size_t k = 0; k < pushes->count; k++) {
        const int output = (int)pushes->t[k];
        assert_int_equal(pushes->first[k + 1] - pushes->first[k], output % 4);
        for (int i = 0; i < output % 4; i++) {
            const carom_push *push = &pushes->point[pushes->first[k] + (size_t)i];
            assert_int_equal(push->a, output);
            assert_true(push->impulse[0] == 0.5f * (float)i && push->impulse[1] == 2.0f);
            assert_true(push->arm[0][0] == 0.25f);
            assert_int_equal(push->slips, i == 2);
        }
        if (k > 0)
            assert_true(pushes->t[k] > pushes->t[k - 1]);
    }
    assert_int_equal(pushes->first[pushes->count], pushes->points);
}

static void pushes_are_kept_in_order(void **state)
{
    (void)state;
    carom_push_series pushes = {0};
    const carom_recorder recorder = carom_push_series_recorder(&pushes);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(record_points(&recorder, i), CAROM_OK);
    assert_int_equal(pushes.count, 1000);
    assert_int_equal(pushes.points, 1500);
    check_pushes(&pushes);
    carom_push_series_free(&pushes);
    assert_int_equal(pushes.count, 0);
}

/* A limit drops every other output, and those that stay are those of a series. */
static void pushes_are_thinned(void **state)
{
    (void)state;
    carom_push_series pushes = {.limit = 100};
    const carom_recorder recorder = carom_push_series_recorder(&pushes);
    for (int i = 0; i < 1001; i++) {
        assert_int_equal(record_points(&recorder, i), CAROM_OK);
        assert_true(pushes.points <= 100 + 3); /* the last output is taken whole */
    }
    assert_true(pushes.count > 20 && pushes.count < 1001);
    for (size_t k = 0; k < pushes.count; k++)
        assert_true(pushes.t[k] == (double)(k * pushes.stride));
    check_pushes(&pushes);
    carom_push_series_free(&pushes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_even),
        cmocka_unit_test(no_rows_no_frames),
        cmocka_unit_test(pushes_are_kept_in_order),
        cmocka_unit_test(pushes_are_thinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
