/* Where experiments are: CAROM_EXPERIMENTS, then the folders beside the program. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"

enum {
    PATH_LIMIT = 4096,
    FOLDER_LIMIT = 16,
    DEPTH_LIMIT = 4
};

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static char *join(carom_arena *arena, const char *a, const char *b, const char *c)
{
    const size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = carom_arena_take(arena, size, 1);
    if (text)
        snprintf(text, size, "%s%s%s", a, b, c);
    return text;
}

/* The folders to look in, best first; NULL-terminated. */
static const char **experiment_folders(carom_arena *arena)
{
    const char **folder = carom_arena_take(arena, FOLDER_LIMIT + 3, sizeof *folder);
    if (!folder)
        return NULL;
    int count = 0;
    const char *variable = getenv("CAROM_EXPERIMENTS");
    char *list = variable ? carom_arena_copy_text(arena, variable) : NULL;
    for (char *next = list; next && *next && count < FOLDER_LIMIT;) {
        char *end = strchr(next, ':');
        if (end)
            *end = '\0';
        if (*next)
            folder[count++] = next;
        next = end ? end + 1 : NULL;
    }
    char program[PATH_LIMIT];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = '\0';
        char *slash = strrchr(program, '/');
        if (slash)
            *slash = '\0';
        folder[count++] = join(arena, program, "/../experiments", "");             /* build tree */
        folder[count++] = join(arena, program, "/../share/carom/experiments", ""); /* installed */
    }
    return folder;
}

/* ---- listing --------------------------------------------------------------------------------- */

typedef struct listing {
    carom_arena *arena;
    int count, capacity;
    experiment_place *place;
} listing;

static bool add_place(listing *list, const char *name, const char *file)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->place[i].name, name) == 0)
            return true; /* an earlier folder has it */
    if (list->count == list->capacity) {
        const int capacity = list->capacity ? 2 * list->capacity : 64;
        experiment_place *larger = carom_arena_take(list->arena, (size_t)capacity, sizeof *larger);
        if (!larger)
            return false;
        if (list->count)
            memcpy(larger, list->place, (size_t)list->count * sizeof *larger);
        list->place = larger;
        list->capacity = capacity;
    }
    experiment_place *place = &list->place[list->count++];
    place->name = carom_arena_copy_text(list->arena, name);
    place->file = carom_arena_copy_text(list->arena, file);
    place->variant = NULL;
    return place->name && place->file;
}

/* Adds the model files under folder/prefix; prefix is "" or "source/". */
static void scan_folder(listing *list, const char *folder, const char *prefix, int depth)
{
    char path[PATH_LIMIT];
    if (snprintf(path, sizeof path, "%s/%s", folder, prefix) >= (int)sizeof path)
        return;
    DIR *directory = opendir(path);
    if (!directory)
        return;
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        if (entry->d_name[0] == '.')
            continue;
        char name[PATH_LIMIT], file[2 * PATH_LIMIT];
        if (snprintf(name, sizeof name, "%s%s", prefix, entry->d_name) >= (int)sizeof name)
            continue;
        snprintf(file, sizeof file, "%s/%s", folder, name);
        const size_t length = strlen(name);
        if (length > 4 && strcmp(name + length - 4, ".lua") == 0 && is_file(file)) {
            name[length - 4] = '\0';
            if (!add_place(list, name, file))
                break;
        } else if (depth < DEPTH_LIMIT && length + 1 < sizeof name) {
            strcat(name, "/");
            scan_folder(list, folder, name, depth + 1);
        }
    }
    closedir(directory);
}

static int compare_places(const void *a, const void *b)
{
    return strcmp(((const experiment_place *)a)->name, ((const experiment_place *)b)->name);
}

carom_status list_experiments(carom_arena *arena, int *count, experiment_place **places, carom_error *error)
{
    listing list = {.arena = arena};
    const char **folder = experiment_folders(arena);
    if (!folder)
        return carom_fail_memory(error);
    for (int i = 0; folder[i]; i++)
        scan_folder(&list, folder[i], "", 0);
    if (list.count > 0)
        qsort(list.place, (size_t)list.count, sizeof *list.place, compare_places);
    *count = list.count;
    *places = list.place;
    return CAROM_OK;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* "trial-10-plate-15" is variant "plate-15" of "trial-10": try every '-' as the border, the last one first.
 */
static bool find_in_folder(carom_arena *arena, const char *folder, const char *name, experiment_place *place)
{
    char *base = carom_arena_copy_text(arena, name);
    if (!base)
        return false;
    for (char *cut = base + strlen(base); cut; cut = strrchr(base, '-')) {
        *cut = '\0';
        char *file = join(arena, folder, "/", base);
        file = file ? join(arena, file, ".lua", "") : NULL;
        if (file && is_file(file)) {
            place->file = file;
            place->name = carom_arena_copy_text(arena, name);
            const size_t length = strlen(base);
            place->variant = name[length] ? carom_arena_copy_text(arena, name + length + 1) : NULL;
            return true;
        }
        if (strchr(base, '/') && strrchr(base, '-') < strrchr(base, '/'))
            break; /* a '-' of the folder's name is not a border */
    }
    return false;
}

static carom_status not_found(carom_arena *arena, const char *name, carom_error *error)
{
    int count = 0;
    experiment_place *place = NULL;
    carom_status status = list_experiments(arena, &count, &place, error);
    if (status != CAROM_OK)
        return status;
    const char **names = carom_arena_take(arena, (size_t)count, sizeof *names);
    if (!names)
        return carom_fail_memory(error);
    for (int i = 0; i < count; i++)
        names[i] = place[i].name;
    const char *nearest = carom_nearest_name(name, names, (size_t)count);
    if (nearest)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "there is no experiment or model file '%s'; did you mean '%s'? (carom list experiments shows "
            "all)",
            name, nearest);
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "there is no experiment or model file '%s'; carom list experiments shows the %d known ones, and a "
        "model of your own is a file such as ball.lua",
        name, count);
}

carom_status find_experiment(carom_arena *arena, const char *name, experiment_place *place,
                             carom_error *error)
{
    *place = (experiment_place){0};
    if (is_file(name)) {
        place->name = place->file = carom_arena_copy_text(arena, name);
        return place->name ? CAROM_OK : carom_fail_memory(error);
    }
    const char **folder = experiment_folders(arena);
    if (!folder)
        return carom_fail_memory(error);
    for (int i = 0; folder[i]; i++)
        if (find_in_folder(arena, folder[i], name, place))
            return CAROM_OK;
    return not_found(arena, name, error);
}

carom_status load_motion(const char *name, const char *variant, int override_count,
                         const carom_override *override, carom_experiment **experiment, carom_error *error)
{
    carom_status status = load_experiment(name, variant, override_count, override, experiment, error);
    if (status != CAROM_OK)
        return status;
    if ((*experiment)->study)
        status =
            carom_fail(error, CAROM_BAD_INPUT,
                       "%s is a study: nothing moves, and there is no run to look at; carom run shows what "
                       "it finds",
                       (*experiment)->name);
    else
        status = carom_experiment_compute(*experiment, (carom_progress){0}, error);
    if (status == CAROM_OK)
        return CAROM_OK;
    carom_experiment_free(*experiment);
    *experiment = NULL;
    return status;
}

carom_status load_experiment(const char *name, const char *variant, int override_count,
                             const carom_override *override, carom_experiment **experiment,
                             carom_error *error)
{
    carom_arena *arena = carom_arena_create();
    if (!arena)
        return carom_fail_memory(error);
    experiment_place place;
    carom_status status = find_experiment(arena, name, &place, error);
    if (status == CAROM_OK) {
        const carom_load_request request = {.name = place.name,
                                            .file = place.file,
                                            .variant = variant ? variant : place.variant,
                                            .override_count = override_count,
                                            .override = override,
                                            .units = given_units()};
        status = carom_experiment_load(&request, experiment, error);
    }
    if (status == CAROM_OK && (*experiment)->messages)
        print_foreign(stderr, (*experiment)->messages);
    carom_arena_free(arena);
    return status;
}
