#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/io/output.h"
#include "hdf5_helpers.h"

hdf5_quiet hdf5_silence(void)
{
    hdf5_quiet quiet = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &quiet.function, &quiet.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return quiet;
}

void hdf5_restore(hdf5_quiet quiet)
{
    H5Eset_auto2(H5E_DEFAULT, quiet.function, quiet.data);
}

carom_status hdf5_reserve(size_t bytes, carom_error *error)
{
    enum {
#ifdef CAROM_FUZZ /* so much memory costs a sanitizer ten times what the reading of a small file does */
        OWN_BYTES = 0
#else
        OWN_BYTES = 16 << 20 /* its caches and tables: some 2 MB */
#endif
    };
    /* Through a volatile: a compiler may leave out what is taken and given back. */
    void *volatile reserve = malloc(bytes < SIZE_MAX - OWN_BYTES ? bytes + OWN_BYTES : SIZE_MAX);
    if (!reserve)
        return carom_fail_memory(error);
    free(reserve);
    return CAROM_OK;
}

typedef struct reason_buffer {
    char *text;
    size_t size;
} reason_buffer;

static herr_t take_innermost(unsigned depth, const H5E_error2_t *entry, void *context)
{
    const reason_buffer *reason = context;
    if (depth == 0 && entry->desc)
        snprintf(reason->text, reason->size, "%s", entry->desc);
    return 0;
}

void hdf5_reason(char *text, size_t size)
{
    snprintf(text, size, "HDF5 gives no reason");
    reason_buffer reason = {text, size};
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_innermost, &reason);
    /* Failed system calls come with times and addresses; only what the system said matters. */
    static const char before[] = "error message = '";
    char *said = strstr(text, before);
    if (!said)
        return;
    said += strlen(before);
    size_t length = strcspn(said, "'");
    memmove(text, said, length);
    text[length] = '\0';
}

hid_t hdf5_text_type(size_t bytes, H5T_cset_t letters)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0)
        return type;
    if (H5Tset_size(type, bytes) < 0 || H5Tset_cset(type, letters) < 0) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

static bool put_attribute(hid_t place, const char *name, hid_t file_type, hid_t memory_type, hid_t space,
                          const void *value)
{
    htri_t present = H5Aexists(place, name);
    if (present < 0 || (present > 0 && H5Adelete(place, name) < 0))
        return false;
    hid_t attribute = H5Acreate2(place, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0)
        return false;
    bool written = H5Awrite(attribute, memory_type, value) >= 0;
    return H5Aclose(attribute) >= 0 && written;
}

static bool put_scalar(hid_t place, const char *name, hid_t file_type, hid_t memory_type, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    if (space < 0)
        return false;
    bool written = put_attribute(place, name, file_type, memory_type, space, value);
    H5Sclose(space);
    return written;
}

bool hdf5_put_text(hid_t place, const char *name, const char *text)
{
    const char *shown = text ? text : "";
    hid_t type = hdf5_text_type(strlen(shown) + 1, H5T_CSET_UTF8);
    if (type < 0)
        return false;
    bool written = put_scalar(place, name, type, type, shown);
    H5Tclose(type);
    return written;
}

bool hdf5_put_number(hid_t place, const char *name, double value)
{
    return put_scalar(place, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

bool hdf5_put_integer(hid_t place, const char *name, long long value)
{
    return put_scalar(place, name, H5T_STD_I64LE, H5T_NATIVE_LLONG, &value);
}

/* Texts of one length one after the other; NULL when memory is short. */
static char *pack_texts(const char *const *text, int count, size_t *bytes)
{
    *bytes = 1;
    for (int i = 0; i < count; i++)
        if (text[i] && strlen(text[i]) + 1 > *bytes)
            *bytes = strlen(text[i]) + 1;
    char *packed = carom_new_array((size_t)count, *bytes);
    for (int i = 0; packed && i < count; i++)
        if (text[i])
            memcpy(packed + (size_t)i * *bytes, text[i], strlen(text[i]));
    return packed;
}

bool hdf5_put_names(hid_t place, const char *name, const char *const *names, int count)
{
    size_t bytes = 0;
    const hsize_t extent = (hsize_t)count;
    char *packed = pack_texts(names, count, &bytes);
    hid_t type = hdf5_text_type(bytes, H5T_CSET_UTF8);
    hid_t space = H5Screate_simple(1, &extent, NULL);
    bool written = packed && type >= 0 && space >= 0 && put_attribute(place, name, type, type, space, packed);
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    free(packed);
    return written;
}

hid_t hdf5_create_group(hid_t place, const char *name)
{
    hid_t creation = H5Pcreate(H5P_GROUP_CREATE), group = -1;
    if (creation >= 0 && H5Pset_obj_track_times(creation, false) >= 0)
        group = H5Gcreate2(place, name, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (creation >= 0)
        H5Pclose(creation);
    return group;
}

bool hdf5_put_dataset(hid_t place, const char *name, hid_t file_type, hid_t memory_type, hid_t space,
                      const void *elements)
{
    char link[256]; /* a slash would make groups */
    snprintf(link, sizeof link, "%s", name);
    for (char *c = link; *c; c++)
        if (*c == '/')
            *c = ':';
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE), dataset = -1;
    if (space >= 0 && creation >= 0 && H5Pset_obj_track_times(creation, false) >= 0)
        dataset = H5Dcreate2(place, link, file_type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    bool written = dataset >= 0;
    if (written && elements)
        written = H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements) >= 0;
    if (dataset >= 0)
        H5Dclose(dataset);
    if (creation >= 0)
        H5Pclose(creation);
    return written;
}

static bool put_list(hid_t place, const char *name, hid_t file_type, hid_t memory_type, int count,
                     const void *value)
{
    const hsize_t extent = (hsize_t)count;
    const hid_t space = H5Screate_simple(1, &extent, NULL);
    const bool written = hdf5_put_dataset(place, name, file_type, memory_type, space, value);
    if (space >= 0)
        H5Sclose(space);
    return written;
}

bool hdf5_put_ints(hid_t place, const char *name, int count, const int *value)
{
    return put_list(place, name, H5T_STD_I32LE, H5T_NATIVE_INT, count, value);
}

bool hdf5_put_reals(hid_t place, const char *name, int count, const double *value)
{
    return put_list(place, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, value);
}

static bool put_text_elements(hid_t place, const char *name, H5T_cset_t letters, size_t bytes, hid_t space,
                              const char *elements)
{
    const hid_t type = hdf5_text_type(bytes, letters);
    const bool written = type >= 0 && hdf5_put_dataset(place, name, type, type, space, elements);
    if (type >= 0)
        H5Tclose(type);
    return written;
}

bool hdf5_put_text_dataset(hid_t place, const char *name, H5T_cset_t letters, const char *text)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const bool written = put_text_elements(place, name, letters, strlen(text) + 1, space, text);
    if (space >= 0)
        H5Sclose(space);
    return written;
}

bool hdf5_put_texts(hid_t place, const char *name, hid_t space, const char *const *text, int count)
{
    size_t bytes = 0;
    char *packed = pack_texts(text, count, &bytes);
    const bool written = packed && put_text_elements(place, name, H5T_CSET_UTF8, bytes, space, packed);
    free(packed);
    return written;
}

/* ---- files in memory ----------------------------------------------------------------------------------- */

/* The path names the file in HDF5's messages only: nothing is stored on disk. */
static hid_t create_in_memory(const char *path)
{
    enum {
        GROWTH_BYTES = 1 << 16
    };
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (creation >= 0 && access >= 0 && H5Pset_obj_track_times(creation, false) >= 0 &&
        H5Pset_fapl_core(access, GROWTH_BYTES, false) >= 0)
        file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
    if (creation >= 0)
        H5Pclose(creation);
    if (access >= 0)
        H5Pclose(access);
    return file;
}

/* The bytes of the file; NULL when HDF5 or memory fails. */
static void *make_image(const hdf5_whole_file *whole, size_t *size)
{
    void *image = NULL;
    const hid_t file = create_in_memory(whole->path);
    const bool made = file >= 0 && whole->fill(file, whole->content) && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
    const ssize_t bytes = made ? H5Fget_file_image(file, NULL, 0) : -1;
    if (bytes > 0)
        image = carom_new_array((size_t)bytes, 1);
    if (image && H5Fget_file_image(file, image, (size_t)bytes) != bytes) {
        free(image);
        image = NULL;
    }
    *size = image ? (size_t)bytes : 0;
    if (file >= 0)
        H5Fclose(file);
    return image;
}

static carom_status write_image(const hdf5_whole_file *whole, const void *image, size_t size,
                                carom_error *error)
{
    carom_error inner = {0};
    const carom_status status = carom_output_write(whole->path, whole->keep, image, size, &inner);
    return status == CAROM_OK ? CAROM_OK
                              : carom_fail(error, status, "cannot write the %s %s: %s", whole->kind,
                                           whole->path, inner.text);
}

carom_status hdf5_write_whole(const hdf5_whole_file *whole, carom_error *error)
{
    char reason[512] = "";
    size_t size = 0;
    const hdf5_quiet quiet = hdf5_silence();
    void *image = make_image(whole, &size);
    if (!image)
        hdf5_reason(reason, sizeof reason);
    hdf5_restore(quiet);
    if (!image)
        return carom_fail(error, CAROM_IO_ERROR, "cannot make the %s %s: %s", whole->kind, whole->path,
                          reason);
    const carom_status status = write_image(whole, image, size, error);
    free(image);
    return status;
}
