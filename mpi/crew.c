#include "crew.h"

#include "app/resumed.h"
#include "sharing.h"
#include "workers.h"

static carom_workers *crew;
static carom_snapshot call; /* of the first rank: what the others are told */

carom_status crew_begin(carom_error *error)
{
    return carom_mpi_workers_create(MPI_COMM_WORLD, &crew, error);
}

void crew_end(void)
{
    carom_mpi_workers_free(crew);
    carom_snapshot_free(&call);
    crew = NULL;
}

const carom_sharing *crew_sharing(void)
{
    return sharing_now();
}

int crew_size(void)
{
    return crew ? crew->processes : 1;
}

carom_status crew_for(int argc, char **argv, const carom_experiment *experiment,
                      const carom_workers **workers, carom_error *error)
{
    mpi_workers *self = crew->context;
    carom_snapshot_free(&call);
    const carom_status status = resumed_head_pack("", argc, argv, experiment, NULL, &call, error);
    self->call = &call;
    self->called = false;
    *workers = crew;
    return status;
}

static carom_status follow(const void *bytes, size_t count, carom_error *error)
{
    resumed_command from;
    carom_status status = resumed_from_bytes(bytes, count, &from, error);
    const command *what = status == CAROM_OK ? command_find(from.argv[0], NULL) : NULL;
    if (status == CAROM_OK && (!what || !what->follow))
        status =
            carom_fail(error, CAROM_BAD_INPUT, "'%s' is nothing that ranks compute together", from.argv[0]);
    if (status == CAROM_OK)
        status = what->follow(from.argc, from.argv, &from, crew, error);
    resumed_free(&from);
    return status;
}

void crew_follow(void)
{
    mpi_workers *self = crew->context;
    letter received = {0};
    const void *bytes;
    size_t count;
    while (mpi_wait_for_call(self, &received, &bytes, &count)) {
        carom_error error = {0};
        if (follow(bytes, count, &error) != CAROM_OK)
            mpi_tell_error(self, &error);
    }
    letter_free(&received);
}
