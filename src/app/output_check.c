/* What a command writes is nothing that it reads, and no two things have one name. Files are compared by what they are
 * (device and number), not by how they are called; files that are not there yet by their folder and name. */
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"

typedef struct place {
    bool there;
    dev_t device; /* of the file, or of the folder where it will be */
    ino_t number;
    char *name; /* of a file that is not there; NULL: no such folder */
} place;

static place find_place(carom_arena *arena, const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0)
        return (place){.there = true, .device = info.st_dev, .number = info.st_ino};
    char *folder = carom_arena_copy_text(arena, path), *name = carom_arena_copy_text(arena, path);
    if (!folder || !name || stat(dirname(folder), &info) != 0)
        return (place){0};
    return (place){.device = info.st_dev, .number = info.st_ino, .name = basename(name)};
}

static bool same_place(const place *a, const place *b)
{
    if (a->there != b->there || a->device != b->device || a->number != b->number)
        return false;
    return a->there || (a->name && b->name && strcmp(a->name, b->name) == 0);
}

bool is_same_file(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* A plain file, as opposed to a terminal or /dev/null, which may be read and written as often as one likes. */
bool is_plain_target(const char *path)
{
    struct stat info;
    return strcmp(path, "-") != 0 && strncmp(path, "/dev/", 5) != 0 &&
           (stat(path, &info) != 0 || S_ISREG(info.st_mode));
}

static bool refuse_input(const command *self, const char *option, const char *path, const char *input)
{
    report_usage(self, "%s %s would destroy %s, which this command reads; give another name", option, path,
                 strcmp(path, input) == 0 ? "the file" : input);
    return false;
}

/* The file that an argument of the command line reads; NULL: none. */
static const char *input_file(carom_arena *arena, const char *word)
{
    struct stat info;
    experiment_place found = {0};
    if (stat(word, &info) == 0)
        return S_ISREG(info.st_mode) ? word : NULL;
    carom_error unseen;
    return find_experiment(arena, word, &found, &unseen) == CAROM_OK ? found.file : NULL;
}

bool may_write(const command *self, const arguments *given, const char *option, const char *path)
{
    if (!is_plain_target(path))
        return true;
    const place target = find_place(given->arena, path);
    for (int i = 0; i < given->positional_count; i++) {
        const char *input = input_file(given->arena, given->positional[i]);
        const place source = input ? find_place(given->arena, input) : (place){0};
        if (input && same_place(&source, &target))
            return refuse_input(self, option, path, input);
    }
    for (int i = 0; i < given->option_count; i++) {
        const argument_option *other = &given->option[i];
        for (int k = 0; other->takes_value && !other->writes && k < other->count; k++) {
            const place source = find_place(given->arena, other->value[k]);
            if (source.there && same_place(&source, &target))
                return refuse_input(self, option, path, other->value[k]);
        }
    }
    return true;
}

/* Pictures FILE.svg are five files, of which the script and the data could be something else's. */
static bool check_picture(const command *self, const arguments *given, const argument_option *option,
                          const char *path)
{
    static const char *const ending[] = {"svg", "png", "pdf", "gp", "dat"};
    const char *dot = strrchr(path, '.');
    const size_t stem = dot ? (size_t)(dot - path) + 1 : strlen(path);
    char *name = carom_arena_take(given->arena, stem + 4, 1);
    for (size_t i = 0; name && dot && i < sizeof ending / sizeof *ending; i++) {
        memcpy(name, path, stem);
        strcpy(name + stem, ending[i]);
        if (!may_write(self, given, option->name, name))
            return false;
    }
    return true;
}

static bool check_pair(const command *self, const arguments *given, int first, int second)
{
    const argument_option *a = &given->option[first], *b = &given->option[second];
    if (b->writes != WRITES_FILE || b->count == 0 || !is_plain_target(a->value[0]) ||
        !is_plain_target(b->value[0]))
        return true;
    const place one = find_place(given->arena, a->value[0]), other = find_place(given->arena, b->value[0]);
    if (!same_place(&one, &other))
        return true;
    report_usage(self, "%s %s and %s %s are one file; give two names", a->name, a->value[0], b->name,
                 b->value[0]);
    return false;
}

bool check_outputs(const command *self, const arguments *given)
{
    for (int i = 0; i < given->option_count; i++) {
        const argument_option *option = &given->option[i];
        if (option->count == 0 || option->writes == WRITES_NOTHING)
            continue;
        if (option->writes == WRITES_PICTURE && !check_picture(self, given, option, option->value[0]))
            return false;
        if (option->writes != WRITES_FILE)
            continue;
        if (!may_write(self, given, option->name, option->value[0]))
            return false;
        for (int k = i + 1; k < given->option_count; k++)
            if (!check_pair(self, given, i, k))
                return false;
    }
    return true;
}
