#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <time.h>

#include "scripts.h"

static void test_nothing_leads_out_of_the_sandbox(void **state)
{
    (void)state;
    static const char *const names[] = {
        "io",      "os",    "debug",  "load",      "loadfile",     "dofile",       "require",
        "package", "pcall", "xpcall", "coroutine", "setmetatable", "getmetatable", "collectgarbage"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[100], quoted[40];
        snprintf(text, sizeof text, "\nlocal escape = %s\n", names[i]);
        snprintf(quoted, sizeof quoted, "'%s'", names[i]);
        check_refused(text, 2, quoted, "not available in model files");
        snprintf(text, sizeof text, "\nlocal escape = _G.%s\n", names[i]);
        check_refused(text, 2, quoted, "not available in model files");
    }
    static const char *const fields[] = {"string.dump",   "string.find", "string.gsub", "string.match",
                                         "string.gmatch", "string.pack", "table.move",  "math.randomseed"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        char text[100];
        snprintf(text, sizeof text, "local escape = %s", fields[i]);
        check_refused(text, 1, fields[i], "not available in model files");
    }
    check_refused("('x'):find('x')", 1, "string.find", "not available in model files");
    check_refused("local f = ('x').dump", 1, "string.dump", "not available in model files");
    check_refused("print(rawget(_G, 'io').write)", 1, "nil value", NULL);
}

/* Runs a script that would never end; it must be refused in a moment. */
static void check_ends(const char *text, int line, const char *word)
{
    const clock_t start = clock();
    check_refused(text, line, word, NULL);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC <
                30.0); /* of the processor, also on a busy machine */
}

static void test_endless_scripts_end(void **state)
{
    (void)state;
    check_ends("\nwhile true do end", 2, "endless");
    check_ends("local x = coordinates('x')\n\nwhile true do local y = x + 1 end", 3, "endless");
    check_ends("while true do local s = string.rep('x', 1000000) end", 1, "endless");
    check_ends("string.rep('', 1 << 60)", 1, "string.rep");
}

static void test_scripts_that_eat_memory_end(void **state)
{
    (void)state;
    check_ends("local s = 'x' while true do s = s .. s end", 0, "memory");
    check_ends("local t = {} for i = 1, 1e12 do t[i] = i end", 0, "memory");
    check_ends("local s = string.rep(string.rep('x', 1000), 1000000)", 0, "memory");
    check_ends(
        "local s = string.rep('x', 1000000) s = string.rep(s, 50) while true do experiment { doc = s } end",
        1, "memory");
    check_ends("local s = string.rep('x', 100000) while true do print(s) end", 1, "print");
}

static void test_a_graph_filled_with_numbers_is_an_error(void **state)
{
    (void)state;
    check_ends("local x = coordinates('x')\nfor i = 1, 5000000 do local root = sqrt(i + 0.5) end\n", 2,
               "operations");
}

/* ---- damaged scripts ------------------------------------------------------------------------ */

static size_t random_place(carom_random *random, size_t count)
{
    return (size_t)carom_random_uniform(random, 0.0, (double)count);
}

/* Deletes or doubles a part of the text, or writes one letter over another. */
static void damage(carom_random *random, char *text, size_t capacity)
{
    const size_t length = strlen(text);
    if (length < 2)
        return;
    size_t start = random_place(random, length), size = 1;
    const int kind = (int)random_place(random, 5);
    if (kind < 2) { /* a whole line */
        while (start > 0 && text[start - 1] != '\n')
            start--;
        const char *end = strchr(text + start, '\n');
        size = end ? (size_t)(end - text) - start + 1 : length - start;
    } else if (kind == 2) {
        size = 1 + random_place(random, 12);
    }
    if (start + size > length)
        size = length - start;
    if (kind == 4)
        text[start] = "(){}[]=,.'\"+-*/^0129 \nxyedt#<~"[random_place(random, 30)];
    else if (kind % 2 == 0)
        memmove(text + start, text + start + size, length - start - size + 1);
    else if (length + size < capacity)
        memmove(text + start + size, text + start, length - start + 1);
}

static void test_damaged_scripts_load_or_are_refused(void **state)
{
    (void)state;
    enum {
        MUTANTS = 400,
        CAPACITY = 8192
    };
    static char text[CAPACITY];
    int good = 0, bad = 0;
    for (unsigned seed = 0; seed < MUTANTS; seed++) {
        carom_random random = {.state = seed};
        assert_true(strlen(complete_script) < CAPACITY / 2);
        strcpy(text, complete_script);
        for (unsigned k = 0; k <= seed % 4; k++)
            damage(&random, text, CAPACITY);
        carom_experiment *e = NULL;
        carom_error error = {0};
        const carom_load_request request = {
            .file = script_name, .text = text, .variant = seed % 5 == 0 ? "steep" : NULL};
        const carom_status status = carom_experiment_load(&request, &e, &error);
        if (status == CAROM_OK) {
            good++;
            carom_experiment_free(e);
            continue;
        }
        bad++;
        if (status != CAROM_BAD_INPUT || e || !strstr(error.text, script_name))
            fail_msg("seed %u: %s: %s", seed, carom_status_word(status), error.text);
    }
    assert_true(good > 20 && bad > 100); /* the damage is neither harmless nor always at the same place */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_leads_out_of_the_sandbox),
        cmocka_unit_test(test_endless_scripts_end),
        cmocka_unit_test(test_scripts_that_eat_memory_end),
        cmocka_unit_test(test_a_graph_filled_with_numbers_is_an_error),
        cmocka_unit_test(test_damaged_scripts_load_or_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
