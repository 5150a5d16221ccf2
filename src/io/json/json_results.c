/* What runs find, as JSON: measures, certificates. */
#include <math.h>

#include "carom/io.h"

void carom_json_measured(carom_json *json, const char *key, const carom_measured *measured)
{
    if (!measured->is_array) {
        carom_json_number(json, key, measured->count > 0 ? measured->value[0] : NAN);
        return;
    }
    carom_json_array_begin(json, key);
    for (int i = 0; i < measured->count; i++)
        carom_json_number(json, NULL, measured->value[i]);
    carom_json_array_end(json);
}

static void write_at(carom_json *json, const char *key, double max, double t, const char *name_key,
                     const char *name)
{
    carom_json_object_begin(json, key);
    carom_json_number(json, "max", max);
    carom_json_number(json, "t", name ? t : NAN);
    if (name)
        carom_json_text(json, name_key, name);
    else
        carom_json_number(json, name_key, NAN); /* null */
    carom_json_object_end(json);
}

void carom_json_certificate(carom_json *json, const char *key, const carom_certificate *certificate)
{
    carom_json_object_begin(json, key);
    carom_json_bool(json, "trusted", certificate->trusted);
    carom_json_object_begin(json, "energy");
    carom_json_number(json, "initial", certificate->energy_initial);
    carom_json_number(json, "final", certificate->energy_final);
    carom_json_number(json, "forces", certificate->forces);
    carom_json_number(json, "contacts", certificate->contacts);
    carom_json_number(json, "joints", certificate->joints);
    carom_json_number(json, "scheme", certificate->scheme);
    carom_json_number(json, "scale", certificate->energy_scale);
    carom_json_object_end(json);
    write_at(json, "penetration", certificate->penetration, certificate->penetration_time, "contact",
             certificate->penetration_contact[0] ? certificate->penetration_contact : NULL);
    carom_json_object_begin(json, "joints");
    carom_json_number(json, "drift", certificate->drift);
    carom_json_number(json, "t", certificate->drift_joint < 0 ? NAN : certificate->drift_time);
    carom_json_object_end(json);
    carom_json_object_begin(json, "contact_error");
    carom_json_number(json, "max", certificate->contact_error);
    carom_json_number(json, "t", certificate->contact_error > 0.0 ? certificate->contact_error_time : NAN);
    carom_json_number(json, "tolerance",
                      certificate->contact_tolerance > 0.0 ? certificate->contact_tolerance : NAN);
    carom_json_object_end(json);
    carom_json_number(json, "unsolved_steps", (double)certificate->unsolved_steps);
    carom_json_number(json, "fixed_rows_steps", (double)certificate->fixed_rows_steps);
    carom_json_number(json, "crossings", (double)certificate->crossings);
    if (certificate->stop[0]) {
        carom_json_object_begin(json, "stopped");
        carom_json_text(json, "stop", certificate->stop);
        carom_json_number(json, "t", certificate->stop_time);
        carom_json_object_end(json);
    }
    carom_json_array_begin(json, "doubts");
    for (int i = 0; i < certificate->doubts && i < CAROM_DOUBTS_KEPT; i++)
        carom_json_text(json, NULL, certificate->doubt[i]);
    carom_json_array_end(json);
    carom_json_object_end(json);
}
