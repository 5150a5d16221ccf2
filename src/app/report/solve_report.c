/* The lines, the JSON object and the history of `carom solve`. */
#include <math.h>
#include <string.h>

#include "app/solve_output.h"

/* ---- text ------------------------------------------------------------------------------------------ */

static int path_width(const solve_output *output)
{
    size_t width = strlen("file");
    for (int i = 0; i < output->count; i++)
        width = strlen(output->file[i].shown) > width ? strlen(output->file[i].shown) : width;
    return (int)width;
}

static int solver_width(const solve_output *output)
{
    const size_t width = strlen(output->solver->ops->name);
    return width > strlen("solver") ? (int)width : (int)strlen("solver");
}

void print_solve_head(const solve_output *output)
{
    printf("%-*s  contacts  dimension  %-*s  %-14s  iterations  %-9s  %s\n", path_width(output), "file",
           solver_width(output), "solver", "status", "error", "seconds");
}

void print_solve_row(const solve_output *output, const solved_file *file)
{
    printf("%-*s  %8d  %9d  %-*s  %-14s  %10d  %9.3e  %.3g\n", path_width(output), file->shown,
           file->contacts, file->dimension, solver_width(output), output->solver->ops->name,
           carom_solve_word_text(file->report.word), file->report.iterations, file->report.error,
           file->wall_seconds);
    fflush(stdout);
}

static void print_stored(const solved_file *file)
{
    const stored_solution *stored = &file->stored;
    if (stored->r_is_zero)
        printf("  stored r     all zero and no solution: none was stored\n");
    else if (stored->has_r)
        printf("  stored r     error %.6e%s\n", stored->error, file->is_orthotropic ? " of round cones" : "");
    if (stored->has_u && !isnan(stored->u_of_r))
        printf("  stored u     %.6e from W r + q of the stored r, relative to |q|\n", stored->u_of_r);
    if (stored->has_u && !isnan(stored->u_difference))
        printf("  stored u     %.6e from the u above, relative to |q|\n", stored->u_difference);
}

void print_solve_reason(const solved_file *file)
{
    const carom_solve_word word = file->report.word;
    if (file->has_proof) {
        fprintf(stderr,
                "carom: %s: there is no solution: a direction d of normal reactions has q.d = %.3g |q| and "
                "|W^T d| = %.3g; no r",
                file->path, file->proof.q_d, file->proof.W_d);
        if (isfinite(file->proof.largest_r))
            fprintf(stderr, " up to |r| = %.3g", file->proof.largest_r);
        fprintf(stderr, " has an error below %.3g\n", file->proof.least_error);
    } else if (file->direction) {
        fprintf(stderr,
                "carom: %s: it is not sure that there is a solution: a direction d in the cone has |W d| <= "
                "1e-3 |W| and q.d < 0, reactions may grow along it\n",
                file->path);
    } else if (word == CAROM_SOLVE_ROUNDING) {
        fprintf(
            stderr,
            "carom: %s: |r| = %.3g is so large that u = W r + q is known to %.1e |q| only: the error says "
            "nothing\n",
            file->path, file->summary.r_norm, file->residual.rounding);
    }
    if (file->proof_skipped)
        fprintf(stderr,
                "carom: %s: proof: not attempted, %d contacts (at most %d): there may be no solution\n",
                file->path, file->parts, CAROM_PROOF_CONTACTS);
}

void print_solve_details(const solved_file *file)
{
    const carom_coulomb_summary *summary = &file->summary;
    printf("\n  problem      %s%s, |q| = %.12g\n", file->is_global ? "global" : "local",
           file->is_rolling ? ", with rolling friction" : "", summary->q_norm);
    printf("  solution     |r| = %.12g, |u| = %.12g\n", summary->r_norm, summary->u_norm);
    printf("  error        %.6e relative to |q|, %.6e absolute\n", summary->error, summary->absolute_error);
    printf("  contacts     %d open, %d sliding, %d sticking (by velocities)\n", summary->open,
           summary->sliding, summary->sticking);
    printf("  energy       1/2 r.W r + q.r = %.12g\n", summary->energy);
    printf("  dissipation  u_T.r_T = %.12g\n", summary->dissipation);
    if (file->report.inner_iterations > 0)
        printf("  inner        %ld iterations\n", file->report.inner_iterations);
    if (file->report.local_failures > 0)
        printf("  fall-backs   %ld\n", file->report.local_failures);
    if (file->is_orthotropic)
        printf("  certificate  power %.3e (largest %.3e), penetration %.3e, outside %.3e\n",
               file->certificate.power, file->certificate.largest_power, file->certificate.penetration,
               file->certificate.outside);
    if (file->has_residual)
        printf("  parts        approach %.1e, outside the cone %.1e, complementarity %.1e, rounding %.1e\n",
               file->residual.velocity, file->residual.reaction, file->residual.complementarity,
               file->residual.rounding);
    print_stored(file);
    if (file->guess_count > 0)
        printf("  guesses      %d in the file (--guess 1%s)\n", file->guess_count,
               file->guess_count > 1 ? ", 2, ..." : "");
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static void write_options(carom_json *json, const chosen_solver *solver)
{
    carom_json_object_begin(json, "options");
    for (int i = 0; i < solver->ops->option_count; i++) {
        const carom_option_info *option = &solver->ops->options[i];
        if (carom_option_word_count(option) > 0)
            carom_json_text(json, option->name, carom_option_word(option, (int)solver->option[i].value));
        else
            carom_json_number(json, option->name, solver->option[i].value);
    }
    carom_json_object_end(json);
}

static void write_summary(carom_json *json, const carom_coulomb_summary *summary)
{
    carom_json_number(json, "absolute_error", summary->absolute_error);
    carom_json_number(json, "q_norm", summary->q_norm);
    carom_json_number(json, "r_norm", summary->r_norm);
    carom_json_number(json, "u_norm", summary->u_norm);
    carom_json_number(json, "energy", summary->energy);
    carom_json_number(json, "dissipation", summary->dissipation);
    carom_json_number(json, "open", summary->open);
    carom_json_number(json, "sliding", summary->sliding);
    carom_json_number(json, "sticking", summary->sticking);
}

static void write_certificate(carom_json *json, const carom_elliptic_certificate *certificate)
{
    carom_json_object_begin(json, "certificate");
    carom_json_number(json, "power", certificate->power);
    carom_json_number(json, "largest_power", certificate->largest_power);
    carom_json_number(json, "penetration", certificate->penetration);
    carom_json_number(json, "outside", certificate->outside);
    carom_json_object_end(json);
}

static void write_residual(carom_json *json, const solved_file *file)
{
    if (!file->has_residual)
        return;
    carom_json_object_begin(json, "residual");
    carom_json_number(json, "velocity", file->residual.velocity);
    carom_json_number(json, "reaction", file->residual.reaction);
    carom_json_number(json, "complementarity", file->residual.complementarity);
    carom_json_number(json, "rounding", file->residual.rounding);
    carom_json_object_end(json);
}

static void write_existence(carom_json *json, const solved_file *file)
{
    if (file->proof_skipped)
        carom_json_text(json, "proof", "not-attempted");
    if (!file->direction)
        return;
    carom_json_text(json, "existence", file->has_proof ? "none" : "doubtful");
    carom_json_array_begin(json, "direction");
    for (int i = 0; i < file->contacts; i++)
        for (int k = 0; k < file->dimension; k++)
            carom_json_number(json, NULL, file->direction[(ptrdiff_t)file->dimension * i + k]);
    carom_json_array_end(json);
    if (!file->has_proof)
        return;
    carom_json_object_begin(json, "infeasible");
    carom_json_number(json, "W_d", file->proof.W_d);
    carom_json_number(json, "q_d", file->proof.q_d);
    carom_json_number(json, "largest_r", file->proof.largest_r);
    carom_json_number(json, "least_error", file->proof.least_error);
    carom_json_object_end(json);
}

static void write_stored(carom_json *json, const stored_solution *stored)
{
    if (!stored->has_r && !stored->has_u)
        return;
    carom_json_object_begin(json, "stored");
    carom_json_bool(json, "r_is_zero", stored->r_is_zero);
    carom_json_number(json, "r_error", stored->error);
    carom_json_number(json, "u_of_r", stored->u_of_r);
    carom_json_number(json, "u_difference", stored->u_difference);
    carom_json_object_end(json);
}

static void write_result(carom_json *json, const solve_output *output, const solved_file *file)
{
    const bool read = !file->message;
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "file", file->path);
    carom_json_text(json, "solver", output->solver->ops->name);
    carom_json_text(json, "status", read ? carom_solve_word_text(file->report.word) : "bad-input");
    carom_json_number(json, "contacts", read ? (double)file->contacts : NAN);
    carom_json_number(json, "dimension", read ? (double)file->dimension : NAN);
    if (file->is_rolling)
        carom_json_bool(json, "rolling", true);
    carom_json_number(json, "iterations", read ? (double)file->report.iterations : NAN);
    carom_json_number(json, "error", read ? file->report.error : NAN);
    carom_json_number(json, "wall_s", read ? file->wall_seconds : NAN);
    if (!read) {
        carom_json_text(json, "message", file->message);
    } else {
        carom_json_number(json, "tolerance", output->limits->tolerance);
        carom_json_number(json, "inner_iterations", (double)file->report.inner_iterations);
        carom_json_number(json, "local_failures", (double)file->report.local_failures);
        write_summary(json, &file->summary);
        if (file->is_orthotropic)
            write_certificate(json, &file->certificate);
        write_residual(json, file);
        write_existence(json, file);
        carom_json_number(json, "stored_error", file->stored.error);
        write_stored(json, &file->stored);
        write_options(json, output->solver);
    }
    carom_json_object_end(json);
}

void print_solve_json(const solve_output *output)
{
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_json_array_begin(&json, "results");
    for (int i = 0; i < output->count; i++)
        write_result(&json, output, &output->file[i]);
    carom_json_array_end(&json);
    carom_json_object_end(&json);
    print_whole(&text);
}

/* ---- history --------------------------------------------------------------------------------------- */

void write_solve_history(FILE *stream, const solve_history *history)
{
    fprintf(stream, "iteration,error,seconds\n");
    for (size_t i = 0; i < history->count; i++) {
        const solve_point *point = &history->point[i];
        fprintf(stream, "%d,", point->iteration);
        if (isfinite(point->error)) /* an empty cell: the iterates diverged */
            fprintf(stream, "%.17g", point->error);
        fprintf(stream, ",%.17g\n", point->seconds);
    }
}
