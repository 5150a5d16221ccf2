/* Where bodies touch, on a page: in every frame the points with the largest impulses. */
#include <math.h>
#include <stdlib.h>

#include "page_parts.h"

enum {
    POINTS_MOST = 400000, /* of all frames */
    SHOWN_STICK = 1,
    SHOWN_SLIP = 2,
    SHOWN_IMPACT = 3,
};

typedef struct push_writer {
    const carom_bodies *bodies;
    const carom_frames *frames;
    const carom_push_series *pushes;
    carom_pose *pose;
    size_t most; /* points of a frame */
    const carom_push **order;
    uint32_t *start;
    float *at, *impulse;
    uint8_t *regime;
    size_t count;
} push_writer;

static double size_of(const carom_push *push)
{
    const float *r = push->impulse;
    return (double)r[0] * r[0] + (double)r[1] * r[1] + (double)r[2] * r[2];
}

static int compare_sizes(const void *left, const void *right)
{
    const double a = size_of(*(const carom_push *const *)left),
                 b = size_of(*(const carom_push *const *)right);
    return a > b ? -1 : a < b;
}

static bool is_of(const carom_push *push, int a, int b)
{
    return push->a == a && push->b == b;
}

/* Did the pair touch at the output before? Points of a pair stand together, pairs in their order. */
static bool touched_before(const carom_push_series *pushes, size_t output, const carom_push *push)
{
    if (output == 0)
        return true;
    size_t low = pushes->first[output - 1], high = pushes->first[output];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const carom_push *other = &pushes->point[middle];
        if (is_of(other, push->a, push->b))
            return true;
        if (other->a < push->a || (other->a == push->a && other->b < push->b))
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static void add_point(push_writer *writer, size_t output, const carom_push *push)
{
    const size_t dimension = (size_t)writer->bodies->dimension;
    double at[3], impulse[3];
    carom_push_show(writer->bodies, writer->pose, push, at, impulse);
    for (size_t i = 0; i < dimension; i++) {
        writer->at[writer->count * dimension + i] = (float)at[i];
        writer->impulse[writer->count * dimension + i] = (float)impulse[i];
    }
    writer->regime[writer->count++] = !touched_before(writer->pushes, output, push) ? SHOWN_IMPACT
                                      : push->slips                                 ? SHOWN_SLIP
                                                                                    : SHOWN_STICK;
}

/* Outputs of both series ascend; those that both have kept have the same time. */
static void add_frame(push_writer *writer, size_t frame, size_t *output)
{
    const carom_push_series *pushes = writer->pushes;
    const double *row = carom_frame_row(writer->frames, frame);
    while (*output < pushes->count && pushes->t[*output] < row[0])
        ++*output;
    if (*output == pushes->count || pushes->t[*output] != row[0])
        return;
    const size_t first = pushes->first[*output], count = pushes->first[*output + 1] - first;
    for (size_t i = 0; i < count; i++)
        writer->order[i] = &pushes->point[first + i];
    if (count > writer->most)
        qsort(writer->order, count, sizeof *writer->order, compare_sizes);
    carom_bodies_poses(writer->bodies, row + writer->frames->series->layout.q, writer->pose);
    for (size_t i = 0; i < count && i < writer->most; i++)
        add_point(writer, *output, writer->order[i]);
}

static size_t most_in_a_frame(const carom_push_series *pushes)
{
    size_t most = 1;
    for (size_t i = 0; i < pushes->count; i++) {
        const size_t count = pushes->first[i + 1] - pushes->first[i];
        most = count > most ? count : most;
    }
    return most;
}

static bool take_room(push_writer *writer)
{
    const size_t frames = writer->frames->count, widest = most_in_a_frame(writer->pushes);
    const size_t share = POINTS_MOST / frames > 0 ? POINTS_MOST / frames : 1;
    writer->most = widest < share ? widest : share;
    const size_t points = carom_product(frames, writer->most);
    const size_t numbers = carom_product(points, (size_t)writer->bodies->dimension);
    writer->pose = carom_new_array((size_t)writer->bodies->count, sizeof *writer->pose);
    writer->order = carom_new_array(widest, sizeof *writer->order);
    writer->start = carom_new_array(frames + 1, sizeof *writer->start);
    writer->at = carom_new_array(numbers, sizeof *writer->at);
    writer->impulse = carom_new_array(numbers, sizeof *writer->impulse);
    writer->regime = carom_new_array(points, sizeof *writer->regime);
    return writer->pose && writer->order && writer->start && writer->at && writer->impulse && writer->regime;
}

static void write_points(carom_page *self, const push_writer *writer)
{
    carom_json *json = &self->json;
    const size_t numbers = writer->count * (size_t)writer->bodies->dimension;
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "kind", "contacts");
    carom_payload_refer(json, "start",
                        carom_payload_wholes(self->payload, writer->frames->count + 1, writer->start));
    carom_payload_refer(json, "at", carom_payload_floats(self->payload, numbers, writer->at, 0));
    carom_payload_refer(json, "impulse", carom_payload_floats(self->payload, numbers, writer->impulse, 0));
    carom_payload_refer(json, "regime", carom_payload_bytes(self->payload, writer->count, writer->regime));
    carom_json_number(json, "most", (double)writer->most);
    carom_json_object_end(json);
}

carom_status page_pushes(carom_page *self, const carom_bodies *bodies, const carom_frames *frames,
                         const carom_push_series *pushes, carom_error *error)
{
    push_writer writer = {.bodies = bodies, .frames = frames, .pushes = pushes};
    const bool room = take_room(&writer);
    size_t output = 0;
    for (size_t f = 0; room && f < frames->count; f++) {
        writer.start[f] = (uint32_t)writer.count;
        add_frame(&writer, f, &output);
    }
    if (room) {
        writer.start[frames->count] = (uint32_t)writer.count;
        write_points(self, &writer);
    }
    free(writer.pose);
    free((void *)writer.order);
    free(writer.start);
    free(writer.at);
    free(writer.impulse);
    free(writer.regime);
    return room ? CAROM_OK : carom_fail_memory(error);
}
