#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hdf5_helpers.h"

void run_file_parts(const carom_row_layout *layout, run_file_part part[RUN_FILE_PARTS])
{
    const hsize_t dof = (hsize_t)layout->dof, contacts = (hsize_t)layout->contacts;
    const hsize_t columns = (hsize_t)layout->columns, components = CAROM_CONTACT_COMPONENTS;
    const run_file_part parts[RUN_FILE_PARTS] = {
        {"t", 0, 1, 1, {1, 1}, false},
        {"q", layout->q, layout->dof, 2, {dof, 1}, false},
        {"v", layout->v, layout->dof, 2, {dof, 1}, false},
        {"energy", layout->energy, 1, 1, {1, 1}, false},
        {"gap", layout->gap, layout->contacts, 2, {contacts, 1}, false},
        {"impulse", layout->impulse, layout->contacts * (int)components, 3, {contacts, components}, false},
        {"branch", layout->branch, layout->contacts, 2, {contacts, 1}, true},
        {"record", layout->column, layout->columns, 2, {columns, 1}, false},
    };
    memcpy(part, parts, sizeof parts);
}

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

hid_t hdf5_text_type(size_t bytes)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0)
        return type;
    if (H5Tset_size(type, bytes) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0) {
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
    hid_t type = hdf5_text_type(strlen(shown) + 1);
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

static bool put_packed_names(hid_t place, const char *name, const char *packed, size_t bytes, int count)
{
    hsize_t extent = (hsize_t)count;
    hid_t type = hdf5_text_type(bytes);
    hid_t space = H5Screate_simple(1, &extent, NULL);
    bool written = type >= 0 && space >= 0 && put_attribute(place, name, type, type, space, packed);
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    return written;
}

bool hdf5_put_names(hid_t place, const char *name, char *const *names, int count)
{
    size_t bytes = 1;
    for (int i = 0; i < count; i++)
        if (names[i] && strlen(names[i]) + 1 > bytes)
            bytes = strlen(names[i]) + 1;
    char *packed = carom_new_array((size_t)count, bytes);
    if (!packed)
        return false;
    for (int i = 0; i < count; i++)
        if (names[i])
            memcpy(packed + (size_t)i * bytes, names[i], strlen(names[i]));
    bool written = put_packed_names(place, name, packed, bytes, count);
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
