/* Scenes as animated glTF: bodies are meshes that move, with a place and a turn per frame; whatever else changes its form
 * passes from one form to the next (morph targets). In glTF y is up: scenes of space are turned. */
#include <stdlib.h>
#include <string.h>

#include "carom/io/scene.h"
#include "carom/model/bodies.h"
#include "gltf_parts.h"

enum {
    AROUND = 24,
    MATERIAL_BODY = 0,
    MATERIAL_WORLD = 1,
    MODE_LINES = 1,
    MODE_TRIANGLES = 4,
    FORMS_MOST = 100, /* of things that change their form */
};

typedef struct gltf_writer {
    const carom_scene_source *source;
    gltf_parts parts;
    int times; /* accessor */
    carom_pose *pose;
    float *place, *turn; /* of one body over all frames: 3 and 4 each */
    bool failed;
} gltf_writer;

static void add_channel(gltf_writer *writer, int node, const char *path, int output,
                        const char *interpolation, int times)
{
    const int sampler =
        gltf_add(&writer->parts.samplers, "{\"input\":%d,\"output\":%d,\"interpolation\":\"%s\"}", times,
                 output, interpolation);
    gltf_add(&writer->parts.channels, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", sampler,
             node, path);
}

/* Names of files that others wrote go into JSON as JSON writes them. */
static void append_name(char *text, size_t size, const char *name)
{
    carom_text quoted = {0};
    carom_json json = {.text = &quoted};
    carom_json_text(&json, NULL, name);
    const bool fits = !quoted.failed && quoted.bytes && strlen(quoted.bytes) < size;
    snprintf(text, size, "%s", fits ? quoted.bytes : "\"\"");
    carom_text_free(&quoted);
}

/* A node of the root; node 0 is the root itself. */
static int add_node(gltf_writer *writer, const char *name, int mesh, const char *rest)
{
    char quoted[400];
    append_name(quoted, sizeof quoted, name ? name : "");
    const int node = 1 + gltf_add(&writer->parts.nodes, "{\"name\":%s,\"mesh\":%d%s}", quoted, mesh, rest);
    gltf_add(&writer->parts.children, "%d", node);
    return node;
}

/* ---- bodies ------------------------------------------------------------------------------------------- */

static int add_mesh(gltf_writer *writer, size_t points, const double *point, size_t corners,
                    const int *corner, int mode, int material)
{
    float *place = carom_new_array(3 * points, sizeof *place);
    uint32_t *number = carom_new_array(corners, sizeof *number);
    int mesh = 0;
    if (place && number) {
        for (size_t i = 0; i < 3 * points; i++)
            place[i] = (float)point[i];
        for (size_t i = 0; i < corners; i++)
            number[i] = (uint32_t)corner[i];
        const int places = gltf_numbers(&writer->parts, GLTF_PLACES, 3, points, place);
        const int list = gltf_corners(&writer->parts, corners, number);
        mesh = gltf_add(&writer->parts.meshes,
                        "{\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"indices\":%d,\"mode\":%d,"
                        "\"material\":%d}]}",
                        places, list, mode, material);
    }
    writer->failed = writer->failed || !place || !number;
    free(place);
    free(number);
    return mesh;
}

/* x, y, z, w of a rotation; the sign is that of the frame before, so that it turns the short way. */
static void put_turn(const double r[9], const float *before, float *turn)
{
    double q[4];
    carom_rotation_quaternion(r, q);
    double along = 0.0;
    const double now[4] = {q[1], q[2], q[3], q[0]};
    for (int i = 0; before && i < 4; i++)
        along += now[i] * (double)before[i];
    for (int i = 0; i < 4; i++)
        turn[i] = (float)(along < 0.0 ? -now[i] : now[i]);
}

static void follow_body(gltf_writer *writer, int body)
{
    const carom_frames *frames = &writer->source->frames;
    for (size_t f = 0; f < frames->count; f++) {
        carom_bodies_poses(writer->source->scene->bodies,
                           carom_frame_row(frames, f) + frames->series->layout.q, writer->pose);
        const carom_pose *pose = &writer->pose[body];
        for (int i = 0; i < 3; i++)
            writer->place[3 * f + (size_t)i] = (float)pose->x[i];
        put_turn(pose->r, f > 0 ? writer->turn + 4 * (f - 1) : NULL, writer->turn + 4 * f);
    }
}

static carom_status add_body(gltf_writer *writer, int number, double extent, carom_error *error)
{
    const carom_bodies *bodies = writer->source->scene->bodies;
    const carom_body *body = &bodies->body[number];
    carom_drawing *drawing = NULL;
    if (!body->shape)
        return CAROM_OK;
    const carom_status status = carom_shape_draw(body->shape, AROUND, extent, &drawing, error);
    if (status != CAROM_OK)
        return status;
    const bool fixed = body->kind == CAROM_BODY_FIXED, space = bodies->dimension == CAROM_SPACE;
    const size_t frames = writer->source->frames.count;
    const int mesh = add_mesh(writer, drawing->points, drawing->point,
                              drawing->pieces * (size_t)bodies->dimension, drawing->corner,
                              space ? MODE_TRIANGLES : MODE_LINES, fixed ? MATERIAL_WORLD : MATERIAL_BODY);
    carom_drawing_free(drawing);
    follow_body(writer, number);
    char rest[256];
    snprintf(rest, sizeof rest, ",\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g]",
             (double)writer->place[0], (double)writer->place[1], (double)writer->place[2],
             (double)writer->turn[0], (double)writer->turn[1], (double)writer->turn[2],
             (double)writer->turn[3]);
    const int node = add_node(writer, body->name, mesh, rest);
    if (!fixed) {
        add_channel(writer, node, "translation",
                    gltf_numbers(&writer->parts, GLTF_OTHER, 3, frames, writer->place), "LINEAR",
                    writer->times);
        add_channel(writer, node, "rotation",
                    gltf_numbers(&writer->parts, GLTF_OTHER, 4, frames, writer->turn), "LINEAR",
                    writer->times);
    }
    return CAROM_OK;
}

/* ---- what changes its form ------------------------------------------------------------------------------ */

/* Forms of all that is no body, over the frames: the mesh of the first one, and how far the others are from it. */
typedef struct form_list {
    size_t forms, points;
    float *place;  /* forms x points x 3 */
    float *weight; /* forms x (forms - 1): one is 1, the others are 0 */
    uint32_t *line;
    size_t line_corners;
    uint32_t *face;
    size_t face_corners;
} form_list;

/* Lines in pieces, faces as fans of triangles, of cells from `first_cell` on. */
static void list_corners(const carom_mesh *mesh, size_t first_cell, int first_point, form_list *forms)
{
    for (size_t c = first_cell; c < mesh->cells; c++) {
        const int *corner = mesh->corner + mesh->first[c];
        const size_t count = mesh->first[c + 1] - mesh->first[c];
        for (size_t i = 1; mesh->kind[c] == CAROM_CELL_LINE && i < count; i++) {
            forms->line[forms->line_corners++] = (uint32_t)(corner[i - 1] - first_point);
            forms->line[forms->line_corners++] = (uint32_t)(corner[i] - first_point);
        }
        for (size_t i = 2; mesh->kind[c] == CAROM_CELL_FACE && i < count; i++) {
            forms->face[forms->face_corners++] = (uint32_t)(corner[0] - first_point);
            forms->face[forms->face_corners++] = (uint32_t)(corner[i - 1] - first_point);
            forms->face[forms->face_corners++] = (uint32_t)(corner[i] - first_point);
        }
    }
}

/* Cells of bodies come first; their owners are below `bodies`. */
static size_t first_other_cell(const carom_mesh *mesh, int bodies)
{
    size_t cell = 0;
    while (cell < mesh->cells && mesh->owner[cell] < bodies)
        cell++;
    return cell;
}

/* Room for the forms, and the corners of lines and faces, which all forms share. `first` is the first point that is no body's. */
static bool take_forms(form_list *forms, size_t count, const carom_mesh *mesh, size_t cell, size_t first)
{
    const size_t corners = mesh->cells > 0 ? mesh->first[mesh->cells] : 0;
    forms->forms = count;
    forms->points = mesh->points - first;
    forms->place = carom_new_array(carom_product(count, 3 * forms->points), sizeof *forms->place);
    forms->weight = carom_new_array(carom_product(count, count), sizeof *forms->weight);
    forms->line = carom_new_array(2 * corners + 1, sizeof *forms->line);
    forms->face = carom_new_array(3 * corners + 1, sizeof *forms->face);
    if (!forms->place || !forms->weight || !forms->line || !forms->face)
        return false;
    list_corners(mesh, cell, (int)first, forms);
    return true;
}

static carom_status add_form(form_list *forms, size_t count, size_t frame, int bodies, const carom_mesh *mesh,
                             carom_error *error)
{
    const size_t cell = first_other_cell(mesh, bodies);
    const size_t first = cell < mesh->cells ? (size_t)mesh->corner[mesh->first[cell]] : mesh->points;
    if (frame == 0 && !take_forms(forms, count, mesh, cell, first))
        return carom_fail_memory(error);
    for (size_t i = 0; i < 3 * forms->points; i++)
        forms->place[frame * 3 * forms->points + i] = (float)mesh->point[3 * first + i];
    return CAROM_OK;
}

static carom_status list_forms(gltf_writer *writer, form_list *forms, carom_error *error)
{
    const carom_scene_source *source = writer->source;
    const carom_frames fewer = carom_frames_of(
        source->frames.series, source->frames.count < FORMS_MOST ? source->frames.count : (size_t)FORMS_MOST);
    const int bodies = source->scene->bodies ? source->scene->bodies->count : 0;
    carom_mesher *mesher = NULL;
    carom_mesh mesh = {0};
    carom_status status = carom_mesher_create(source->scene, &fewer, &mesher, error);
    for (size_t f = 0; status == CAROM_OK && f < fewer.count; f++) {
        status = carom_mesher_fill(mesher, f, &mesh, error);
        if (status == CAROM_OK)
            status = add_form(forms, fewer.count, f, bodies, &mesh, error);
    }
    carom_mesh_free(&mesh);
    carom_mesher_free(mesher);
    return status;
}

static void free_forms(form_list *forms)
{
    free(forms->place);
    free(forms->weight);
    free(forms->line);
    free(forms->face);
}

/* One primitive of lines or triangles, with its targets. */
static void append_primitive(carom_text *mesh, int places, int corners, int mode, int target_count,
                             const int *target)
{
    carom_text_append(mesh, "%s{\"attributes\":{\"POSITION\":%d},\"indices\":%d,\"mode\":%d,\"material\":%d",
                      mesh->length > 0 ? "," : "", places, corners, mode, MATERIAL_BODY);
    for (int i = 0; i < target_count; i++)
        carom_text_append(mesh, "%s{\"POSITION\":%d}", i == 0 ? ",\"targets\":[" : ",", target[i]);
    carom_text_append(mesh, target_count > 0 ? "]}" : "}");
}

static void add_form_node(gltf_writer *writer, form_list *forms, int *target)
{
    const size_t numbers = 3 * forms->points, others = forms->forms - 1;
    gltf_parts *parts = &writer->parts;
    const int places = gltf_numbers(parts, GLTF_PLACES, 3, forms->points, forms->place);
    for (size_t f = 1; f < forms->forms; f++) {
        for (size_t i = 0; i < numbers; i++)
            forms->place[f * numbers + i] -= forms->place[i];
        target[f - 1] = gltf_numbers(parts, GLTF_PLACES, 3, forms->points, forms->place + f * numbers);
        forms->weight[f * others + f - 1] = 1.0f;
    }
    carom_text mesh = {0};
    if (forms->line_corners > 0)
        append_primitive(&mesh, places, gltf_corners(parts, forms->line_corners, forms->line), MODE_LINES,
                         (int)others, target);
    if (forms->face_corners > 0)
        append_primitive(&mesh, places, gltf_corners(parts, forms->face_corners, forms->face), MODE_TRIANGLES,
                         (int)others, target);
    carom_text_append(&parts->meshes.text, "%s{\"primitives\":[%s]}", parts->meshes.count > 0 ? "," : "",
                      mesh.bytes ? mesh.bytes : "");
    parts->meshes.text.failed = parts->meshes.text.failed || mesh.failed;
    carom_text_free(&mesh);
    const int node = add_node(writer, "drawing", parts->meshes.count++, "");
    if (others == 0)
        return;
    const carom_frames fewer = carom_frames_of(writer->source->frames.series, forms->forms);
    for (size_t f = 0; f < forms->forms; f++)
        writer->place[f] = (float)(carom_frame_row(&fewer, f)[0] - carom_frame_row(&fewer, 0)[0]);
    const int times = gltf_numbers(parts, GLTF_TIMES, 1, forms->forms, writer->place);
    add_channel(writer, node, "weights",
                gltf_numbers(parts, GLTF_OTHER, 1, forms->forms * others, forms->weight), "LINEAR", times);
}

static carom_status add_forms(gltf_writer *writer, carom_error *error)
{
    form_list forms = {0};
    carom_status status = list_forms(writer, &forms, error);
    if (status == CAROM_OK && forms.line_corners + forms.face_corners > 0) {
        int *target = carom_new_array(forms.forms, sizeof *target);
        if (target)
            add_form_node(writer, &forms, target);
        else
            status = carom_fail_memory(error);
        free(target);
    }
    free_forms(&forms);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

static carom_status add_all(gltf_writer *writer, carom_error *error)
{
    const carom_scene_source *source = writer->source;
    const carom_bodies *bodies = source->scene->bodies;
    const size_t frames = source->frames.count;
    writer->pose = carom_new_array(bodies ? (size_t)bodies->count : 1, sizeof *writer->pose);
    writer->place = carom_new_array(3 * (frames > FORMS_MOST ? frames : FORMS_MOST), sizeof *writer->place);
    writer->turn = carom_new_array(4 * frames, sizeof *writer->turn);
    if (!writer->pose || !writer->place || !writer->turn)
        return carom_fail_memory(error);
    for (size_t f = 0; f < frames; f++) /* an animation begins at 0 */
        writer->place[f] =
            (float)(carom_frame_row(&source->frames, f)[0] - carom_frame_row(&source->frames, 0)[0]);
    writer->times = gltf_numbers(&writer->parts, GLTF_TIMES, 1, frames, writer->place);
    carom_status status = CAROM_OK;
    const double extent = bodies ? carom_scene_extent(source->scene, &source->frames, writer->pose) : 1.0;
    for (int i = 0; status == CAROM_OK && bodies && i < bodies->count; i++)
        status = add_body(writer, i, extent, error);
    if (status == CAROM_OK)
        status = add_forms(writer, error);
    return status == CAROM_OK && writer->failed ? carom_fail_memory(error) : status;
}

carom_status carom_gltf_write(const carom_scene_source *source, const char *path, carom_error *error)
{
    gltf_writer writer = {.source = source};
    carom_status status = add_all(&writer, error);
    if (status == CAROM_OK)
        status = gltf_write_file(
            &writer.parts, source->scene->dimension == 3 ? ",\"rotation\":[-0.70710678,0,0,0.70710678]" : "",
            path, error);
    gltf_free(&writer.parts);
    free(writer.pose);
    free(writer.place);
    free(writer.turn);
    return status;
}
