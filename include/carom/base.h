/* base: status and error text, arenas, text buffers, progress, time, random numbers, sets and divisors of whole numbers. */
#ifndef CAROM_BASE_H
#define CAROM_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define CAROM_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CAROM_PRINTF(text, first)
#endif

/* pi, here alone: C17 has no name for it. 2.0 * CAROM_PI is 2 pi to the last bit. */
#define CAROM_PI 3.14159265358979323846

/* ---- status and error --------------------------------------------------------------------- */

typedef enum carom_status {
    CAROM_OK = 0,
    CAROM_BAD_INPUT,   /* the caller's data are wrong: program exit status 2 */
    CAROM_FAILED,      /* the computation failed: program exit status 1 */
    CAROM_INTERRUPTED, /* the caller asked to stop; what was computed is kept */
    CAROM_NO_MEMORY,
    CAROM_IO_ERROR, /* a file could not be read or written */
} carom_status;

/* What went wrong, for a person: what, where, which value, what would be right. */
typedef struct carom_error {
    carom_status status;
    char text[2048];
} carom_error;

/* A word for a status: "ok", "bad-input", "failed", ... */
const char *carom_status_word(carom_status status);

/* Fills *error (which may be NULL) and returns `status`, so that callers can `return carom_fail(...)`. */
carom_status carom_fail(carom_error *error, carom_status status, const char *format, ...) CAROM_PRINTF(3, 4);
#ifdef __clang_analyzer__ /* sees one file at a time: without this it believes that a failure may return CAROM_OK */
#define carom_fail(error, status, ...) (carom_fail(error, status, __VA_ARGS__), (status))
#endif

/* Never CAROM_OK, which checkers of the code can see here. */
static inline carom_status carom_fail_memory(carom_error *error)
{
    carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    return CAROM_NO_MEMORY;
}

/* ---- numbers that may be left out ---------------------------------------------------------------
 *
 * In every struct of options, settings or requests 0 says that nothing is given: the default, which stands beside
 * the member, is taken. Where 0 itself makes sense as a value it is asked for by CAROM_ZERO. */

/* Zero itself, as a given number: the smallest positive one. */
#define CAROM_ZERO 0x1p-1074

/* The number that a member stands for, `otherwise` when it is not given. */
static inline double carom_given(double member, double otherwise)
{
    return member == 0.0 ? otherwise : member == CAROM_ZERO ? 0.0 : member;
}

/* A member that says exactly this number, also when it is 0. */
static inline double carom_exactly(double number)
{
    return number == 0.0 ? CAROM_ZERO : number;
}

/* ---- whole numbers ------------------------------------------------------------------------- */

/* Union and find: sets[i] is another member of the set of i, at the root i itself. Shortens the way for those who ask later,
 * so that it is not for several threads at once. */
static inline int carom_sets_root(int *sets, int i)
{
    while (sets[i] != i)
        i = sets[i] = sets[sets[i]];
    return i;
}

/* The smaller number is the root: sets come in the order of their first members. */
static inline void carom_sets_join(int *sets, int a, int b)
{
    a = carom_sets_root(sets, a);
    b = carom_sets_root(sets, b);
    if (a < b)
        sets[b] = a;
    else
        sets[a] = b;
}

/* Of numbers that are not negative; of 0 and a it is a. */
static inline int carom_greatest_common_divisor(int a, int b)
{
    while (b != 0) {
        const int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* ---- memory ------------------------------------------------------------------------------- */

/* calloc that checks for overflow of count * size; returns NULL when memory is short, and for more than INT_MAX
 * elements (of more than a byte): places in arrays are ints, those of matrices products of ints. A count of zero gives
 * a valid pointer of one element, so that NULL always means failure. */
void *carom_new_array(size_t count, size_t size);
/* a * b for the count of an array; SIZE_MAX, which no array has, when it overflows. */
size_t carom_product(size_t a, size_t b);

/* Arena: memory that is taken piece by piece and given back at once. Pieces are zeroed and aligned
 * for any type. Returns NULL when memory is short, and as carom_new_array does. */
typedef struct carom_arena carom_arena;
carom_arena *carom_arena_create(void);
void carom_arena_free(carom_arena *arena);
void *carom_arena_take(carom_arena *arena, size_t count, size_t size);
char *carom_arena_copy_text(carom_arena *arena, const char *text);

/* ---- text --------------------------------------------------------------------------------- */

/* A growing text. `failed` is set when memory ran out; further appends are ignored then. */
typedef struct carom_text {
    char *bytes; /* NUL-terminated once something was appended; NULL before */
    size_t length, capacity;
    bool failed;
} carom_text;

void carom_text_append(carom_text *text, const char *format, ...) CAROM_PRINTF(2, 3);
void carom_text_append_bytes(carom_text *text, const char *bytes, size_t count);
void carom_text_free(carom_text *text);

/* Between these two calls numbers have a decimal point in this thread, whatever locale the program has set; all functions
 * of the library that read or write numbers do so. */
typedef struct carom_number_format {
    void *plain, *before;
} carom_number_format;
carom_number_format carom_numbers_begin(void);
void carom_numbers_end(carom_number_format format);
/* The bytes of %.17g, with a decimal point, in a small part of its time, and without a NUL behind them; how many they are. */
enum {
    CAROM_NUMBER_SIZE = 32 /* room for any number: 25 bytes, and what is copied at once */
};
size_t carom_put_number(char to[CAROM_NUMBER_SIZE], double value);
/* The same for several, with a comma behind each; there must be room for CAROM_NUMBER_SIZE bytes of each. `end`, if not NULL,
 * says behind how many bytes each number ends. */
size_t carom_put_numbers(char *to, int count, const double *value, uint16_t *end);
/* snprintf with a decimal point. */
void carom_format(char *text, size_t size, const char *format, ...) CAROM_PRINTF(3, 4);

/* Text that others wrote (a model file, a run file, a name of a file) may hold what a terminal obeys instead of showing
 * it. Such bytes - controls but for ends of lines and tabs, marks that turn the direction of writing, what is no UTF-8 -
 * are shown as \xNN; valid UTF-8 stays. carom_fail writes all its texts so. */
void carom_text_append_plain(carom_text *text, const char *foreign);
/* The same into `size` bytes, cut after a whole character. */
void carom_plain_copy(const char *text, char *to, size_t size);
char *carom_arena_copy_plain(carom_arena *arena, const char *text); /* NULL: memory is short */
/* True when nothing of the text has to be shown otherwise. */
bool carom_is_plain(const char *text);
/* Bytes of the well-formed UTF-8 sequence that starts the text, 0 when there is none (Unicode, table 3-7). */
size_t carom_utf8_length(const char *text);

/* The name of `names` that is nearest to `wanted` (edit distance), or NULL when none is near. */
const char *carom_nearest_name(const char *wanted, const char *const *names, size_t count);

/* Reads all of `text` as one finite or infinite number, a form of C's strtod; false when it is not. */
bool carom_parse_number(const char *text, double *value);

/* ---- registries ---------------------------------------------------------------------------- */

/* What is chosen by name: schemes, solvers, laws, statements, studies, measures, commands. An entry is a
 * constant struct whose first member is its name (const char *). A room lists its entries once, one line
 * each,
 *
 *   #define LAWS(ENTRY) ENTRY(law_moreau) ENTRY(law_newton)
 *
 * and CAROM_REGISTRY makes of it the declarations and the registry. Lists, help texts, choices of options
 * and the "did you mean" of errors come from there. */
typedef struct carom_registry {
    const char *what;         /* how messages call an entry: "scheme" */
    const void *const *table; /* ends with NULL */
    bool any_case;            /* letters of names may be of any case */
    struct carom_registered *added;
} carom_registry;

#define CAROM_REGISTRY_DECLARE(entry) extern CAROM_REGISTRY_TYPE entry;
#define CAROM_REGISTRY_ADDRESS(entry) &(entry),
/* Defines `static carom_registry variable` of the entries in LIST, constants of type CAROM_REGISTRY_TYPE,
 * which is a macro that the file defines before; CAROM_SHARED_REGISTRY one that other files may declare as
 * extern, because their tables of options name it. */
#define CAROM_REGISTRY(variable, what_it_is, LIST)                                                           \
    LIST(CAROM_REGISTRY_DECLARE)                                                                             \
    static const void *const variable##_table[] = {LIST(CAROM_REGISTRY_ADDRESS) NULL};                       \
    static carom_registry variable = {.what = (what_it_is), .table = variable##_table}
#define CAROM_SHARED_REGISTRY(variable, what_it_is, LIST)                                                    \
    LIST(CAROM_REGISTRY_DECLARE)                                                                             \
    static const void *const variable##_table[] = {LIST(CAROM_REGISTRY_ADDRESS) NULL};                       \
    carom_registry variable = {.what = (what_it_is), .table = variable##_table}

size_t carom_registry_count(const carom_registry *registry);
/* Those of the table in their order, then the added ones in theirs; NULL past the end. */
const void *carom_registry_at(const carom_registry *registry, size_t index);
const char *carom_registry_name_at(const carom_registry *registry, size_t index);
/* -1 when there is no such name. */
int carom_registry_index(const carom_registry *registry, const char *name);
/* NULL, and an error (which may be NULL) that lists the names and says which was probably meant. */
const void *carom_registry_find(const carom_registry *registry, const char *name, carom_error *error);
/* Adds an entry for the rest of the process; it must outlive it. Threads may add and look at the same time.
 * BAD_INPUT: no name, or one that is taken. */
carom_status carom_registry_add(carom_registry *registry, const void *entry, carom_error *error);
/* "a, b, c": all names, each behind the separator but the first. */
void carom_registry_append_names(const carom_registry *registry, const char *separator, carom_text *text);

/* ---- options ------------------------------------------------------------------------------- */

/* The unit of a number: length^a time^b mass^c. All zero: it has none. */
typedef struct carom_dimension {
    signed char length, time, mass;
} carom_dimension;

/* An option of a scheme or solver: a number, or one of some words (then the number is the word's index). */
typedef struct carom_option_info {
    const char *name;
    double value, min, max;     /* value: the default; of words the range is that of their indices */
    const char *const *choices; /* words, ending with NULL; NULL: none */
    const char *doc;
    const carom_registry *registry; /* its names are words, too, behind those of choices; NULL: none */
    const carom_registry *also; /* ... and those of a second one. A word that is there already counts once. */
    carom_dimension dimension;  /* of the number */
} carom_option_info;

/* Number of words of an option, 0 for a number; and the word of an index, NULL past the end. */
int carom_option_word_count(const carom_option_info *option);
const char *carom_option_word(const carom_option_info *option, int index);

/* Index of an option in a table, -1 when there is none of that name. */
int carom_option_find(int count, const carom_option_info *table, const char *name);
/* An option as a C program gives it: by name, with a number or a word. A list of them ends with an entry
 * without a name: (carom_option[]){{"theta", 1.0}, {"solver", .word = "lemke"}, {0}}. */
typedef struct carom_option {
    const char *name;
    double value;
    const char *word; /* NULL: the value counts */
} carom_option;

/* Fills value (one place per entry of the table): defaults, then what the list (NULL: nothing) gives.
 * BAD_INPUT: a name that is not in the table, a number out of range, a word that is not known. */
carom_status carom_options_resolve(const char *owner, int count, const carom_option_info *table,
                                   const carom_option *list, double *value, carom_error *error);
/* Reads a value from text (number or choice word) and checks its range; `owner` begins the message:
 * "scheme 'inel'". */
carom_status carom_option_parse(const char *owner, const carom_option_info *option, const char *text,
                                double *value, carom_error *error);

/* "what 'wanted' is not known; did you mean ...? Known: ..." */
carom_status carom_fail_unknown(const char *what, const char *wanted, const char *const *names, size_t count,
                                carom_error *error);

/* ---- progress, time, random numbers ------------------------------------------------------- */

/* Called now and then by long work with the number of steps done and to do; false asks it to stop. */
typedef struct carom_progress {
    bool (*report)(void *context, double done, double total);
    void *context;
} carom_progress;

/* Seconds on a monotonic clock. */
double carom_seconds(void);

/* A small reproducible generator (splitmix64): same seed, same numbers, on every machine. */
typedef struct carom_random {
    uint64_t state;
} carom_random;
double carom_random_uniform(carom_random *random, double low, double high);

/* ---- snapshots ------------------------------------------------------------------------------- */

/* What a computation must remember to go on later, in another process of the same program on the same kind of machine: blocks
 * of bytes, visited in one order to keep them and in the same order to give them back. One function per object does both:
 *
 *   void keep_motion(motion *self, carom_snapshot *snapshot)
 *   {
 *       carom_snapshot_block(snapshot, &self->t, sizeof self->t);
 *       carom_snapshot_block(snapshot, self->q, (size_t)self->dof * sizeof *self->q);
 *   }
 *
 * Blocks hold no pointers. `failed` is set when memory runs out or the bytes do not fit what they are given back to;
 * everything that follows is ignored then, and what was restored until then is of no use. */
typedef struct carom_snapshot {
    unsigned char *bytes; /* owned while keeping; the caller's while restoring */
    size_t length, capacity;
    size_t place; /* while restoring: what was read */
    bool restores, failed;
} carom_snapshot;

void carom_snapshot_block(carom_snapshot *snapshot, void *block, size_t bytes);
/* A block that must be what it was: for sizes, names, parameters. */
void carom_snapshot_same(carom_snapshot *snapshot, const void *block, size_t bytes);
/* A growing list of numbers, which free() can give back; grows when it is restored. */
void carom_snapshot_numbers(carom_snapshot *snapshot, double **value, size_t *length, size_t *capacity);
/* Bytes whose number need not be known: `count` of them are kept; restored, they are where the snapshot has them, NULL when there are
 * none. */
const void *carom_snapshot_bytes(carom_snapshot *snapshot, const void *bytes, size_t *count);
/* To restore from bytes that stay the caller's. */
carom_snapshot carom_snapshot_of(const void *bytes, size_t length);
/* Frees the bytes of one that was kept. */
void carom_snapshot_free(carom_snapshot *snapshot);

#endif
