#include "contact_notes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/model/level.h"

enum {
    NOTE_POINTS = 4 /* the start, and places around it, each moved to where the contact touches */
};

/* Lengths of vectors that differ by more, and cosines that are larger, are no rounding error of a model's data. */
static const double tolerance = 1e-6;

typedef struct note_search {
    const carom_model *model;
    carom_model_work *work;
    carom_arena *arena;
    carom_model_check *found;
    double t;
    const double *start;
    int *group; /* per coordinate: the first one with its mass, uncoupled and constant; -1: none */
    double *mass, *q, *gaps;
    carom_contact_frame frame;
} note_search;

/* Where the next note goes; NULL: there are enough. */
static char *next_note(carom_model_check *found)
{
    return found->notes < CAROM_CHECK_NOTES ? found->note[found->notes++] : NULL;
}

/* ---- translations: coordinates with one mass --------------------------------------------------------- */

static bool is_uncoupled(const note_search *search, int i)
{
    const int n = search->model->dof;
    for (int k = 0; k < n; k++)
        if (k != i && search->mass[i * n + k] != 0.0)
            return false;
    return true;
}

static bool is_constant(const carom_model *model, int i)
{
    return model->constant_mass ||
           (model->ops->block_is_constant && model->ops->block_is_constant(model, CAROM_BLOCK_MASS, i));
}

static void find_groups(note_search *search)
{
    const carom_model *model = search->model;
    const int n = model->dof;
    model->ops->mass(search->work, search->t, search->start, search->mass);
    for (int i = 0; i < n; i++) {
        search->group[i] = is_uncoupled(search, i) && is_constant(model, i) ? i : -1;
        for (int k = 0; search->group[i] >= 0 && k < i; k++)
            if (search->group[k] == k && search->mass[k * n + k] == search->mass[i * n + i]) {
                search->group[i] = k;
                break;
            }
    }
}

static int members(const note_search *search, int group)
{
    int count = 0;
    for (int i = 0; i < search->model->dof; i++)
        count += search->group[i] == group;
    return count;
}

/* ---- parts of rows ------------------------------------------------------------------------------------ */

static double part_product(const note_search *search, int group, const carom_row *a, const carom_row *b)
{
    double sum = 0.0;
    for (int i = 0; i < search->model->dof; i++)
        if (search->group[i] == group)
            sum += carom_row_at(a, i) * carom_row_at(b, i);
    return sum;
}

/* Two unit vectors that are orthogonal, but for a common factor; parts that are 0 say nothing. */
static bool look_alike(const note_search *search, int group, const carom_row *a, const carom_row *b)
{
    const double aa = part_product(search, group, a, a), bb = part_product(search, group, b, b);
    const double ab = part_product(search, group, a, b);
    return !(aa > 0.0) || !(bb > 0.0) ||
           (fabs(sqrt(aa / bb) - 1.0) <= tolerance && fabs(ab) <= tolerance * sqrt(aa * bb));
}

static bool fits(const note_search *search, int contact, int group)
{
    const carom_contact_frame *frame = &search->frame;
    bool good = true;
    for (int k = 0; good && k < search->model->contact[contact].tangents; k++) {
        good = look_alike(search, group, &frame->normal, &frame->tangent[k]);
        for (int other = 0; good && other < k; other++)
            good = look_alike(search, group, &frame->tangent[other], &frame->tangent[k]);
    }
    return good;
}

static void write_group(const note_search *search, int group, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < search->model->dof && used < size; i++)
        if (search->group[i] == group)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     search->model->coordinate[i]);
}

/* Moves search->q to a place where the contact touches, near the start. */
static bool go_to(note_search *search, int contact, int point, carom_random *random)
{
    const carom_model *model = search->model;
    const int n = model->dof;
    model->ops->gaps(search->work, search->t, search->start, search->gaps);
    model->ops->frame(search->work, contact, search->t, search->start, &search->frame);
    const double length = sqrt(carom_row_product(&search->frame.normal, &search->frame.normal));
    const double aside = length > 0.0 ? fabs(search->gaps[contact]) / length : 0.0;
    const double size = fmax(sqrt(carom_dot(n, search->start, search->start)), aside);
    for (int i = 0; i < n; i++)
        search->q[i] =
            search->start[i] + (point == 0 ? 0.0 : 0.5 * size * carom_random_uniform(random, -1.0, 1.0));
    return carom_contact_reach(search->work, contact, search->t, size, search->q, search->gaps,
                               &search->frame);
}

static void look_at_group(note_search *search, int contact, int group)
{
    carom_random random = {1};
    for (int point = 0; point < NOTE_POINTS; point++) {
        if (!go_to(search, contact, point, &random) || fits(search, contact, group))
            continue;
        char names[120], *note = next_note(search->found);
        write_group(search, group, names, sizeof names);
        if (note)
            snprintf(note, sizeof *search->found->note,
                     "contact '%s': gap and slip may not be true lengths: their derivatives by %s, which "
                     "have one mass, "
                     "have different lengths or are not orthogonal. If they are, write distance = true",
                     search->model->contact[contact].name, names);
        return;
    }
}

static void look_at_contact(note_search *search, int contact)
{
    const carom_contact_info *info = &search->model->contact[contact];
    if (info->in_lengths || info->friction_force || info->coefficients == 0)
        return;
    char *note = info->normalized ? next_note(search->found) : NULL;
    if (note)
        snprintf(
            note, sizeof *search->found->note,
            "contact '%s': the model is one point mass; gap and slip are divided by the lengths of their "
            "gradients. If they are true lengths, write distance = true",
            info->name);
    for (int group = 0; group < search->model->dof; group++) {
        const int count = members(search, group);
        if (count >= 2 && count <= CAROM_POINT_MAX)
            look_at_group(search, contact, group);
    }
}

static bool take_memory(note_search *search)
{
    const size_t n = (size_t)search->model->dof;
    carom_arena *arena = search->arena;
    search->group = carom_arena_take(arena, n, sizeof(int));
    search->mass = carom_arena_take(arena, n * n, sizeof(double));
    search->q = carom_arena_take(arena, n, sizeof(double));
    search->gaps = carom_arena_take(arena, (size_t)search->model->contacts, sizeof(double));
    return search->group && search->mass && search->q && search->gaps &&
           carom_contact_frame_take(arena, search->model, &search->frame);
}

static bool has_friction(const carom_model *model)
{
    for (int k = 0; k < model->contacts; k++)
        if (model->contact[k].coefficients > 0 && !model->contact[k].friction_force)
            return true;
    return false;
}

carom_status contact_notes_find(const carom_experiment *experiment, const double *start,
                                carom_model_check *found, carom_error *error)
{
    const carom_model *model = experiment->model;
    if (!has_friction(model) || !model->ops->mass || !model->ops->frame || carom_model_is_sparse(model))
        return CAROM_OK;
    note_search search = {.model = model, .found = found, .t = start[0], .start = start + 1};
    carom_status status = carom_model_work_create(model, experiment->parameter, &search.work, error);
    if (status != CAROM_OK)
        return status;
    search.arena = carom_arena_create();
    if (search.arena && take_memory(&search)) {
        find_groups(&search);
        for (int k = 0; k < model->contacts; k++)
            look_at_contact(&search, k);
    } else {
        status = carom_fail_memory(error);
    }
    carom_arena_free(search.arena);
    carom_model_work_free(search.work);
    return status;
}
