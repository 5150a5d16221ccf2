/* Pieces of a glTF file. */
#include "gltf_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "carom/io/output.h"
#include "carom/version.h"
#include "io/parts/little_endian.h"

int gltf_add(gltf_list *list, const char *format, ...)
{
    char piece[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    list->text.failed = list->text.failed || length < 0 || length >= (int)sizeof piece;
    carom_text_append(&list->text, "%s%s", list->count > 0 ? "," : "", piece);
    return list->count++;
}

static int add_view(gltf_parts *parts, size_t first, const char *target)
{
    return gltf_add(&parts->views, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu%s}", first,
                    parts->buffer.length - first, target);
}

/* ,"min":[..],"max":[..]: meshes and times must have it. Bounds are those of the single precision numbers, exactly. */
static void append_bounds(char *text, size_t size, int components, size_t count, const float *value)
{
    size_t length = 0;
    for (int side = 0; side < 2; side++) {
        length += (size_t)snprintf(text + length, size - length, side ? "],\"max\":[" : ",\"min\":[");
        for (int i = 0; i < components; i++) {
            float bound = value[i];
            for (size_t k = 1; k < count; k++) {
                const float other = value[k * (size_t)components + (size_t)i];
                bound = side ? fmaxf(bound, other) : fminf(bound, other);
            }
            length += (size_t)snprintf(text + length, size - length, "%s%.9g", i ? "," : "", (double)bound);
        }
    }
    snprintf(text + length, size - length, "]");
}

int gltf_numbers(gltf_parts *parts, gltf_use use, int components, size_t count, const float *value)
{
    static const char *const type[] = {[1] = "SCALAR", [3] = "VEC3", [4] = "VEC4"};
    const size_t first = parts->buffer.length;
    char bounds[256] = "";
    for (size_t i = 0; i < count * (size_t)components; i++)
        put_whole(&parts->buffer, single_bits(value[i]), 4);
    const int view = add_view(parts, first, use == GLTF_PLACES ? ",\"target\":34962" : "");
    if (use == GLTF_PLACES || use == GLTF_TIMES)
        append_bounds(bounds, sizeof bounds, components, count, value);
    return gltf_add(&parts->accessors,
                    "{\"bufferView\":%d,\"componentType\":5126,\"count\":%zu,\"type\":\"%s\"%s}", view, count,
                    type[components], bounds);
}

int gltf_corners(gltf_parts *parts, size_t count, const uint32_t *corner)
{
    const size_t first = parts->buffer.length;
    for (size_t i = 0; i < count; i++)
        put_whole(&parts->buffer, corner[i], 4);
    const int view = add_view(parts, first, ",\"target\":34963");
    return gltf_add(&parts->accessors,
                    "{\"bufferView\":%d,\"componentType\":5125,\"count\":%zu,\"type\":\"SCALAR\"}", view,
                    count);
}

static void append_list(carom_text *json, const char *key, const gltf_list *list)
{
    if (list->count == 0)
        return;
    carom_text_append(json, ",\"%s\":[", key);
    carom_text_append_bytes(json, list->text.bytes, list->text.length);
    carom_text_append(json, "]");
}

/* Colours of bodies and things, the fixed world, impulses; both sides are seen. */
static const char materials[] =
    ",\"materials\":["
    "{\"name\":\"body\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.1,0.36,0.6,1],\"metallicFactor\":0,"
    "\"roughnessFactor\":0.7},\"doubleSided\":true},"
    "{\"name\":\"world\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.62,0.62,0.6,1],\"metallicFactor\":"
    "0,"
    "\"roughnessFactor\":0.9},\"doubleSided\":true}]";

static void append_json(const gltf_parts *parts, const char *root, carom_text *json)
{
    carom_text_append(json,
                      "{\"asset\":{\"version\":\"2.0\",\"generator\":\"carom %s\"},\"scene\":0,"
                      "\"scenes\":[{\"nodes\":[0]}]%s",
                      CAROM_VERSION, materials);
    /* Node 0 is the root: its children are known only now. */
    carom_text_append(json, ",\"nodes\":[{\"name\":\"scene\"%s", root);
    append_list(json, "children", &parts->children);
    carom_text_append(json, "}%s", parts->nodes.count > 0 ? "," : "");
    carom_text_append_bytes(json, parts->nodes.text.bytes, parts->nodes.text.length);
    carom_text_append(json, "]");
    append_list(json, "meshes", &parts->meshes);
    append_list(json, "accessors", &parts->accessors);
    append_list(json, "bufferViews", &parts->views);
    if (parts->channels.count > 0) {
        carom_text_append(json, ",\"animations\":[{\"name\":\"motion\"");
        append_list(json, "channels", &parts->channels);
        append_list(json, "samplers", &parts->samplers);
        carom_text_append(json, "}]");
    }
    carom_text_append(json, ",\"buffers\":[{\"byteLength\":%zu}]}", parts->buffer.length);
    while (json->length % 4 != 0)
        carom_text_append(json, " ");
}

static bool any_failed(const gltf_parts *parts)
{
    return parts->buffer.failed || parts->views.text.failed || parts->accessors.text.failed ||
           parts->meshes.text.failed || parts->nodes.text.failed || parts->samplers.text.failed ||
           parts->channels.text.failed || parts->children.text.failed;
}

carom_status gltf_write_file(gltf_parts *parts, const char *root, const char *path, carom_error *error)
{
    carom_text json = {0}, file = {0};
    append_json(parts, root, &json);
    const size_t length = 12 + 8 + json.length + 8 + parts->buffer.length;
    carom_status status = any_failed(parts) || json.failed ? carom_fail_memory(error) : CAROM_OK;
    if (status == CAROM_OK && length > UINT32_MAX)
        status = carom_fail(error, CAROM_BAD_INPUT,
                            "%s would be %.1f GB, and a .glb has 4 at most: take fewer frames "
                            "(--frame-count)",
                            path, (double)length / 1e9);
    if (status == CAROM_OK) {
        const uint32_t head[5] = {0x46546c67, 2, (uint32_t)length, (uint32_t)json.length, 0x4e4f534a};
        for (int i = 0; i < 5; i++)
            put_whole(&file, head[i], 4);
        carom_text_append_bytes(&file, json.bytes, json.length);
        put_whole(&file, parts->buffer.length, 4);
        put_whole(&file, 0x004e4942, 4);
        carom_text_append_bytes(&file, parts->buffer.bytes ? parts->buffer.bytes : "", parts->buffer.length);
        status = file.failed ? carom_fail_memory(error)
                             : carom_output_write(path, false, file.bytes, file.length, error);
    }
    carom_text_free(&json);
    carom_text_free(&file);
    return status;
}

void gltf_free(gltf_parts *parts)
{
    gltf_list *const list[] = {&parts->views,    &parts->accessors, &parts->meshes,  &parts->nodes,
                               &parts->samplers, &parts->channels,  &parts->children};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        carom_text_free(&list[i]->text);
    carom_text_free(&parts->buffer);
}
