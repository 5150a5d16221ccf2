/* Plots as numbers: which points of a run a layer has, its label, style and colour, and what the axes span. */
#include "test/near.h"

#include "carom/run/curves.h"
#include "test/io/lua/scripts.h"

/* A run with all that plots show. */
typedef struct motion {
    carom_experiment *experiment;
    carom_run_result result;
    carom_series series;
    carom_curve_source source;
} motion;

static void run_with(motion *m, const double *parameter)
{
    carom_error error = {0};
    m->series.layout = carom_row_layout_of(m->experiment);
    const carom_recorder recorder[] = {carom_series_recorder(&m->series)};
    const carom_run_request request = {.experiment = m->experiment,
                                       .parameter = parameter,
                                       .recorder_count = 1,
                                       .recorder = recorder,
                                       .event_points = true};
    if (carom_run(&request, &m->result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    m->source = (carom_curve_source){.experiment = m->experiment,
                                     .parameter = parameter,
                                     .values = m->result.values,
                                     .results = m->result.results,
                                     .series = &m->series,
                                     .points = &m->result.points};
}

static motion *begin(motion *m, const char *text)
{
    *m = (motion){.experiment = load_good_text(text)};
    run_with(m, NULL);
    return m;
}

static void end(motion *m)
{
    carom_series_free(&m->series);
    carom_run_result_free(&m->result);
    carom_experiment_free(m->experiment);
}

static carom_figure *figure_of(const carom_curve_source *source, int plot)
{
    carom_figure *figure = NULL;
    carom_error error = {0};
    if (carom_figure_create(source, plot, &figure, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return figure;
}

/* Falls 0.8 m in 0.4 s, comes with 4 m/s, leaves with 2 m/s, and comes back at 0.8 s. */
static const char ball[] =
    "local e, wide = param('e', 0.5), param('wide', 3)\n"
    "local y = coordinates('y')\nmass(1)\npotential(10 * y)\n"
    "contact { 'floor', gap = y, restitution = e }\ninitial { y = 0.8 }\n"
    "integrate { scheme = 'event-driven', h = 0.125, until_t = 0.75 }\n"
    "plot { 'speed', title = 'Speed', ylabel = 'm/s', line { time(), dot(y), label = 'v', marks = true },\n"
    "       points { time(), y, label = 'height', style = 'cross' },\n"
    "       outline { { 0, 0 }, { wide, 1 }, label = 'edge', style = 'dotted' } }\n"
    "plot { 'two', columns = 5, panel { line { y, dot(y), from = 0.2, to = 0.6 } },\n"
    "       panel { xlabel = 't', ylog = true, segments { time(), y, time() + 1, y + 2, every = 0.25 } } }\n"
    "plot { 'ranges', xrange = { 0, wide }, yrange = { -1, 7 }, equal = true,\n"
    "       line { time(), y, numbered = true, style = 'solid' } }\n";

static void lines_jump_where_impacts_are(void **state)
{
    (void)state;
    motion m;
    carom_figure *figure = figure_of(&begin(&m, ball)->source, 0);
    assert_string_equal(figure->plot->name, "speed");
    assert_int_equal(figure->panel_count, 1);
    const carom_figure_panel *panel = &figure->panel[0];
    assert_string_equal(panel->panel->ylabel, "m/s");
    assert_int_equal(panel->curve_count, 4);

    const carom_curve *line = &panel->curve[0], *mark = &panel->curve[1];
    assert_string_equal(line->label, "v");
    assert_string_equal(line->style, "line");
    assert_int_equal(line->tint, CAROM_TINT_PALETTE);
    assert_int_equal(line->tint_number, 0);
    assert_true(line->member == -1 && line->mark == -1 && !line->thinned && !line->x2 && !line->rgb);
    assert_int_equal(line->count, 7 + 2);
    for (size_t i = 0; i < line->count; i++) {
        const bool before = i <= 4; /* outputs at 0, 1/8, 2/8, 3/8, and the impact's first side */
        assert_true(line->x[i] == line->t[i]);
        near_at("v", line->y[i], before ? -10.0 * line->t[i] : 2.0 - 10.0 * (line->t[i] - 0.4), 1e-9,
                __FILE__, __LINE__);
    }
    near_at("impact", line->t[4], 0.4, 1e-10, __FILE__, __LINE__);
    assert_true(line->t[4] == line->t[5]);

    assert_int_equal(mark->mark, CAROM_EVENT_IMPACT);
    assert_string_equal(mark->label, "impact");
    assert_string_equal(mark->style, "impact");
    assert_int_equal(mark->count, 2);
    assert_true(mark->y[0] == line->y[4] && mark->y[1] == line->y[5]);
    assert_true(mark->tint == line->tint && mark->tint_number == line->tint_number);
    carom_figure_free(figure);
    end(&m);
}

static void points_and_outlines(void **state)
{
    (void)state;
    motion m;
    carom_figure *figure = figure_of(&begin(&m, ball)->source, 0);
    const carom_curve *points = &figure->panel[0].curve[2], *outline = &figure->panel[0].curve[3];
    assert_string_equal(points->style, "cross");
    assert_int_equal(points->tint_number, 1);
    assert_int_equal(points->count, m.series.count);
    for (size_t i = 0; i < points->count; i++) {
        assert_true(points->x[i] == carom_series_row(&m.series, i)[0]);
        assert_true(points->y[i] == carom_series_row(&m.series, i)[m.series.layout.q]);
    }
    assert_string_equal(outline->style, "dotted");
    assert_string_equal(outline->label, "edge");
    assert_int_equal(outline->tint, CAROM_TINT_OUTLINE);
    assert_int_equal(outline->count, 2);
    assert_true(outline->x[1] == 3.0 && outline->y[1] == 1.0 && outline->t[1] == 0.0);
    carom_figure_free(figure);

    /* What is left out is found: values from the parameters given, or from the current ones. */
    const double other[] = {0.5, 4.0};
    carom_curve_source bare = {.experiment = m.experiment};
    figure = figure_of(&bare, 0);
    assert_int_equal(figure->panel[0].curve_count, 1);
    assert_true(figure->panel[0].curve[0].x[1] == 3.0);
    carom_figure_free(figure);
    bare.parameter = other;
    figure = figure_of(&bare, 0);
    assert_true(figure->panel[0].curve[0].x[1] == 4.0);
    carom_figure_free(figure);
    end(&m);
}

static void windows_segments_and_panels(void **state)
{
    (void)state;
    motion m;
    carom_figure *figure = figure_of(&begin(&m, ball)->source, 1);
    assert_true(figure->panel_count == 2 && figure->columns == 2 && figure->rows == 1);
    const carom_curve *orbit = &figure->panel[0].curve[0], *segments = &figure->panel[1].curve[0];
    for (size_t i = 0; i < orbit->count; i++)
        assert_true(orbit->t[i] >= 0.2 && orbit->t[i] <= 0.6);
    assert_int_equal(orbit->count, 2 + 2 + 1); /* outputs at 1/4, 3/8; the impact; 1/2 */
    assert_string_equal(segments->style, "segments");
    assert_int_equal(segments->count, 4);
    for (size_t i = 0; i < segments->count; i++) {
        near_at("time", segments->t[i], 0.25 * (double)i, 1e-12, __FILE__, __LINE__);
        assert_true(segments->x2[i] == segments->x[i] + 1.0 && segments->y2[i] == segments->y[i] + 2.0);
    }
    /* A logarithmic axis is wider by a part of its decades, and begins above 0. */
    const carom_range y = figure->panel[1].y;
    assert_true(y.low > 0.0 && y.low < y.high && y.high > 2.8);
    carom_figure_free(figure);
    end(&m);
}

static void axes(void **state)
{
    (void)state;
    motion m;
    carom_figure *figure = figure_of(&begin(&m, ball)->source, 2);
    const carom_figure_panel *panel = &figure->panel[0];
    assert_true(panel->panel->equal);
    assert_true(panel->x.low == 0.0 && panel->x.high == 3.0 && panel->y.low == -1.0 && panel->y.high == 7.0);
    assert_string_equal(panel->curve[0].style, "linepoints");
    carom_figure_free(figure);

    /* Time fills its axis; height has a twentieth of room on both sides: from -4 to 2 and from 0.8 to 0. */
    figure = figure_of(&m.source, 0);
    assert_true(figure->panel[0].x.low == 0.0 && figure->panel[0].x.high == 3.0);
    near_at("low", figure->panel[0].y.low, -4.0 - 0.05 * 6.0, 1e-9, __FILE__, __LINE__);
    near_at("high", figure->panel[0].y.high, 2.0 + 0.05 * 6.0, 1e-9, __FILE__, __LINE__);
    carom_figure_free(figure);
    end(&m);
}

/* ---- families -------------------------------------------------------------------------------------- */

/* Curves of a family of that many members, beside the main run. */
static carom_figure *family_figure(motion *m, int members)
{
    carom_text text = {0};
    carom_text_append(&text, "local v = param('v', 0)\nlocal x = coordinates('x')\nmass(1)\n"
                             "initial { x = 0, [dot(x)] = v }\n"
                             "integrate { scheme = 'moreau-jean', h = 0.5, until_t = 1 }\nfamily { v = {");
    for (int i = 0; i < members; i++)
        carom_text_append(&text, " %d,", i);
    carom_text_append(&text, " } }\nplot { 'all', line { time(), x, family = true },"
                             " line { time(), x + 1, label = 'up', family = true }, line { time(), x } }\n");
    begin(m, text.bytes);
    carom_text_free(&text);
    enum {
        MOST = 20
    };
    motion of[MOST] = {0};
    carom_series series[MOST];
    carom_event_points points[MOST];
    assert_true(members <= MOST);
    for (int i = 0; i < members; i++) {
        const double v = i;
        of[i].experiment = m->experiment;
        run_with(&of[i], &v);
        series[i] = of[i].series;
        points[i] = of[i].result.points;
    }
    m->source.family = (carom_curve_family){.count = members, .series = series, .points = points};
    carom_figure *figure = figure_of(&m->source, 0);
    m->source.family = (carom_curve_family){0};
    for (int i = 0; i < members; i++) {
        carom_series_free(&of[i].series);
        carom_run_result_free(&of[i].result);
    }
    return figure;
}

static void small_families(void **state)
{
    (void)state;
    motion m;
    carom_figure *figure = family_figure(&m, 3);
    const carom_figure_panel *panel = &figure->panel[0];
    assert_int_equal(panel->curve_count, 3 + 3 + 1);
    for (int i = 0; i < 6; i++) {
        const carom_curve *curve = &panel->curve[i];
        assert_int_equal(curve->member, i % 3);
        assert_true(curve->tint == CAROM_TINT_PALETTE && curve->tint_number == i % 3);
        near_at("end", curve->y[curve->count - 1], i % 3 + (i >= 3), 1e-12, __FILE__, __LINE__);
    }
    assert_string_equal(panel->curve[1].label, "v = 1");
    assert_string_equal(panel->curve[4].label, "up, v = 1");
    const carom_curve *main = &panel->curve[6];
    assert_true(main->member == -1 && main->tint == CAROM_TINT_MAIN && !main->label);
    carom_figure_free(figure);
    end(&m);
}

static void large_families(void **state)
{
    (void)state;
    motion m;
    carom_figure *figure = family_figure(&m, 17);
    const carom_figure_panel *panel = &figure->panel[0];
    int labelled = 0;
    for (int i = 0; i < 17; i++) {
        assert_true(panel->curve[i].tint == CAROM_TINT_SEQUENCE && panel->curve[i].tint_number == i);
        labelled += panel->curve[i].label != NULL;
    }
    assert_int_equal(labelled, 5);
    assert_true(panel->curve[0].label && panel->curve[16].label);
    carom_figure_free(figure);
    end(&m);
}

/* ---- many points, bodies, structures ---------------------------------------------------------------- */

static void thinned_lines_keep_extremes(void **state)
{
    (void)state;
    motion m;
    begin(&m, "local x = coordinates('x')\nmass(1)\npotential(50 * x^2)\ninitial { x = 1 }\n"
              "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 60 }\n"
              "plot { 'x', line { time(), x }, points { time(), x } }\n");
    carom_figure *figure = figure_of(&m.source, 0);
    const carom_curve *line = &figure->panel[0].curve[0], *all = &figure->panel[0].curve[1];
    assert_int_equal(all->count, 60001);
    assert_true(line->thinned && !all->thinned && line->count < 20000);
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    const carom_curve *const both[2] = {line, all};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < both[k]->count; i++) {
            low[k] = fmin(low[k], both[k]->y[i]);
            high[k] = fmax(high[k], both[k]->y[i]);
            assert_true(i == 0 || both[k]->t[i] > both[k]->t[i - 1]);
        }
    assert_true(low[0] == low[1] && high[0] == high[1]);
    assert_true(line->t[0] == 0.0 && line->t[line->count - 1] == all->t[all->count - 1]);
    carom_figure_free(figure);
    end(&m);
}

static void scenes_have_colours(void **state)
{
    (void)state;
    motion m;
    begin(&m, "world { gravity = { 0, -10 } }\n"
              "body { 'a', shape = disc { 0.5 }, density = 1, at = { 2, 3 } }\n"
              "integrate { h = 0.01, until_t = 0.1 }\nplot { 'scene', scene { at = 0 } }\n");
    carom_figure *figure = figure_of(&m.source, 0);
    const carom_curve *scene = &figure->panel[0].curve[0];
    size_t breaks = 0;
    assert_non_null(scene->rgb);
    for (size_t i = 0; i < scene->count; i++) {
        breaks += isnan(scene->x[i]) ? 1 : 0;
        if (isnan(scene->x[i]))
            continue;
        assert_true(hypot(scene->x[i] - 2.0, scene->y[i] - 3.0) <= 0.5 + 1e-12);
        assert_true(scene->rgb[i] >= 0.0 && scene->rgb[i] < 16777216.0 &&
                    floor(scene->rgb[i]) == scene->rgb[i]);
    }
    assert_true(breaks > 0 && scene->count > 10);
    carom_figure_free(figure);
    end(&m);
}

/* Shapes of a beam at four times: each begins at the clamped end, a break follows it, colours come from the times. */
static void profiles_have_times(void **state)
{
    (void)state;
    motion m;
    begin(&m,
          "local u = beam { 'u', length = 10, elements = 20, k2 = 282.84, left = 'clamped', right = 'free',\n"
          "  acceleration = function(_, t) return sin(10 * t) end,\n"
          "  obstacles = { { lower = function(x) return -1 end, upper = function(x) return 1 end } } }\n"
          "integrate { scheme = 'newmark-contact', h = 1e-3, until_t = 0.5 }\n"
          "plot { 'shapes', profile { every = 0.1, from = 0.2, to = 0.5, label = 'beam' } }\n"
          "plot { 'map', contact_map { 'lower' } }\n");
    carom_figure *figure = figure_of(&m.source, 0);
    const carom_figure_panel *panel = &figure->panel[0];
    const carom_curve *shapes = &panel->curve[0];
    near_at("first time", panel->time.low, 0.2, 1e-9, __FILE__, __LINE__);
    near_at("last time", panel->time.high, 0.5, 1e-9, __FILE__, __LINE__);
    int begun = 0;
    for (size_t i = 0; i < shapes->count; i++) {
        if ((i == 0 || isnan(shapes->x[i - 1])) && !isnan(shapes->x[i])) {
            begun++;
            assert_true(shapes->x[i] == 0.0 && shapes->y[i] == 0.0);
        }
        assert_true(i == 0 || shapes->t[i] >= shapes->t[i - 1]);
    }
    assert_int_equal(begun, 4);
    assert_true(isnan(shapes->x[shapes->count - 1]));
    carom_figure_free(figure);

    /* Nothing touches: no curve, and the axes are still those of the structure and the run. */
    figure = figure_of(&m.source, 1);
    assert_int_equal(figure->panel[0].curve_count, 0);
    assert_true(figure->panel[0].x.low == 0.0 && figure->panel[0].x.high == 10.0);
    assert_false(figure->panel[0].time.low < figure->panel[0].time.high);
    carom_figure_free(figure);
    end(&m);
}

/* ---- refusals --------------------------------------------------------------------------------------- */

static void refuse(const carom_curve_source *source, int plot, const char *words)
{
    carom_figure *figure = (carom_figure *)&plot;
    carom_error error = {0};
    assert_int_equal(carom_figure_create(source, plot, &figure, &error), CAROM_BAD_INPUT);
    assert_null(figure);
    if (!strstr(error.text, words))
        fail_msg("'%s' is not in: %s", words, error.text);
    assert_int_equal(carom_figure_create(source, plot, &figure, NULL), CAROM_BAD_INPUT);
}

static void refusals(void **state)
{
    (void)state;
    motion m;
    begin(&m, ball);
    refuse(&(carom_curve_source){0}, 0, "needs an experiment");
    refuse(&m.source, 3, "there is no plot 3: the experiment has 3");
    refuse(&m.source, -1, "there is no plot -1");
    carom_series other = m.series;
    other.layout.columns = 0;
    m.source.series = &other;
    refuse(&m.source, 0, "plot speed, panel 1: a plot needs column");
    end(&m);
    carom_figure_free(NULL);

    begin(&m, "local x = coordinates('x')\nmass(1)\nlocal p = param('p', 0)\n"
              "integrate { scheme = 'moreau-jean', h = 0.5, until_t = 1 }\n"
              "plot { 'x', line { time(), x, every = p } }\n");
    refuse(&m.source, 0, "`every` of a plot is 0; it must be a positive time");
    end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_jump_where_impacts_are),
        cmocka_unit_test(points_and_outlines),
        cmocka_unit_test(windows_segments_and_panels),
        cmocka_unit_test(axes),
        cmocka_unit_test(small_families),
        cmocka_unit_test(large_families),
        cmocka_unit_test(thinned_lines_keep_extremes),
        cmocka_unit_test(scenes_have_colours),
        cmocka_unit_test(profiles_have_times),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
