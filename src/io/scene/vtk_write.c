/* Scenes as files of VTK: PolyData, numbers as base64, a collection over time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "carom/io/output.h"
#include "carom/io/scene.h"
#include "io/parts/base64.h"
#include "io/parts/little_endian.h"

typedef struct vtk_file {
    carom_text text; /* the XML */
    carom_text raw;  /* numbers of one array, as bytes */
} vtk_file;

/* ---- arrays ------------------------------------------------------------------------------------------ */

static void begin_array(vtk_file *file)
{
    file->raw.length = 0;
    put_whole(&file->raw, 0, 8); /* its length in bytes, when it is known */
}

static void end_array(vtk_file *file, const char *type, const char *name, int components)
{
    const uint64_t length = file->raw.length - 8;
    for (int i = 0; i < 8 && file->raw.bytes; i++)
        file->raw.bytes[i] = (char)(length >> (8 * i) & 0xff);
    carom_text_append(&file->text,
                      "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">", type,
                      name, components);
    base64_append(&file->text, file->raw.length, file->raw.bytes);
    carom_text_append(&file->text, "</DataArray>\n");
}

static void write_numbers(vtk_file *file, const char *name, int components, size_t count, const double *value)
{
    begin_array(file);
    for (size_t i = 0; i < count * (size_t)components; i++)
        put_double(&file->raw, value[i]);
    end_array(file, "Float64", name, components);
}

/* ---- lines and faces ---------------------------------------------------------------------------------- */

/* Cells of one kind: corners one behind the other, and where each ends. Files have points, lines and faces in this order. */
static void write_cells(vtk_file *file, const char *element, const carom_mesh *mesh, carom_cell_kind kind)
{
    uint64_t end = 0;
    carom_text_append(&file->text, "<%s>\n", element);
    begin_array(file);
    for (size_t c = 0; c < mesh->cells; c++)
        for (size_t i = mesh->first[c]; mesh->kind[c] == kind && i < mesh->first[c + 1]; i++)
            put_whole(&file->raw, (uint64_t)mesh->corner[i], 8);
    end_array(file, "Int64", "connectivity", 1);
    begin_array(file);
    for (size_t c = 0; c < mesh->cells; c++)
        if (mesh->kind[c] == kind)
            put_whole(&file->raw, end += mesh->first[c + 1] - mesh->first[c], 8);
    end_array(file, "Int64", "offsets", 1);
    carom_text_append(&file->text, "</%s>\n", element);
}

static size_t count_cells(const carom_mesh *mesh, carom_cell_kind kind)
{
    size_t count = 0;
    for (size_t c = 0; c < mesh->cells; c++)
        count += mesh->kind[c] == kind;
    return count;
}

static void begin_file(vtk_file *file, double t, size_t points, size_t dots, size_t lines, size_t faces)
{
    file->text.length = 0;
    carom_text_append(&file->text, "<?xml version=\"1.0\"?>\n"
                                   "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                                   "header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n");
    begin_array(file);
    put_double(&file->raw, t);
    end_array(file, "Float64", "TimeValue\" NumberOfTuples=\"1", 1);
    carom_text_append(
        &file->text,
        "</FieldData>\n<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"%zu\" "
        "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n",
        points, dots, lines, faces);
}

static const char file_end[] = "</Piece>\n</PolyData>\n</VTKFile>\n";

static void write_mesh(vtk_file *file, double t, const carom_mesh *mesh)
{
    static const carom_cell_kind kind[] = {CAROM_CELL_POINT, CAROM_CELL_LINE, CAROM_CELL_FACE};
    static const char *const element[] = {"Verts", "Lines", "Polys"};
    begin_file(file, t, mesh->points, count_cells(mesh, CAROM_CELL_POINT), count_cells(mesh, CAROM_CELL_LINE),
               count_cells(mesh, CAROM_CELL_FACE));
    carom_text_append(&file->text, "<PointData Vectors=\"velocity\">\n");
    write_numbers(file, "velocity", 3, mesh->points, mesh->velocity);
    carom_text_append(&file->text, "</PointData>\n<CellData Scalars=\"part\">\n");
    begin_array(file);
    for (int k = 0; k < 3; k++)
        for (size_t c = 0; c < mesh->cells; c++)
            if (mesh->kind[c] == kind[k])
                put_whole(&file->raw, (uint64_t)mesh->owner[c], 4);
    end_array(file, "Int32", "part", 1);
    carom_text_append(&file->text, "</CellData>\n<Points>\n");
    write_numbers(file, "Points", 3, mesh->points, mesh->point);
    carom_text_append(&file->text, "</Points>\n");
    for (int k = 0; k < 3; k++)
        write_cells(file, element[k], mesh, kind[k]);
    carom_text_append(&file->text, file_end);
}

/* ---- contacts ------------------------------------------------------------------------------------------ */

static void write_pushes(vtk_file *file, double t, size_t count, const carom_mesh_push *push)
{
    begin_file(file, t, count, count, 0, 0);
    carom_text_append(&file->text, "<PointData Vectors=\"impulse\" Scalars=\"regime\">\n");
    begin_array(file);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            put_double(&file->raw, push[i].impulse[k]);
    end_array(file, "Float64", "impulse", 3);
    begin_array(file);
    for (size_t i = 0; i < count; i++)
        put_whole(&file->raw, (uint64_t)push[i].regime, 4);
    end_array(file, "Int32", "regime", 1);
    carom_text_append(&file->text, "</PointData>\n<Points>\n");
    begin_array(file);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            put_double(&file->raw, push[i].at[k]);
    end_array(file, "Float64", "Points", 3);
    carom_text_append(&file->text, "</Points>\n<Verts>\n");
    begin_array(file);
    for (size_t i = 0; i < count; i++)
        put_whole(&file->raw, i, 8);
    end_array(file, "Int64", "connectivity", 1);
    begin_array(file);
    for (size_t i = 0; i < count; i++)
        put_whole(&file->raw, i + 1, 8);
    end_array(file, "Int64", "offsets", 1);
    carom_text_append(&file->text, "</Verts>\n%s", file_end);
}

/* ---- all frames ---------------------------------------------------------------------------------------- */

typedef struct vtk_writer {
    const carom_scene_source *source;
    const char *directory;
    carom_mesher *mesher;
    carom_mesh mesh;
    carom_mesh_push *push;
    size_t push_room;
    vtk_file file;
    carom_text list, path;
} vtk_writer;

static carom_status write_file(vtk_writer *writer, const char *name, const carom_text *text,
                               carom_error *error)
{
    writer->path.length = 0;
    carom_text_append(&writer->path, "%s/%s", writer->directory, name);
    if (writer->path.failed || text->failed || writer->file.raw.failed)
        return carom_fail_memory(error);
    return carom_output_write(writer->path.bytes, false, text->bytes, text->length, error);
}

static void list_file(vtk_writer *writer, double t, int part, const char *name)
{
    carom_text_append(&writer->list, "<DataSet timestep=\"%.17g\" part=\"%d\" file=\"%s\"/>\n", t, part,
                      name);
}

static carom_status take_pushes(vtk_writer *writer, size_t frame, size_t *count, carom_error *error)
{
    *count =
        carom_mesher_pushes(writer->mesher, frame, writer->source->pushes, writer->push_room, writer->push);
    if (*count <= writer->push_room)
        return CAROM_OK;
    carom_mesh_push *larger = realloc(writer->push, carom_product(2 * *count, sizeof *larger));
    if (!larger)
        return carom_fail_memory(error);
    writer->push = larger;
    writer->push_room = 2 * *count;
    carom_mesher_pushes(writer->mesher, frame, writer->source->pushes, writer->push_room, writer->push);
    return CAROM_OK;
}

enum {
    FRAME_DIGITS = 18,
    FRAME_NAME = 40
};

/* "shapes-0012.vtp" */
static void name_frame(const char *kind, int digits, size_t frame, char name[FRAME_NAME])
{
    char number[FRAME_DIGITS + 1];
    for (int i = digits - 1; i >= 0; i--, frame /= 10)
        number[i] = (char)('0' + frame % 10);
    number[digits] = '\0';
    snprintf(name, FRAME_NAME, "%s%s.vtp", kind, number);
}

static carom_status write_frame(vtk_writer *writer, size_t frame, int digits, carom_error *error)
{
    const double t = carom_frame_row(&writer->source->frames, frame)[0];
    char name[FRAME_NAME];
    size_t pushes = 0;
    carom_status status = carom_mesher_fill(writer->mesher, frame, &writer->mesh, error);
    if (status != CAROM_OK)
        return status;
    write_mesh(&writer->file, t, &writer->mesh);
    name_frame("shapes-", digits, frame, name);
    list_file(writer, t, 0, name);
    status = write_file(writer, name, &writer->file.text, error);
    if (status == CAROM_OK)
        status = take_pushes(writer, frame, &pushes, error);
    if (status != CAROM_OK)
        return status;
    write_pushes(&writer->file, t, pushes, writer->push);
    name_frame("contacts-", digits, frame, name);
    list_file(writer, t, 1, name);
    return write_file(writer, name, &writer->file.text, error);
}

static carom_status make_directory(const char *directory, carom_error *error)
{
    if (mkdir(directory, 0777) == 0 || errno == EEXIST)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "cannot make the directory %s: %s", directory, strerror(errno));
}

carom_status carom_vtk_write(const carom_scene_source *source, const char *directory, carom_error *error)
{
    vtk_writer writer = {.source = source, .directory = directory};
    int digits = 4;
    for (size_t most = 10000; most < source->frames.count && digits < FRAME_DIGITS; most *= 10)
        digits++;
    carom_status status = make_directory(directory, error);
    if (status == CAROM_OK)
        status = carom_mesher_create(source->scene, &source->frames, &writer.mesher, error);
    carom_text_append(&writer.list,
                      "<?xml version=\"1.0\"?>\n"
                      "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
                      "<Collection>\n");
    for (size_t f = 0; status == CAROM_OK && f < source->frames.count; f++)
        status = write_frame(&writer, f, digits, error);
    carom_text_append(&writer.list, "</Collection>\n</VTKFile>\n");
    if (status == CAROM_OK)
        status = write_file(&writer, "scene.pvd", &writer.list, error);
    carom_mesher_free(writer.mesher);
    carom_mesh_free(&writer.mesh);
    free(writer.push);
    carom_text_free(&writer.file.text);
    carom_text_free(&writer.file.raw);
    carom_text_free(&writer.list);
    carom_text_free(&writer.path);
    return status;
}
