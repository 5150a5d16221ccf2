#include "sharing.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"

typedef struct mpi_sharing {
    carom_sharing sharing;
    int *count, *start; /* per rank */
    int *sent, *from;   /* likewise */
    double *received;
    size_t room;
    bool has_ended; /* the first rank said so */
} mpi_sharing;

static mpi_sharing self;

enum {
    GOES_ON = 1,
    ENDS = 2
};

/* Of the first rank to the others. */
static int tell(int word)
{
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return word;
}

static carom_status exchange(void *context, double *number, const size_t *start, carom_error *error)
{
    (void)context;
    if (tell(GOES_ON) != GOES_ON) {
        self.has_ended = true;
        return carom_fail(error, CAROM_FAILED, "the first rank has ended");
    }
    for (int k = 0; k < self.sharing.ranks; k++) {
        if (start[k + 1] > INT_MAX)
            return carom_fail(error, CAROM_FAILED, "too many numbers for one letter of MPI");
        self.start[k] = (int)start[k];
        self.count[k] = (int)(start[k + 1] - start[k]);
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, number, self.count, self.start, MPI_DOUBLE,
                   MPI_COMM_WORLD);
    return CAROM_OK;
}

/* How much each process gets of each, -1: more than a letter of MPI takes, or no room for it. False: somebody says so. */
static bool tell_lengths(const size_t *first, const size_t *length)
{
    const int ranks = self.sharing.ranks;
    int all_can = 1;
    for (int k = 0; k < ranks; k++) {
        all_can = all_can && first[k] + length[k] <= INT_MAX;
        self.sent[k] = (int)length[k];
        self.from[k] = (int)first[k];
    }
    MPI_Alltoall(self.sent, 1, MPI_INT, self.count, 1, MPI_INT, MPI_COMM_WORLD);
    size_t sum = 0;
    for (int k = 0; k < ranks; k++) {
        self.start[k] = (int)sum;
        sum += (size_t)self.count[k];
        all_can = all_can && sum <= INT_MAX;
    }
    if (all_can && sum > self.room) {
        double *larger = realloc(self.received, (sum + sum / 2) * sizeof *larger);
        all_can = larger != NULL;
        if (larger) {
            self.received = larger;
            self.room = sum + sum / 2;
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, &all_can, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all_can;
}

static carom_status deliver(void *context, const double *number, const size_t *first, const size_t *length,
                            const double **received, size_t *start, carom_error *error)
{
    (void)context;
    if (tell(GOES_ON) != GOES_ON) {
        self.has_ended = true;
        return carom_fail(error, CAROM_FAILED, "the first rank has ended");
    }
    if (!tell_lengths(first, length))
        return carom_fail(error, CAROM_NO_MEMORY, "a letter of MPI would be too long, or memory is short");
    MPI_Alltoallv(number, self.sent, self.from, MPI_DOUBLE, self.received, self.count, self.start, MPI_DOUBLE,
                  MPI_COMM_WORLD);
    start[0] = 0;
    for (int k = 0; k < self.sharing.ranks; k++)
        start[k + 1] = start[k] + (size_t)self.count[k];
    *received = self.received;
    return CAROM_OK;
}

static void swap(void *context, const double *number, double *received, const size_t *first,
                 const size_t *length)
{
    (void)context;
    for (int k = 0; k < self.sharing.ranks; k++) {
        self.sent[k] = (int)length[k];
        self.from[k] = (int)first[k];
    }
    MPI_Alltoallv(number, self.sent, self.from, MPI_DOUBLE, received, self.sent, self.from, MPI_DOUBLE,
                  MPI_COMM_WORLD);
}

/* MPI_Allreduce does not promise the same bits everywhere. */
static void sum(void *context, int count, double *number, bool largest)
{
    (void)context;
    MPI_Op what = largest ? MPI_MAX : MPI_SUM;
    if (self.sharing.rank == 0)
        MPI_Reduce(MPI_IN_PLACE, number, count, MPI_DOUBLE, what, 0, MPI_COMM_WORLD);
    else
        MPI_Reduce(number, NULL, count, MPI_DOUBLE, what, 0, MPI_COMM_WORLD);
    MPI_Bcast(number, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

void sharing_begin(bool cuts_space, int most_gathered)
{
    self.sharing.exchange = exchange;
    self.sharing.deliver = deliver;
    self.sharing.swap = swap;
    self.sharing.sum = sum;
    self.sharing.cuts_space = cuts_space;
    self.sharing.most_gathered = most_gathered;
    MPI_Comm_rank(MPI_COMM_WORLD, &self.sharing.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &self.sharing.ranks);
    self.count = carom_new_array((size_t)self.sharing.ranks, sizeof(int));
    self.start = carom_new_array((size_t)self.sharing.ranks, sizeof(int));
    self.sent = carom_new_array((size_t)self.sharing.ranks, sizeof(int));
    self.from = carom_new_array((size_t)self.sharing.ranks, sizeof(int));
    if (!self.count || !self.start || !self.sent || !self.from) {
        fprintf(stderr, "carom-mpi: memory is short\n");
        MPI_Abort(MPI_COMM_WORLD, EXIT_COMPUTATION_FAILED);
    }
}

void sharing_end(void)
{
    if (!self.has_ended && tell(ENDS) != ENDS) {
        fprintf(stderr, "carom-mpi: rank %d ended before the first one\n", self.sharing.rank);
        MPI_Abort(MPI_COMM_WORLD, EXIT_COMPUTATION_FAILED);
    }
    free(self.count);
    free(self.start);
    free(self.sent);
    free(self.from);
    free(self.received);
    self = (mpi_sharing){0};
}

const carom_sharing *sharing_now(void)
{
    return self.sharing.exchange ? &self.sharing : NULL;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

/* The option of `run` that a word is; NULL: none. */
static const argument_option *option_of(const char *word)
{
    for (int i = 0; i < command_run.option_count; i++) {
        const char *name = command_run.options[i].name;
        const size_t length = strlen(name);
        if (strncmp(word, name, length) == 0 && (word[length] == '\0' || word[length] == '='))
            return &command_run.options[i];
    }
    return NULL;
}

static bool is_one_of(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(name, *list) == 0)
            return true;
    return false;
}

/* Is a word this option, with its value or without? */
static bool is_option(const char *word, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(word, name, length) == 0 && (word[length] == '\0' || word[length] == '=');
}

bool sharing_takes_cut(int *argc, char **argv, bool *cuts_space, int *most_gathered, carom_error *error)
{
    int kept = 0;
    *cuts_space = false;
    *most_gathered = 0;
    for (int i = 0; i < *argc; i++) {
        const bool is_cut = i > 1 && is_option(argv[i], "--cut"),
                   is_gather = i > 1 && is_option(argv[i], "--gather");
        if (!is_cut && !is_gather) {
            argv[kept++] = argv[i];
            continue;
        }
        const char *equals = strchr(argv[i], '=');
        const char *value = equals ? equals + 1 : i + 1 < *argc ? argv[++i] : "";
        char *end = NULL;
        if (is_cut && strcmp(value, "space") != 0 && strcmp(value, "islands") != 0) {
            carom_fail(error, CAROM_BAD_INPUT, "--cut '%s': it is islands (the default) or space", value);
            return false;
        }
        if (is_cut) {
            *cuts_space = strcmp(value, "space") == 0;
            continue;
        }
        const long number = strtol(value, &end, 10);
        if (end == value || *end != '\0' || number < 1 || number > INT_MAX) {
            carom_fail(error, CAROM_BAD_INPUT, "--gather '%s': a number of touches from 1 on", value);
            return false;
        }
        *most_gathered = (int)number;
    }
    argv[kept] = NULL;
    *argc = kept;
    for (int i = 2; *cuts_space && i < kept; i++)
        if (is_option(argv[i], "--checkpoint")) {
            carom_fail(
                error, CAROM_BAD_INPUT,
                "--checkpoint is not for --cut space, where no rank has all that a step remembers: a run "
                "that is killed begins anew; without --cut space it goes on");
            return false;
        }
    return true;
}

bool sharing_suits(int argc, char **argv)
{
    static const char *const alone[] = {"--certify", "--sensitivity", "--checkpoint", "--help", NULL};
    if (argc < 3 || strcmp(argv[1], "run") != 0)
        return false;
    for (int i = 2; i < argc; i++) {
        const argument_option *option = option_of(argv[i]);
        if (option && is_one_of(option->name, alone))
            return false;
    }
    return true;
}

int sharing_arguments(int argc, char **argv, char **to)
{
    static const char *const computes[] = {"--set",     "--scheme",    "--h",         "--until",
                                           "--option",  "--solver",    "--tolerance", "--max-iterations",
                                           "--variant", "--no-family", "--at",        NULL};
    static char quiet[] = "--quiet";
    int count = 0;
    for (int i = 0; i < argc; i++) {
        const argument_option *option = i > 1 ? option_of(argv[i]) : NULL;
        const bool stays = !option || is_one_of(option->name, computes),
                   has_value = option && option->takes_value && !strchr(argv[i], '=') && i + 1 < argc;
        if (stays)
            to[count++] = argv[i];
        if (has_value && stays)
            to[count++] = argv[i + 1];
        i += has_value;
    }
    to[count++] = quiet;
    to[count] = NULL;
    return count;
}
