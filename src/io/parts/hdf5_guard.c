#include "hdf5_guard.h"

#include <string.h>
#include <sys/types.h>
#include <zlib.h>

enum {
    HEADER_BYTES = 64,
    HEAP_BYTES = 32,
    FREE_BLOCK_BYTES = 16,
    NO_FREE_BLOCK = 1,
    MESSAGE_BYTES = 24,
    SUPERBLOCK_BYTES = 128,
    CHUNKS_MAX = 64, /* of one header */
    SHARED = 2,      /* flag of a message */
    CONTINUATION = 0x10,
    SYMBOL_TABLE = 0x11
};

/* As many bytes as there are; the rest is zero. */
static bool read_at(FILE *file, uint64_t place, unsigned char *bytes, size_t size)
{
    memset(bytes, 0, size);
    return place <= INT64_MAX && fseeko(file, (off_t)place, SEEK_SET) == 0 && fread(bytes, 1, size, file) > 0;
}

static uint64_t little_endian(const unsigned char *bytes, int width)
{
    uint64_t value = 0;
    for (int i = width - 1; i >= 0; i--)
        value = value << 8 | bytes[i];
    return value;
}

/* The free blocks between names: each begins with the place of the next one (1: none) and its size. HDF5 1.10 follows them, with an
 * allocation for each, also in a circle. */
static bool free_list_ends(FILE *file, uint64_t names, uint64_t size, uint64_t first)
{
    unsigned char block[FREE_BLOCK_BYTES];
    uint64_t left = size / FREE_BLOCK_BYTES;
    for (uint64_t next = first; next != NO_FREE_BLOCK; next = little_endian(block, 8))
        if (left-- == 0 || next > size - FREE_BLOCK_BYTES ||
            !read_at(file, names + next, block, sizeof block))
            return false;
    return true;
}

/* The names of a group: signature, size, free list, address of the names. */
static bool heap_fits(FILE *file, uint64_t base, uint64_t address, uint64_t end)
{
    unsigned char heap[HEAP_BYTES];
    if (address > end || !read_at(file, base + address, heap, sizeof heap) || memcmp(heap, "HEAP", 4) != 0)
        return false;
    const uint64_t size = little_endian(heap + 8, 8), names = little_endian(heap + 24, 8);
    return names <= end && size <= end - names &&
           free_list_ends(file, base + names, size, little_endian(heap + 16, 8));
}

/* ---- messages of a header ------------------------------------------------------------------------------ */

/* The chunks of one header: the first, and those that continuation messages lead to. */
typedef struct walk {
    FILE *file;
    uint64_t base, end;
    int version;
    int prefix; /* bytes of a message before its data */
    struct {
        uint64_t first, last;
    } chunk[CHUNKS_MAX];
    int chunks;
    uint64_t bytes; /* of all chunks: they do not overlap, so that they are no more than the file has */
} walk;

static bool add_chunk(walk *w, uint64_t first, uint64_t size)
{
    if (w->chunks == CHUNKS_MAX || first > w->end || size > w->end - first || size > w->end - w->bytes)
        return false;
    w->bytes += size;
    w->chunk[w->chunks].first = first;
    w->chunk[w->chunks++].last = first + size;
    return true;
}

/* Where a header goes on: address and size. In version 2 a signature stands before the messages there, a
 * checksum after them. */
static bool follow(walk *w, const unsigned char *data)
{
    const uint64_t address = little_endian(data, 8), size = little_endian(data + 8, 8);
    if (w->version == 1)
        return add_chunk(w, address, size);
    unsigned char signature[4];
    return address <= w->end && size >= 8 && read_at(w->file, w->base + address, signature, 4) &&
           memcmp(signature, "OCHK", 4) == 0 && add_chunk(w, address + 4, size - 8) &&
           size <= w->end - address;
}

/* Data that claim to be shared stand elsewhere, and HDF5 1.10 goes there without looking. */
static bool message_fits(walk *w, const unsigned char *message, uint64_t size)
{
    const unsigned char *data = message + w->prefix;
    const int type = w->version == 1 ? (int)little_endian(message, 2) : message[0];
    const int flags = message[w->version == 1 ? 4 : 3];
    if (flags & SHARED)
        return false;
    if (type == CONTINUATION)
        return size >= 16 && follow(w, data);
    return type != SYMBOL_TABLE ||
           (size >= 16 && heap_fits(w->file, w->base, little_endian(data + 8, 8), w->end));
}

/* Version 1: type (2 bytes), size (2), flags, 3 unused; the messages fill their chunk. Version 2: type (1),
 * size (2), flags, number (2) where the header says so; what is left may be too small for a message. */
static bool chunk_fits(walk *w, uint64_t first, uint64_t last)
{
    unsigned char message[MESSAGE_BYTES];
    const uint64_t prefix = (uint64_t)w->prefix;
    uint64_t place = first;
    while (place + prefix <= last) {
        if (!read_at(w->file, w->base + place, message, sizeof message))
            return false;
        const uint64_t size = little_endian(message + (w->version == 1 ? 2 : 1), 2);
        if (size > last - place - prefix || !message_fits(w, message, size))
            return false;
        place += prefix + size;
    }
    return w->version == 2 || place == last;
}

static bool messages_fit(walk *w, uint64_t first, uint64_t size)
{
    if (!add_chunk(w, first, size))
        return false;
    for (int i = 0; i < w->chunks; i++) /* grows on the way */
        if (!chunk_fits(w, w->chunk[i].first, w->chunk[i].last))
            return false;
    return true;
}

/* Version 1: 16 bytes with the size of the messages in the third word. Version 2: signature, flags, and after
 * the optional fields the size of the messages, which a checksum follows. */
bool hdf5_header_fits(FILE *file, uint64_t base, uint64_t address, uint64_t end)
{
    unsigned char head[HEADER_BYTES];
    if (address > end || base > INT64_MAX || end > INT64_MAX ||
        !read_at(file, base + address, head, sizeof head))
        return false;
    if (head[0] == 1) {
        walk w = {.file = file, .base = base, .end = end, .version = 1, .prefix = 8};
        const uint64_t size = little_endian(head + 8, 4);
        return 16 + size <= end - address && messages_fit(&w, address + 16, size);
    }
    if (memcmp(head, "OHDR", 4) != 0)
        return false;
    const int flags = head[5], width = 1 << (flags & 3);
    const int place = 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
    const uint64_t size = little_endian(head + place, width), before = (uint64_t)(place + width);
    walk w = {.file = file, .base = base, .end = end, .version = 2, .prefix = flags & 4 ? 6 : 4};
    return size <= end && before + size + 4 <= end - address && messages_fit(&w, address + before, size);
}

/* ---- root ---------------------------------------------------------------------------------------------- */

/* Versions 0 and 1 give base, free space, end and driver, then the entry of the root group: its name, its
 * header, and (kind 1) once more where its tree and its names are. Versions 2 and 3 give base, extension,
 * end, header of the root group. A driver, which files of one piece do not have, may claim any size, and HDF5
 * takes memory for it; an extension is a header. */
static bool root_fits(FILE *file, const unsigned char *superblock, uint64_t base)
{
    const int version = superblock[8];
    const bool is_old = version <= 1;
    const unsigned char *width = superblock + (is_old ? 13 : 9);
    const unsigned char *field = superblock + (is_old ? 24 + (version == 1 ? 4 : 0) : 12);
    if (version > 3 || width[0] != 8 || width[1] != 8)
        return false;
    const uint64_t end = little_endian(field + 16, 8), other = little_endian(field + (is_old ? 24 : 8), 8);
    if (other != UINT64_MAX && (is_old || !hdf5_header_fits(file, base, other, end)))
        return false;
    if (!hdf5_header_fits(file, base, little_endian(field + (is_old ? 40 : 24), 8), end))
        return false;
    return !is_old || little_endian(field + 48, 4) != 1 ||
           heap_fits(file, base, little_endian(field + 64, 8), end);
}

/* The superblock stands at the beginning, or behind a block of the user's of 512, 1024, ... bytes. */
bool hdf5_root_fits(FILE *file)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char superblock[SUPERBLOCK_BYTES];
    for (uint64_t base = 0; read_at(file, base, superblock, sizeof superblock);
         base = base == 0 ? 512 : 2 * base)
        if (memcmp(superblock, signature, sizeof signature) == 0)
            return root_fits(file, superblock, base);
    return false;
}

/* ---- links and numbers --------------------------------------------------------------------------------- */

const char *hdf5_link_fault(FILE *file, uint64_t base, uint64_t end, hid_t group, const char *name)
{
    H5L_info_t info;
    if (H5Lexists(group, name, H5P_DEFAULT) <= 0)
        return "is missing";
    if (H5Lget_info(group, name, &info, H5P_DEFAULT) < 0)
        return "cannot be read";
    if (info.type != H5L_TYPE_HARD)
        return "is a link to another place; the data must stand here";
    return hdf5_header_fits(file, base, info.u.address, end) ? NULL : "cannot be read: its header is damaged";
}

/* A grid of chunks: extents and chunks of a dataset, and the bytes of one chunk. */
typedef struct chunk_grid {
    int rank;
    hsize_t extent[H5S_MAX_RANK], chunk[H5S_MAX_RANK];
    uint64_t chunk_bytes, bytes; /* of all chunks; UINT64_MAX: more than can be counted */
} chunk_grid;

static uint64_t product(uint64_t a, uint64_t b)
{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static bool take_grid(hid_t dataset, hid_t creation, chunk_grid *grid)
{
    const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    grid->rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    bool good = grid->rank > 0 && type >= 0 &&
                H5Sget_simple_extent_dims(space, grid->extent, NULL) == grid->rank &&
                H5Pget_chunk(creation, grid->rank, grid->chunk) == grid->rank;
    grid->chunk_bytes = good ? H5Tget_size(type) : 0;
    for (int i = 0; good && i < grid->rank; i++) {
        good = grid->chunk[i] > 0;
        grid->chunk_bytes = product(grid->chunk_bytes, grid->chunk[i]);
    }
    grid->bytes = grid->chunk_bytes;
    for (int i = 0; good && i < grid->rank; i++)
        grid->bytes =
            product(grid->bytes, grid->extent[i] / grid->chunk[i] + (grid->extent[i] % grid->chunk[i] != 0));
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    return good && grid->chunk_bytes > 0;
}

/* The place of the next chunk; false after the last. */
static bool next_chunk(const chunk_grid *grid, hsize_t *place)
{
    for (int i = grid->rank - 1; i >= 0; i--) {
        place[i] += grid->chunk[i];
        if (place[i] < grid->extent[i])
            return true;
        place[i] = 0;
    }
    return false;
}

/* Deflate makes of one byte at most so many; of bytes that it cannot make less of a few more. */
static const uint64_t DEFLATE_MOST = 1032, DEFLATE_MORE = 1024;
static const unsigned DEFLATE_LEFT_OUT = 2; /* in the mask of a chunk of which it makes no less */

/* Shuffled, then deflated, and nothing else. */
static bool is_packed(hid_t creation)
{
    static const H5Z_filter_t filter[2] = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE};
    bool packed = H5Pget_layout(creation) == H5D_CHUNKED && H5Pget_nfilters(creation) == 2;
    for (unsigned i = 0; packed && i < 2; i++) {
        unsigned flags = 0, config = 0;
        size_t values = 0;
        packed = H5Pget_filter2(creation, i, &flags, &values, NULL, 0, NULL, &config) == filter[i];
    }
    return packed;
}

bool hdf5_is_packed(hid_t dataset)
{
    const hid_t creation = H5Dget_create_plist(dataset);
    const bool packed = creation >= 0 && is_packed(creation);
    if (creation >= 0)
        H5Pclose(creation);
    return packed;
}

static const char *packed_chunks_fault(hid_t dataset, hid_t creation, uint64_t end)
{
    static const char damaged[] = "is damaged: its compressed chunks are not what its shape asks for";
    chunk_grid grid = {0};
    hsize_t place[H5S_MAX_RANK] = {0};
    if (!take_grid(dataset, creation, &grid))
        return "cannot be read";
    for (int i = 1; i < grid.rank; i++)
        if (grid.chunk[i] != grid.extent[i])
            return damaged;
    if (grid.bytes == 0)
        return NULL;
    if (grid.bytes / DEFLATE_MOST > end)
        return "claims more than the file has";
    do {
        unsigned mask = 0;
        haddr_t address = HADDR_UNDEF;
        hsize_t size = 0;
        if (H5Dget_chunk_info_by_coord(dataset, place, &mask, &address, &size) < 0 ||
            address == HADDR_UNDEF || (mask & ~DEFLATE_LEFT_OUT) != 0 || address > end ||
            size > end - address || size > grid.chunk_bytes + DEFLATE_MORE ||
            grid.chunk_bytes / DEFLATE_MOST > size)
            return damaged;
    } while (next_chunk(&grid, place));
    return NULL;
}

/* Bytes of one kind stand together: first those of all elements that come first in them. */
static void unshuffle(const unsigned char *from, size_t count, size_t element, unsigned char *to)
{
    for (size_t kind = 0; kind < element; kind++)
        for (size_t i = 0; i < count; i++)
            to[i * element + kind] = from[kind * count + i];
}

bool hdf5_packed_chunk(hid_t dataset, const hsize_t *place, size_t count, size_t element, unsigned char *work,
                       void *to)
{
    const size_t bytes = count * element;
    unsigned mask = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t size = 0;
    uint32_t left_out = 0;
    if (H5Dget_chunk_info_by_coord(dataset, place, &mask, &address, &size) < 0 ||
        size > bytes + DEFLATE_MORE || H5Dread_chunk(dataset, H5P_DEFAULT, place, &left_out, work) < 0 ||
        (left_out & ~DEFLATE_LEFT_OUT) != 0)
        return false;
    const unsigned char *shuffled = work;
    if (left_out == 0) {
        uLongf unpacked = bytes;
        unsigned char *behind = work + bytes + DEFLATE_MORE;
        if (uncompress(behind, &unpacked, work, (uLong)size) != Z_OK || unpacked != bytes)
            return false;
        shuffled = behind;
    } else if (size != bytes)
        return false;
    unshuffle(shuffled, count, element, to);
    return true;
}

size_t hdf5_packed_work(size_t bytes)
{
    return bytes <= SIZE_MAX / 2 - DEFLATE_MORE ? 2 * bytes + DEFLATE_MORE : 0;
}

static const char *chunks_fault(hid_t dataset, hid_t creation, uint64_t end)
{
    static const char damaged[] = "is damaged: its chunks are not what its shape asks for";
    chunk_grid grid = {0};
    hsize_t place[H5S_MAX_RANK] = {0};
    if (H5Pget_nfilters(creation) != 0)
        return "is compressed or filtered, which cannot be read safely; h5repack -f NONE OLD NEW makes a "
               "plain file";
    if (!take_grid(dataset, creation, &grid))
        return "cannot be read";
    if (grid.bytes == 0)
        return NULL;
    if (grid.bytes > end)
        return "claims more than the file has";
    do {
        unsigned mask = 0;
        haddr_t address = HADDR_UNDEF;
        hsize_t size = 0;
        if (H5Dget_chunk_info_by_coord(dataset, place, &mask, &address, &size) < 0 ||
            address == HADDR_UNDEF || mask != 0 || size != grid.chunk_bytes || address > end ||
            size > end - address)
            return damaged;
    } while (next_chunk(&grid, place));
    return NULL;
}

static const char *storage_fault(hid_t dataset, uint64_t end, bool may_be_packed)
{
    const hid_t creation = H5Dget_create_plist(dataset);
    if (creation < 0)
        return "cannot be read";
    const H5D_layout_t layout = H5Pget_layout(creation);
    const char *fault = NULL;
    if (H5Pget_external_count(creation) != 0 || layout == H5D_VIRTUAL)
        fault = "its data are in another file; they must stand here";
    else if (layout == H5D_CHUNKED)
        fault = may_be_packed && is_packed(creation) ? packed_chunks_fault(dataset, creation, end)
                                                     : chunks_fault(dataset, creation, end);
    H5Pclose(creation);
    return fault;
}

const char *hdf5_storage_fault(hid_t dataset, uint64_t end)
{
    return storage_fault(dataset, end, false);
}

const char *hdf5_packed_fault(hid_t dataset, uint64_t end)
{
    return storage_fault(dataset, end, true);
}
