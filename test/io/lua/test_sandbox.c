#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <time.h>

#include "scripts.h"
#include "test/base/sanitized.h"

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
    if (!SANITIZED)
        check_ends("\nwhile true do end", 2, "after 400 million instructions; is this loop endless");
    script_instructions = 20000000;
    check_ends("\nwhile true do end", 2, "after 20 million instructions; is this loop endless");
    check_ends("local x = coordinates('x')\n\nwhile true do local y = x + 1 end", 3, "endless");
    check_ends("while true do local s = string.rep('x', 1000000) end", 1, "endless");
    check_ends("string.rep('', 1 << 60)", 1, "string.rep");
    script_instructions = 0;
}

/* Loops of Lua's own functions, which are one instruction each. */
static void test_endless_work_in_c_ends(void **state)
{
    (void)state;
    script_instructions = 10000000;
    check_ends("local t = {} for i = 1, 3e5 do t[i] = i end\nwhile true do table.insert(t, 1, 0) end", 2,
               "endless");
    check_ends(
        "local t = {} for i = 1, 3e5 do t[i] = i end\nwhile true do t[#t + 1] = table.remove(t, 1) end", 2,
        "endless");
    check_ends("local t = {} for i = 1, 3e5 do t[i] = '' end\nwhile true do table.concat(t) end", 2,
               "endless");
    check_ends("table.concat({}, '', 1, 1 << 62)", 1, "endless");
    check_ends("table.unpack({}, 1, 1 << 62)", 1, "endless");
    check_ends("local t = {} for i = 1, 3e5 do t[i] = i end\nwhile true do table.sort(t) end", 2, "endless");
    check_ends("local t = {} for i = 1, 3e5 do t[i] = i end\nwhile true do table.sort(t, rawequal) end", 2,
               "");
    check_ends("local a, b, t = string.rep('x', 1e6) .. 'a', string.rep('x', 1e6) .. 'b', {}\n"
               "for i = 1, 1e6 do t[i] = i % 2 == 0 and a or b end\ntable.sort(t)",
               3, "endless");
    check_ends("local n = {} for i = 1, 65536 do n[i] = 'x' .. i end local x = coordinates(n)\n"
               "for i = 1, #x do local v = dot(x[i]) end while true do local v = dot(x[1]^2) end",
               2, "endless");
    script_instructions = 0;
}

/* Instructions that no price can be put on: the clock ends them. */
static void test_long_instructions_end_in_time(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        "local s = string.rep('x', 1e6) s = string.rep(s, 16) local a, b = s .. 'a', s .. 'b'\nwhile a < b "
        "do end",
        "local s = string.rep('x', 1e6) s = string.rep(s, 16) local a, b = s .. 'a', s .. 'b'\nwhile a ~= b "
        "do end",
        "local t = {} for i = 1, 2e6 do t[i] = i end for i = 1, 2e6 do t[i] = nil end\nwhile true do next(t) "
        "end",
    };
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        const carom_load_request request = {.file = script_name, .text = scripts[i], .max_seconds = 0.5};
        carom_experiment *experiment = NULL;
        carom_error error = {0};
        const clock_t start = clock();
        assert_int_equal(carom_experiment_load(&request, &experiment, &error), CAROM_BAD_INPUT);
        assert_null(experiment);
        assert_non_null(strstr(error.text, "model.lua:2: the script did not end after 0.5 s of computing"));
        assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 30.0);
    }
}

static void test_the_library_is_what_it_was(void **state)
{
    (void)state;
    carom_experiment_free(load_good_text(
        "local t = { 3, 1, 2 } table.sort(t) assert(table.concat(t, ',') == '1,2,3')\n"
        "table.sort(t, function(a, b) return a > b end) assert(table.concat(t, ',', 2) == '2,1')\n"
        "table.insert(t, 0) table.insert(t, 1, 4) assert(table.concat(t) == '43210')\n"
        "assert(table.remove(t) == 0 and table.remove(t, 1) == 4 and #t == 3)\n"
        "local a, b, c, d = table.unpack(t) assert(a == 3 and c == 1 and d == nil)\n"
        "local w = { 'b', 'a' } table.sort(w) assert(w[1] == 'a' and ('ab'):rep(2, '-') == 'ab-ab')\n"
        "local x = coordinates('x') mass(1) integrate { h = 1, until_t = 1 }\n"));
    check_refused("table.insert(1, 2)", 1, "table expected", NULL);
    check_refused("table.insert({}, 5, 2)", 1, "out of bounds", NULL);
    check_refused("table.sort({ 1, 'a' })", 1, "attempt to compare", NULL);
    check_refused("table.sort({ 1, 2 }, 3)", 1, "function expected", NULL);
    check_refused("table.concat({ {} })", 1, "invalid value", NULL);
}

static void test_scripts_that_eat_memory_end(void **state)
{
    (void)state;
    check_ends("local s = 'x' while true do s = s .. s end", 0, "text of more than 16 MB");
    check_ends("local t = {} for i = 1, 1e12 do t[i] = i end", 0, "memory");
    check_ends("local s = string.rep(string.rep('x', 1000), 1000000)", 0, "memory");
    check_ends(
        "local s = string.rep('x', 1000000) s = string.rep(s, 15) while true do experiment { doc = s } end",
        1, "memory");
    check_ends("local s = string.rep('x', 100000) while true do print(s) end", 1, "print");
}

static void test_a_graph_filled_with_numbers_is_an_error(void **state)
{
    (void)state;
    if (SANITIZED) /* millions of operations until it is full */
        skip();
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
        cmocka_unit_test(test_endless_work_in_c_ends),
        cmocka_unit_test(test_long_instructions_end_in_time),
        cmocka_unit_test(test_the_library_is_what_it_was),
        cmocka_unit_test(test_scripts_that_eat_memory_end),
        cmocka_unit_test(test_a_graph_filled_with_numbers_is_an_error),
        cmocka_unit_test(test_damaged_scripts_load_or_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
