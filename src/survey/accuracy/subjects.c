#include "subjects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which ---------------------------------------------------------------------------------------------- */

static bool gives_times(const carom_measure_ops *ops)
{
    return ops == &carom_reduce_crossings || ops == &carom_reduce_jumps ||
           (ops->subject == CAROM_MEASURE_OF_EVENTS && ops != &carom_reduce_fraction);
}

static bool describe_measure(const carom_measure *measure, const carom_row_layout *layout, double duration,
                             carom_arena *arena, accuracy_subject *subject)
{
    const carom_measure_ops *ops = measure->ops;
    subject->is_array = ops && ops->is_array;
    subject->is_count = ops && ops->slope == CAROM_SLOPE_CONSTANT;
    if (!ops || ops == &carom_reduce_fraction || (measure->column < 0 && measure->list_count == 0))
        subject->unit = 1.0;
    if (ops && gives_times(ops))
        subject->unit = duration;
    if (subject->unit > 0.0)
        return true;
    const bool listed = measure->list_count > 0;
    subject->place_count = listed ? measure->list_count : 1;
    int *row = carom_arena_take(arena, (size_t)subject->place_count, sizeof *row);
    for (int i = 0; row && i < subject->place_count; i++)
        row[i] = layout->column + (listed ? measure->list[i] : measure->column);
    subject->row = row;
    return row;
}

static bool name_state(accuracy_subject *subject, carom_arena *arena, const char *kind, const char *name,
                       int place)
{
    carom_text text = {0};
    carom_text_append(&text, "%s:%s", kind, name);
    int *row = carom_arena_take(arena, 1, sizeof *row);
    subject->name = text.failed ? NULL : carom_arena_copy_text(arena, text.bytes);
    subject->measure = -1;
    subject->place = place;
    subject->place_count = 1;
    subject->row = row;
    if (row)
        *row = place;
    carom_text_free(&text);
    return row && subject->name;
}

static carom_status list_state(const carom_model *model, const carom_row_layout *layout,
                               accuracy_subjects *subjects, carom_error *error)
{
    bool listed = true;
    subjects->of_state = true;
    subjects->count = layout->positions + layout->dof;
    subjects->subject = carom_arena_take(subjects->arena, (size_t)subjects->count, sizeof *subjects->subject);
    for (int i = 0; listed && subjects->subject && i < subjects->count; i++) {
        const int k = i - layout->positions;
        listed = k < 0 ? name_state(&subjects->subject[i], subjects->arena, "q", model->coordinate[i],
                                    layout->q + i)
                       : name_state(&subjects->subject[i], subjects->arena, "v",
                                    carom_model_velocity_name(model, k), layout->v + k);
    }
    return listed && subjects->subject ? CAROM_OK : carom_fail_memory(error);
}

static carom_status list_measures(const carom_experiment *experiment, const carom_row_layout *layout,
                                  double duration, accuracy_subjects *subjects, carom_error *error)
{
    subjects->count = experiment->measure_count;
    subjects->subject = carom_arena_take(subjects->arena, (size_t)subjects->count, sizeof *subjects->subject);
    for (int i = 0; subjects->subject && i < subjects->count; i++) {
        accuracy_subject *subject = &subjects->subject[i];
        subject->measure = i;
        subject->name = carom_arena_copy_text(subjects->arena, experiment->measure[i].name);
        if (!subject->name ||
            !describe_measure(&experiment->measure[i], layout, duration, subjects->arena, subject))
            return carom_fail_memory(error);
    }
    return subjects->subject ? CAROM_OK : carom_fail_memory(error);
}

/* ---- wishes ---------------------------------------------------------------------------------------------- */

static carom_status check_relative(const char *name, double relative, carom_error *error)
{
    if (relative > 0.0 && relative < 1.0)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "accuracy %.10g of %s: give a relative error between 0 and 1, such as 1e-3", relative,
                      name);
}

static carom_status fail_unknown(const accuracy_subjects *subjects, const char *name, carom_error *error)
{
    carom_text list = {0};
    for (int i = 0; i < subjects->count; i++)
        carom_text_append(&list, "%s%s", i ? ", " : "", subjects->subject[i].name);
    const carom_status status =
        list.failed ? carom_fail_memory(error)
                    : carom_fail(error, CAROM_BAD_INPUT, "accuracy of unknown measure '%s'; known: %s", name,
                                 list.bytes ? list.bytes : "none");
    carom_text_free(&list);
    return status;
}

static carom_status take_wishes(const carom_accuracy_request *request, accuracy_subjects *subjects,
                                carom_error *error)
{
    const double all = carom_given(request->relative, NAN);
    carom_status status = isnan(all) ? CAROM_OK : check_relative("every measure", all, error);
    if (isnan(all) && request->wish_count == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "no accuracy: give a relative error such as 1e-3");
    for (int i = 0; i < subjects->count; i++)
        subjects->subject[i].asked = all;
    for (int i = 0; status == CAROM_OK && i < request->wish_count; i++) {
        const carom_accuracy_wish *wish = &request->wish[i];
        int place = 0;
        while (place < subjects->count && strcmp(subjects->subject[place].name, wish->measure) != 0)
            place++;
        if (place == subjects->count)
            return fail_unknown(subjects, wish->measure, error);
        status = check_relative(wish->measure, wish->relative, error);
        subjects->subject[place].asked = wish->relative;
    }
    return status;
}

carom_status accuracy_subjects_create(const carom_accuracy_request *request, const carom_row_layout *layout,
                                      double duration, carom_arena *arena, accuracy_subjects *subjects,
                                      carom_error *error)
{
    const carom_experiment *experiment = request->run.experiment;
    const carom_model *model = experiment ? experiment->model : request->run.model;
    *subjects = (accuracy_subjects){.arena = arena};
    const carom_status status = experiment && experiment->measure_count > 0
                                    ? list_measures(experiment, layout, duration, subjects, error)
                                    : list_state(model, layout, subjects, error);
    return status == CAROM_OK ? take_wishes(request, subjects, error) : status;
}

/* ---- readings -------------------------------------------------------------------------------------------- */

typedef struct scale_meter {
    const accuracy_subjects *subjects;
    accuracy_reading *reading;
} scale_meter;

static carom_status take_row(void *context, const double *row, carom_error *error)
{
    (void)error;
    const scale_meter *meter = context;
    for (int s = 0; s < meter->subjects->count; s++) {
        const accuracy_subject *subject = &meter->subjects->subject[s];
        for (int i = 0; i < subject->place_count; i++) {
            const double size = fabs(row[subject->row[i]]);
            if (isfinite(size) && size > meter->reading->scale[s])
                meter->reading->scale[s] = size;
        }
    }
    return CAROM_OK;
}

carom_status accuracy_reading_begin(const accuracy_subjects *subjects, accuracy_reading *reading,
                                    carom_recorder *recorder, carom_error *error)
{
    const size_t count = (size_t)subjects->count;
    scale_meter *meter = carom_arena_take(subjects->arena, 1, sizeof *meter);
    reading->measured = carom_arena_take(subjects->arena, count, sizeof *reading->measured);
    reading->scale = carom_arena_take(subjects->arena, count, sizeof *reading->scale);
    if (!meter || !reading->measured || !reading->scale)
        return carom_fail_memory(error);
    for (int s = 0; s < subjects->count; s++)
        reading->scale[s] = subjects->subject[s].unit;
    *meter = (scale_meter){subjects, reading};
    *recorder = (carom_recorder){.context = meter, .row = take_row};
    return CAROM_OK;
}

carom_status accuracy_reading_end(const accuracy_subjects *subjects, const carom_run_result *result,
                                  accuracy_reading *reading, carom_error *error)
{
    reading->h = result->h;
    reading->steps = result->steps;
    reading->accumulation = result->counts.accumulation_time;
    for (int s = 0; s < subjects->count; s++) {
        const accuracy_subject *subject = &subjects->subject[s];
        const carom_measured last = {.count = 1, .value = result->final + subject->place};
        const carom_measured *source = subject->measure < 0 ? &last : &result->measure[subject->measure];
        carom_measured *copy = &reading->measured[s];
        *copy = (carom_measured){.count = source->count, .is_array = subject->is_array};
        copy->value = carom_arena_take(subjects->arena, (size_t)source->count, sizeof *copy->value);
        if (!copy->value)
            return carom_fail_memory(error);
        if (source->count > 0)
            memcpy(copy->value, source->value, (size_t)source->count * sizeof *copy->value);
    }
    return CAROM_OK;
}
