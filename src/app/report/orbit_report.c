/* What `carom orbit` tells: text and JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/orbit_output.h"

enum {
    COORDINATES_SHOWN = 12,
    MULTIPLIERS_SHOWN = 8,
    EVENTS_SHOWN = 24
};

static const char *contact_name(const orbit_output *output, int contact)
{
    return output->model->model->contact[contact].name;
}

bool orbit_leaves(const orbit_output *output)
{
    return output->verified && output->verified->leaves;
}

void print_orbit_failure(const orbit_output *output)
{
    const carom_found_orbit *found = output->found;
    if (!found->is_motion)
        fprintf(stderr, "carom: %s\n", found->verdict);
    if (!orbit_leaves(output))
        return;
    const carom_orbit_return *verified = output->verified;
    fprintf(stderr, "carom: the event-driven scheme leaves the motion: ");
    if (verified->stopped[0])
        fprintf(stderr, "it stops after %d of %d periods (%s)\n", verified->done, verified->periods,
                verified->stopped);
    else if (found->multipliers > 0 && found->stable)
        fprintf(stderr, "the multipliers say that it is stable, one of the two is wrong\n");
    else
        fprintf(
            stderr,
            "it is unstable, rounding or --perturb grows by its largest multiplier, %.4g, in every period\n",
            found->largest);
}

/* ---- text ------------------------------------------------------------------------------------------- */

static void print_state(const orbit_output *output, const char *label, const double *value)
{
    const carom_model *model = output->model->model;
    printf("  %-12s", label);
    for (int i = 0; i < model->dof && i < COORDINATES_SHOWN; i++)
        printf("%s%s = %.10g", i ? ", " : "", model->coordinate[i], value[i]);
    printf("%s\n", model->dof > COORDINATES_SHOWN ? ", ... (all in --json)" : "");
}

static void print_impacts(const orbit_output *output)
{
    const carom_found_orbit *found = output->found;
    printf("  %-12s%14s %14s %14s %14s\n", "impacts", "t", "approach", "impulse", "flight after");
    for (int i = 0; i < found->impacts; i++)
        printf("    %-10s%14.9g %14.9g %14.9g %14.9g\n", contact_name(output, found->contact[i]),
               found->time[i], found->approach[i], found->impulse[i], found->flight[i]);
}

/* What the map of a period has met beside impacts. */
static void print_events(const orbit_output *output)
{
    const carom_found_orbit *found = output->found;
    int others = 0;
    if (!found->event)
        return;
    for (int i = 0; i < found->events; i++)
        others += found->event[i].kind != CAROM_EVENT_IMPACT;
    if (others == 0)
        return;
    printf("  %-12s%14s\n", "events", "t");
    for (int i = 0, shown = 0; i < found->events; i++) {
        if (found->event[i].kind == CAROM_EVENT_IMPACT)
            continue;
        if (shown++ == EVENTS_SHOWN) {
            printf("    ... (all in --json)\n");
            break;
        }
        printf("    %-10s%14.9g %s\n",
               found->event[i].contact >= 0 ? contact_name(output, found->event[i].contact) : "",
               found->event[i].t - found->t0, carom_event_word(found->event[i].kind));
    }
}

static void print_multipliers(const carom_found_orbit *found)
{
    if (found->multipliers == 0) {
        printf("  multipliers none: an impact has no speed\n");
        return;
    }
    printf("  stability   %s: the largest multiplier has modulus %.9g\n",
           found->stable ? "stable" : "unstable", found->largest);
    printf("  multipliers ");
    for (int i = 0; i < found->multipliers && i < MULTIPLIERS_SHOWN; i++) {
        printf("%s%.6g", i ? ", " : "", found->real[i]);
        if (found->imaginary[i] != 0.0)
            printf("%+.6gi", found->imaginary[i]);
    }
    printf("%s\n", found->multipliers > MULTIPLIERS_SHOWN ? ", ... (all in --json)" : "");
}

static void print_verified(const carom_orbit_return *verified)
{
    printf("  again       ");
    if (verified->done > 0)
        printf("by event-driven over %d period%s: deviation %.3g after 1, %.3g after %d; %s\n",
               verified->done, plural(verified->done), verified->deviation[0],
               verified->deviation[verified->done - 1], verified->done,
               verified->leaves ? "it leaves" : "it stays");
    else
        printf("by event-driven: it stops in the first period\n");
    if (verified->growth > 1.2 && verified->deviation[verified->done - 1] > 1e-8)
        printf("              the deviation grows by a factor of %.4g per period\n", verified->growth);
    if (verified->stopped[0])
        printf("              it stops: %s\n", verified->stopped);
}

void print_orbit_text(const orbit_output *output)
{
    const carom_found_orbit *found = output->found;
    printf("%s\n", output->model->name);
    printf("  verdict     %s%s\n", found->verdict, orbit_leaves(output) ? "; followed, it leaves" : "");
    printf("  found by    %s", found->method);
    if (found->guess[0])
        printf(", from %s; %d iteration%s, residual %.2g", found->guess, found->iterations,
               plural(found->iterations), found->residual);
    if (found->solutions > 1)
        printf("; %d candidates (--pick chooses another)", found->solutions);
    printf("\n");
    if (!found->found)
        return;
    printf("  period      %.12g\n  energy      %.12g\n", found->period, found->energy);
    const bool after = found->impacts > 0 && !found->event; /* the state is that after the first impact */
    if (output->model->timed && after)
        printf("  first       impact at t = %.10g\n", found->t0);
    if (!after)
        printf("  start       at t = %.10g\n", found->t0);
    print_state(output, after ? "after it q" : "there q", found->q);
    print_state(output, after ? "         v" : "      v", found->v);
    if (found->impacts > 0)
        print_impacts(output);
    print_events(output);
    if (found->margin_contact >= 0 && isfinite(found->margin))
        printf("  margin      smallest gap between impacts %.9g, of '%s' at t = %.9g\n", found->margin,
               contact_name(output, found->margin_contact), found->margin_time);
    print_multipliers(found);
    if (output->verified)
        print_verified(output->verified);
}

/* ---- JSON ------------------------------------------------------------------------------------------- */

static void write_named(carom_json *json, const char *key, int count, char *const *name, const double *value)
{
    carom_json_object_begin(json, key);
    for (int i = 0; i < count; i++)
        carom_json_number(json, name[i], value[i]);
    carom_json_object_end(json);
}

static void write_impacts(carom_json *json, const orbit_output *output)
{
    const carom_found_orbit *found = output->found;
    carom_json_array_begin(json, "impacts");
    for (int i = 0; i < found->impacts; i++) {
        carom_json_object_begin(json, NULL);
        carom_json_text(json, "contact", contact_name(output, found->contact[i]));
        carom_json_number(json, "t", found->time[i]);
        carom_json_number(json, "approach", found->approach[i]);
        carom_json_number(json, "impulse", found->impulse[i]);
        carom_json_number(json, "flight", found->flight[i]);
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
}

static void write_events(carom_json *json, const orbit_output *output)
{
    const carom_found_orbit *found = output->found;
    carom_json_array_begin(json, "events");
    for (int i = 0; i < found->events; i++) {
        carom_json_object_begin(json, NULL);
        carom_json_number(json, "t", found->event[i].t - found->t0);
        carom_json_text(json, "kind", carom_event_word(found->event[i].kind));
        if (found->event[i].contact >= 0)
            carom_json_text(json, "contact", contact_name(output, found->event[i].contact));
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
}

static void write_multipliers(carom_json *json, const carom_found_orbit *found)
{
    carom_json_number(json, "largest_multiplier", found->largest);
    if (found->multipliers > 0)
        carom_json_bool(json, "stable", found->stable);
    carom_json_array_begin(json, "multipliers");
    for (int i = 0; i < found->multipliers; i++) {
        carom_json_array_begin(json, NULL);
        carom_json_number(json, NULL, found->real[i]);
        carom_json_number(json, NULL, found->imaginary[i]);
        carom_json_array_end(json);
    }
    carom_json_array_end(json);
}

static void write_verified(carom_json *json, const carom_orbit_return *verified)
{
    carom_json_object_begin(json, "verify");
    carom_json_number(json, "periods", verified->periods);
    carom_json_number(json, "done", verified->done);
    carom_json_bool(json, "stays", !verified->leaves);
    carom_json_number(json, "growth", verified->growth);
    if (verified->stopped[0])
        carom_json_text(json, "message", verified->stopped);
    carom_json_array_begin(json, "deviation");
    for (int i = 0; i < verified->done; i++)
        carom_json_number(json, NULL, verified->deviation[i]);
    carom_json_array_end(json);
    carom_json_object_end(json);
}

static void write_motion(carom_json *json, const orbit_output *output)
{
    const carom_found_orbit *found = output->found;
    const carom_model *model = output->model->model;
    carom_json_number(json, "energy", found->energy);
    carom_json_number(json, "t0", found->t0);
    write_named(json, "q", model->dof, model->coordinate, found->q);
    write_named(json, "v", model->dof, model->coordinate, found->v);
    write_impacts(json, output);
    if (found->event)
        write_events(json, output);
    carom_json_object_begin(json, "margin");
    carom_json_number(json, "gap", found->margin);
    if (found->margin_contact >= 0 && isfinite(found->margin))
        carom_json_text(json, "contact", contact_name(output, found->margin_contact));
    carom_json_number(json, "t", found->margin_time);
    carom_json_object_end(json);
    write_multipliers(json, found);
    if (output->verified)
        write_verified(json, output->verified);
}

void print_orbit_json(const orbit_output *output)
{
    const carom_found_orbit *found = output->found;
    const carom_periodic_model *model = output->model;
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_json_text(&json, "status",
                    !found->is_motion      ? "no-motion"
                    : orbit_leaves(output) ? "leaves"
                                           : "motion");
    carom_json_text(&json, "experiment", model->name);
    carom_json_text(&json, "verdict", found->verdict);
    carom_json_text(&json, "method", found->method);
    if (found->guess[0]) {
        carom_json_text(&json, "guess", found->guess);
        carom_json_number(&json, "iterations", found->iterations);
        carom_json_number(&json, "residual", found->residual);
    }
    carom_json_number(&json, "candidates", found->solutions);
    carom_json_number(&json, "period", found->period);
    if (found->found)
        write_motion(&json, output);
    carom_json_object_begin(&json, "params");
    for (int i = 0; i < model->model->parameters; i++)
        if (!model->model->parameter[i].computed)
            carom_json_number(&json, model->model->parameter[i].name, model->parameter[i]);
    carom_json_object_end(&json);
    carom_json_object_end(&json);
    print_whole(&text);
}
