/* Outcomes of carom impact as JSON. */
#include <stdio.h>
#include <string.h>

#include "app/impact_output.h"

static void write_numbers(carom_json *json, const char *key, int count, const double *value)
{
    carom_json_array_begin(json, key);
    for (int i = 0; i < count; i++)
        carom_json_number(json, NULL, value[i]);
    carom_json_array_end(json);
}

static void write_counts(carom_json *json, const char *key, int count, const int *value)
{
    carom_json_array_begin(json, key);
    for (int i = 0; i < count; i++)
        carom_json_number(json, NULL, value[i]);
    carom_json_array_end(json);
}

static void write_flags(carom_json *json, const carom_impact_result *result)
{
    carom_json_object_begin(json, "flags");
    carom_json_bool(json, "kinematic", result->kinematic);
    carom_json_bool(json, "kinetic", result->kinetic);
    carom_json_bool(json, "energetic", result->energetic);
    carom_json_object_end(json);
}

static void write_notes(carom_json *json, const carom_impact_result *result)
{
    carom_json_array_begin(json, "notes");
    for (int bit = 0; bit < CAROM_IMPACT_NOTES; bit++)
        if (result->notes & (1u << bit))
            carom_json_text(json, NULL, carom_impact_note_text(bit));
    carom_json_array_end(json);
}

/* What only some laws know. */
static void write_particulars(carom_json *json, const impact_case *made, const impact_outcome *outcome)
{
    const carom_impact_result *result = &outcome->result;
    const int contacts = made->impact.contacts;
    if (outcome->law->tells & CAROM_IMPACT_TELLS_COMPRESSION)
        write_numbers(json, "compression_impulses", contacts, result->compression);
    if (law_has_collisions(outcome->law)) {
        carom_json_number(json, "smallest_approach", result->smallest_approach);
        carom_json_number(json, "largest_left", result->largest_left);
    }
    if (law_has_course(outcome->law)) {
        write_counts(json, "closings", contacts, result->closings);
        write_counts(json, "repeats", contacts, result->repeats);
        write_numbers(json, "peak_forces", contacts, result->peak_force);
    }
    if (outcome->good >= 0) {
        carom_json_number(json, "gap_to_lzb", outcome->gap);
        carom_json_number(json, "good_velocities", outcome->good);
    }
}

static void write_outcome(carom_json *json, const impact_case *made, const impact_outcome *outcome)
{
    const carom_impact_result *result = &outcome->result;
    const carom_impact *impact = &made->impact;
    carom_json_text(json, "law", outcome->law->name);
    if (outcome->status != CAROM_OK) {
        carom_json_text(json, "status", carom_status_word(outcome->status));
        carom_json_text(json, "message", outcome->message);
        return;
    }
    carom_json_text(json, "status", carom_impact_word_text(result->word));
    write_numbers(json, "velocity", impact->coordinates, result->velocity);
    write_numbers(json, "impulses", impact->contacts, result->impulse);
    if (impact->joints > 0) {
        carom_json_object_begin(json, "joint_impulses");
        for (int k = 0; k < impact->joints; k++)
            carom_json_number(json, made->joint[k], result->reaction[k]);
        carom_json_object_end(json);
        carom_json_number(json, "joint_residual", result->slippage);
    }
    carom_json_number(json, "energy_ratio", outcome->energy_ratio);
    carom_json_number(json, "collisions", (double)result->collisions);
    carom_json_number(json, "steps", (double)result->steps);
    carom_json_number(json, "duration", result->duration);
    write_flags(json, result);
    carom_json_number(json, "energy_before", result->energy_before);
    carom_json_number(json, "energy_after", result->energy_after);
    carom_json_number(json, "work", result->work);
    carom_json_number(json, "momentum_residual", outcome->momentum_residual);
    carom_json_number(json, "residual", result->residual);
    carom_json_number(json, "dispersion", outcome->dispersion);
    write_numbers(json, "gamma_before", impact->contacts, made->gamma);
    write_numbers(json, "gamma_after", impact->contacts, outcome->gamma);
    write_particulars(json, made, outcome);
    write_notes(json, result);
    carom_json_number(json, "wall_s", outcome->seconds);
}

void print_impact_json(const impact_output *output)
{
    const impact_case *made = output->system;
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_json_text(&json, "system", made->title);
    if (output->laws->count == 1) {
        write_outcome(&json, made, output->outcome);
    } else {
        write_numbers(&json, "velocity_before", made->impact.coordinates, made->impact.velocity);
        carom_json_array_begin(&json, "results");
        for (int k = 0; k < output->laws->count; k++) {
            carom_json_object_begin(&json, NULL);
            write_outcome(&json, made, &output->outcome[k]);
            carom_json_object_end(&json);
        }
        carom_json_array_end(&json);
    }
    carom_json_object_end(&json);
    print_whole(&text);
}
