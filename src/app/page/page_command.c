/* The command that repeats what a page shows. */
#include <stdlib.h>
#include <string.h>

#include "app/page.h"

/* An option that only says what else is written or shown. */
static bool is_left_out(const command *given, const char *word, bool *takes_value)
{
    static const char *const other[] = {"--json", "--quiet", "--checkpoint"};
    const char *equals = strchr(word, '=');
    const size_t length = equals ? (size_t)(equals - word) : strlen(word);
    for (int i = 0; i < given->option_count; i++) {
        const argument_option *option = &given->options[i];
        if (strlen(option->name) != length || strncmp(option->name, word, length) != 0)
            continue;
        bool found = option->writes != WRITES_NOTHING;
        for (size_t k = 0; k < sizeof other / sizeof *other; k++)
            found = found || strcmp(option->name, other[k]) == 0;
        *takes_value = option->takes_value && !equals;
        return found;
    }
    return false;
}

const char **page_command_words(const command *made_by, int argc, char **argv)
{
    const char **word = carom_new_array((size_t)argc + 3, sizeof *word);
    size_t count = 0;
    if (!word)
        return NULL;
    word[count++] = "carom";
    word[count++] = made_by->name;
    for (int i = 1; i < argc; i++) {
        bool takes_value = false;
        if (is_left_out(made_by, argv[i], &takes_value))
            i += takes_value;
        else
            word[count++] = argv[i];
    }
    return word;
}

carom_status page_open_for(carom_page *self, const char *title, const command *made_by, int argc, char **argv,
                           carom_error *error)
{
    const char **word = page_command_words(made_by, argc, argv);
    const carom_status status =
        word ? carom_page_open(self, made_by->name, title, error) : carom_fail_memory(error);
    if (status == CAROM_OK)
        carom_page_command(self, word);
    free((void *)word);
    return status;
}

carom_status page_begin(carom_page *self, const carom_experiment *experiment, const command *made_by,
                        int argc, char **argv, carom_error *error)
{
    const char **word = page_command_words(made_by, argc, argv);
    const carom_status status =
        word ? carom_page_begin(self, made_by->name, NULL, experiment, experiment->parameter, word, error)
             : carom_fail_memory(error);
    free((void *)word);
    return status;
}
