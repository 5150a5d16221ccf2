/* The page of a run, made by a program in C: in memory and in a file the same, and refused where it cannot be. */
#include "test/near.h"

#include <unistd.h>

#include "carom/io/page.h"
#include "carom/io/report.h"
#include "test/io/lua/scripts.h"

static const char ball[] =
    "experiment { title = 'A ball </script>' }\n"
    "local x, y = coordinates('x', 'y')\nmass(1)\npotential(10 * y)\n"
    "contact { 'floor', gap = y, restitution = 0.5 }\ninitial { x = 0, y = 0.8, [dot(x)] = 1 }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-2, until_t = 1 }\nmeasure { top = maximum(y) }\n"
    "draw { disc(x, y, 0.1) }\nplot { 'height', line { time(), y, marks = true } }\n";

typedef struct motion {
    carom_experiment *experiment;
    carom_run_result result;
    carom_series series;
    carom_report_source source;
} motion;

static void begin(motion *m)
{
    carom_error error = {0};
    *m = (motion){.experiment = load_good_text(ball)};
    m->series.layout = carom_row_layout_of(m->experiment);
    const carom_recorder recorder[] = {carom_series_recorder(&m->series)};
    const carom_run_request request = {.experiment = m->experiment,
                                       .recorder_count = 1,
                                       .recorder = recorder,
                                       .events = true,
                                       .event_points = true};
    if (carom_run(&request, &m->result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    m->source =
        (carom_report_source){.experiment = m->experiment, .result = &m->result, .series = &m->series};
}

static void end(motion *m)
{
    carom_series_free(&m->series);
    carom_run_result_free(&m->result);
    carom_experiment_free(m->experiment);
}

static carom_text page_of(const carom_report_source *source)
{
    carom_text page = {0};
    carom_error error = {0};
    if (carom_report_run_text(source, &page, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    assert_int_equal(strlen(page.bytes), page.length);
    return page;
}

/* The file's bytes are those of the text. */
static void same_as_file(const char *path, const carom_text *page)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(page->length + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, page->length + 1, file), page->length);
    assert_memory_equal(bytes, page->bytes, page->length);
    fclose(file);
    free(bytes);
}

static int count(const char *text, const char *word)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        found++;
    return found;
}

static void page_in_memory_is_that_of_the_file(void **state)
{
    (void)state;
    motion m;
    carom_error error = {0};
    if (!carom_report_available())
        skip();
    begin(&m);
    carom_text page = page_of(&m.source);
    assert_int_equal(carom_report_run(&m.source, "ball.html", &error), CAROM_OK);
    same_as_file("ball.html", &page);
    assert_memory_equal(page.bytes, "<!doctype html>", 15);
    assert_int_equal(count(page.bytes, "id=\"carom-data\""), 1);
    assert_int_equal(count(page.bytes, "<!--carom:"), 0);
    assert_int_equal(count(page.bytes, "\"title\":\"A ball \\u003c/script>\""), 1);

    /* Another title; a text that holds something keeps it. */
    m.source.title = "Another";
    carom_text second = {0};
    carom_text_append(&second, "before");
    assert_int_equal(carom_report_run_text(&m.source, &second, &error), CAROM_OK);
    assert_memory_equal(second.bytes, "before<!doctype html>", 21);
    assert_int_equal(count(second.bytes, "\"title\":\"Another\""), 1);
    assert_int_equal(count(second.bytes, "A ball"), 0);
    carom_text_free(&page);
    carom_text_free(&second);
    end(&m);
}

/* What is left out makes smaller pages: no rows, no command. */
static void parts_may_be_missing(void **state)
{
    (void)state;
    motion m;
    if (!carom_report_available())
        skip();
    begin(&m);
    const char *const words[] = {"carom", "run", "a-very-long-name-of-a-model-file-0123456789.lua", NULL};
    carom_text whole = page_of(&m.source);
    m.source.command = words;
    carom_text with_command = page_of(&m.source);
    m.source.command = NULL;
    m.source.series = NULL;
    carom_text still = page_of(&m.source);
    assert_true(with_command.length > whole.length);
    assert_true(still.length + 1000 < whole.length);
    carom_text_free(&whole);
    carom_text_free(&with_command);
    carom_text_free(&still);
    end(&m);
}

/* A run file that holds the run gives a page, too. */
static void stored_runs(void **state)
{
    (void)state;
    motion m;
    carom_error error = {0};
    carom_run_writer *writer = NULL;
    carom_recorder recorder;
    carom_run_file *file = NULL;
    if (!carom_report_available())
        skip();
    begin(&m);
    carom_run_result result = {0};
    assert_int_equal(carom_run_writer_create("ball.h5", &writer, &error), CAROM_OK);
    assert_int_equal(
        carom_run_writer_begin(writer, -1, m.experiment, m.experiment->parameter, &recorder, &error),
        CAROM_OK);
    const carom_run_request request = {
        .experiment = m.experiment, .recorder_count = 1, .recorder = &recorder, .event_points = true};
    assert_int_equal(carom_run(&request, &result, &error), CAROM_OK);
    assert_int_equal(carom_run_writer_end(writer, &result, &error), CAROM_OK);
    assert_int_equal(carom_run_writer_close(writer, &error), CAROM_OK);
    assert_int_equal(carom_run_file_read("ball.h5", &file, &error), CAROM_OK);
    const carom_report_source source = {.experiment = m.experiment, .stored = &file->main};
    carom_text page = page_of(&source);
    assert_int_equal(carom_report_run(&source, "stored.html", &error), CAROM_OK);
    same_as_file("stored.html", &page);
    carom_text_free(&page);
    carom_run_file_free(file);
    carom_run_result_free(&result);
    end(&m);
}

static void refuse(const carom_report_source *source, const char *words)
{
    carom_text page = {0};
    carom_error error = {0};
    assert_int_equal(carom_report_run_text(source, &page, &error), CAROM_BAD_INPUT);
    assert_true(page.length == 0);
    if (!strstr(error.text, words))
        fail_msg("'%s' is not in: %s", words, error.text);
    assert_int_equal(carom_report_run(source, "refused.html", &error), CAROM_BAD_INPUT);
    assert_int_not_equal(access("refused.html", F_OK), 0);
    carom_text_free(&page);
}

static void refusals(void **state)
{
    (void)state;
    motion m;
    carom_error error = {0};
    begin(&m);
    refuse(&(carom_report_source){0}, "needs an experiment");
    refuse(&(carom_report_source){.experiment = m.experiment}, ".result and .stored are NULL");
    refuse(&(carom_report_source){.experiment = m.experiment, .result = &(carom_run_result){0}},
           "this result is of none");
    carom_run_member member = {0};
    m.source.stored = &member;
    refuse(&m.source, ".result and .stored are both given");
    m.source.stored = NULL;
    if (carom_report_available()) {
        carom_series other = m.series;
        other.layout.columns = 0;
        m.source.series = &other;
        refuse(&m.source, "a plot needs column");
        m.source.series = &m.series;
        assert_int_equal(carom_report_run(&m.source, "nowhere/ball.html", &error), CAROM_BAD_INPUT);
        assert_int_equal(carom_page_check("ball.txt", &error), CAROM_BAD_INPUT);
        assert_int_equal(carom_page_check("other.html", &error), CAROM_OK);
    } else {
        refuse(&m.source, "npm was missing");
    }
    end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page_in_memory_is_that_of_the_file),
        cmocka_unit_test(parts_may_be_missing),
        cmocka_unit_test(stored_runs),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
