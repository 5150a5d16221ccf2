/* A fuzz program without libFuzzer: seeds, changed at random, for some seconds, in any build. libFuzzer, which follows
 * what the reader does, finds more (see `run`); this one costs a check no build of its own.
 *
 *   fuzz_NAME SECONDS SEEDS_DIRECTORY...
 *
 * The order of the inputs is the same every time. The input that stops the program is left in fuzz-input. */
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "carom/base.h"
#include "fuzz.h"

#pragma weak LLVMFuzzerInitialize

enum {
    SEEDS_MAX = 256,
    BYTES_MAX = 1 << 17, /* run files of a few steps have 100 kB */
    CHANGES_MAX = 8
};

typedef struct seed {
    uint8_t *bytes;
    size_t size;
} seed;

static seed seeds[SEEDS_MAX];
static int seed_count;
static uint8_t input[BYTES_MAX];
static size_t input_size;
static uint64_t state = 0x9e3779b97f4a7c15u;

/* xorshift */
static size_t random_below(size_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return limit ? (size_t)(state % limit) : 0;
}

static void add_seed(const char *path)
{
    struct stat about;
    if (seed_count == SEEDS_MAX || stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return;
    FILE *stream = fopen(path, "rb");
    seed *new = &seeds[seed_count];
    new->size = (size_t)about.st_size < BYTES_MAX ? (size_t)about.st_size : BYTES_MAX;
    new->bytes = malloc(new->size + 1);
    fuzz_expect(stream && new->bytes &&fread(new->bytes, 1, new->size, stream) == new->size);
    fclose(stream);
    seed_count++;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In the order of names, so that every run is the same. */
static void add_seeds(const char *directory)
{
    DIR *place = opendir(directory);
    char *name[SEEDS_MAX];
    size_t count = 0;
    for (struct dirent *entry; place && (entry = readdir(place)) && count < SEEDS_MAX;)
        if (entry->d_name[0] != '.')
            name[count++] = strdup(entry->d_name);
    if (place)
        closedir(place);
    qsort(name, count, sizeof *name, by_name);
    for (size_t i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", directory, name[i]);
        add_seed(path);
        free(name[i]);
    }
}

/* Makes room for, or takes away, bytes at a place. */
static void move_tail(size_t place, size_t from, size_t to)
{
    size_t tail = input_size - place - from;
    if (place + to + tail > BYTES_MAX)
        tail = BYTES_MAX - place - to;
    memmove(input + place + to, input + place + from, tail);
    input_size = place + to + tail;
}

static void change(void)
{
    static const char *const token[] = {"nan", "inf", "1e308", "-1",  "0",           "{",    "}",
                                        "(",   ")",   "'",     "\"",  "\n",          "=",    ",",
                                        "x",   "^",   "..",    "end", "function() ", "65536"};
    const size_t place = random_below(input_size);
    switch (random_below(8)) {
    case 0:
        if (input_size > 0)
            input[place] ^= (uint8_t)(1u << random_below(8));
        break;
    case 1:
        if (input_size > 0)
            input[place] = (uint8_t)random_below(256);
        break;
    case 2: /* the end is missing */
        input_size = place;
        break;
    case 3: { /* a piece is missing */
        const size_t length = random_below(1 + (input_size - place) / 4);
        move_tail(place, length, 0);
        break;
    }
    case 4: { /* a piece of another seed is there */
        const seed *other = &seeds[random_below((size_t)seed_count)];
        const size_t from = random_below(other->size), length = random_below(1 + (other->size - from) / 2);
        if (place + length <= BYTES_MAX) {
            move_tail(place, 0, length);
            memcpy(input + place, other->bytes + from, length);
        }
        break;
    }
    case 5: { /* a number or word */
        const char *text = token[random_below(sizeof token / sizeof *token)];
        const size_t length = strlen(text);
        if (place + length <= BYTES_MAX) {
            move_tail(place, 0, length);
            memcpy(input + place, text, length);
        }
        break;
    }
    case 6: /* a large number, as bytes */
        for (size_t i = 0; i < 8 && place + i < input_size; i++)
            input[place + i] = 0xff;
        break;
    default:
        for (size_t i = 0; i < 4 && place + i < input_size; i++)
            input[place + i] = 0;
    }
}

/* What the sanitizers call before they end the program; weak: there may be none. */
void __sanitizer_set_death_callback(void (*callback)(void));
#pragma weak __sanitizer_set_death_callback

static void keep_input(void)
{
    FILE *stream = fopen("fuzz-input", "wb");
    if (!stream)
        return;
    fwrite(input, 1, input_size, stream);
    fclose(stream);
    fprintf(stderr, "the input is in fuzz-input (%zu bytes)\n", input_size);
}

int main(int count, char **arguments)
{
    if (count < 3)
        return 2;
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&count, &arguments);
    for (int i = 2; i < count; i++)
        add_seeds(arguments[i]);
    fuzz_expect(seed_count > 0);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(keep_input);
    const double end = carom_seconds() + atof(arguments[1]);
    long inputs = 0;
    for (; inputs < seed_count || carom_seconds() < end; inputs++) {
        const bool as_it_is = inputs < seed_count; /* every seed once: what was found before stays mended */
        const seed *from = &seeds[as_it_is ? (size_t)inputs : random_below((size_t)seed_count)];
        memcpy(input, from->bytes, from->size);
        input_size = from->size;
        for (size_t i = as_it_is ? 0 : 1 + random_below(CHANGES_MAX); i > 0; i--)
            change();
        LLVMFuzzerTestOneInput(input, input_size);
    }
    for (int i = 0; i < seed_count; i++)
        free(seeds[i].bytes);
    printf("%ld inputs\n", inputs);
    return inputs > 0 ? 0 : 1;
}
