/* Exponents under way and found as bytes. */
#include "lyapunov.h"

static void keep_motion(lyapunov *self, carom_snapshot *snapshot)
{
    carom_snapshot motion = {0};
    if (carom_stepping_save(self->stepping, &motion, NULL) != CAROM_OK) {
        snapshot->failed = true;
        return;
    }
    carom_snapshot_bytes(snapshot, motion.bytes, &motion.length);
    carom_snapshot_free(&motion);
}

bool lyapunov_restore_motion(lyapunov *self, carom_snapshot *snapshot)
{
    size_t count = 0;
    const void *bytes = carom_snapshot_bytes(snapshot, NULL, &count);
    return bytes && carom_stepping_restore(self->stepping, bytes, count, NULL) == CAROM_OK;
}

/* Both ways. */
static void visit_means(lyapunov *self, carom_snapshot *snapshot)
{
    carom_lyapunov *result = self->result;
    const size_t count = (size_t)result->count * sizeof(double);
    const double asked[] = {self->t0, self->request->transient, self->request->time};
    carom_snapshot_same(snapshot, &result->count, sizeof result->count);
    carom_snapshot_same(snapshot, asked, sizeof asked);
    carom_snapshot_same(snapshot, &self->request->points, sizeof self->request->points);
#define KEEP(field) carom_snapshot_block(snapshot, &(field), sizeof(field))
    KEEP(self->begin);
    KEEP(self->counts);
    KEEP(self->divergence);
    KEEP(self->jumps);
    KEEP(self->divergence_before);
    KEEP(self->uncheckable);
    KEEP(self->weight_sum);
    KEEP(result->impacts);
    KEEP(result->breaks);
    KEEP(result->first_break);
    KEEP(result->least_ratio);
    KEEP(result->point_count);
#undef KEEP
    double *numbers[] = {self->log_sum, self->weighted[0], self->weighted[1], self->mean_low,
                         self->mean_high};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        carom_snapshot_block(snapshot, numbers[i], count);
    carom_snapshot_block(snapshot, self->regime, (size_t)self->stepping->stepper->contacts);
    if (result->point_count < 0 || result->point_count > self->points)
        snapshot->failed = true;
    if (snapshot->failed)
        return;
    carom_snapshot_block(snapshot, result->point_time, (size_t)result->point_count * sizeof(double));
    carom_snapshot_block(snapshot, result->point, (size_t)result->point_count * count);
}

bool lyapunov_restore_means(lyapunov *self, carom_snapshot *snapshot)
{
    carom_tangent_keep(self->tangent, snapshot);
    visit_means(self, snapshot);
    return !snapshot->failed && snapshot->place == snapshot->length;
}

carom_status lyapunov_save(lyapunov *self, carom_error *error)
{
    const carom_checkpoint *checkpoint = self->request->checkpoint;
    const double begun = carom_seconds();
    carom_status status = CAROM_OK;
    if (!checkpoint || !checkpoint->save || !self->stepping->stepper->ops->keep)
        return CAROM_OK;
    carom_snapshot snapshot = {0};
    keep_motion(self, &snapshot);
    carom_tangent_keep(self->tangent, &snapshot);
    visit_means(self, &snapshot);
    if (!snapshot.failed)
        status = checkpoint->save(checkpoint->context, snapshot.bytes, snapshot.length, error);
    carom_snapshot_free(&snapshot);
    self->saved = carom_seconds();
    self->saving = self->saved - begun;
    return status;
}

/* ---- results ------------------------------------------------------------------------------------------------------------- */

static void pack_scheme(carom_snapshot *snapshot, carom_lyapunov *result)
{
    char name[64] = "";
    if (!snapshot->restores && result->scheme)
        carom_format(name, sizeof name, "%s", result->scheme->name);
    carom_snapshot_block(snapshot, name, sizeof name);
    if (!snapshot->restores || snapshot->failed)
        return;
    name[sizeof name - 1] = '\0';
    result->scheme = *name ? carom_scheme_find(name, NULL) : NULL;
}

static void pack_numbers(carom_snapshot *snapshot, carom_arena *arena, size_t count, double **numbers)
{
    if (snapshot->failed)
        return;
    if (snapshot->restores && count > snapshot->length)
        snapshot->failed = true;
    else if (snapshot->restores)
        *numbers = carom_arena_take(arena, count, sizeof **numbers);
    if (count > 0 && !*numbers)
        snapshot->failed = true;
    else
        carom_snapshot_block(snapshot, *numbers, count * sizeof **numbers);
}

void carom_lyapunov_pack(carom_snapshot *snapshot, carom_lyapunov *result)
{
    if (snapshot->restores) {
        *result = (carom_lyapunov){.arena = carom_arena_create()};
        snapshot->failed = snapshot->failed || !result->arena;
    }
    pack_scheme(snapshot, result);
#define PACK(field) carom_snapshot_block(snapshot, &result->field, sizeof result->field)
    PACK(h);
    PACK(transient);
    PACK(time);
    PACK(count);
    PACK(regular);
    PACK(impacts);
    PACK(locates);
    PACK(checked);
    PACK(sum);
    PACK(divergence);
    PACK(jumps);
    PACK(point_count);
    PACK(breaks);
    PACK(first_break);
    PACK(least_ratio);
#undef PACK
    if (snapshot->failed || result->count < 0 || result->point_count < 0) {
        snapshot->failed = true;
        return;
    }
    const size_t count = (size_t)result->count, points = (size_t)result->point_count;
    pack_numbers(snapshot, result->arena, count, &result->exponent);
    pack_numbers(snapshot, result->arena, count, &result->spread);
    pack_numbers(snapshot, result->arena, points, &result->point_time);
    pack_numbers(snapshot, result->arena, carom_product(points, count), &result->point);
    result->first_break.why[sizeof result->first_break.why - 1] = '\0';
}
