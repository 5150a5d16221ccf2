/* Whether a global problem is better left as it is: how many blocks W = H^T M^-1 H would have. */
#include <stdlib.h>

#include "contact/coulomb/parts/global_pairs.h"
#include "contact/coulomb/parts/velocity_system.h"

/* Of W: where it has fewer, seven contacts on a body, the solvers of W are as fast; and of a body that is not rigid. */
static const double many_blocks = 50;
static const int many_velocities = 100;

static int root_of(int *above, int i)
{
    while (above[i] != i) {
        above[i] = above[above[i]]; /* the next ones have a shorter way */
        i = above[i];
    }
    return i;
}

/* Velocities that M couples belong to one body. */
static void join(const carom_sparse *M, int *above)
{
    for (int i = 0; i < M->columns; i++)
        above[i] = i;
    for (int j = 0; j < M->columns; j++)
        for (int k = M->column_start[j]; k < M->column_start[j + 1]; k++)
            above[root_of(above, M->row[k])] = root_of(above, j);
}

/* Contacts of a body, every two of which share a block of W; those of a contact with two elastic bodies count twice. */
static double count_blocks(const carom_coulomb_global *global, int *above, int *size, int *contacts,
                           int *last)
{
    const carom_sparse *H = &global->H;
    const int n = global->M.columns, d = global->dimension;
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        size[root_of(above, i)]++;
        last[i] = -1;
    }
    for (int a = 0; a < global->contacts; a++)
        for (int k = H->column_start[d * a]; k < H->column_start[d * (a + 1)]; k++) {
            const int body = root_of(above, H->row[k]);
            contacts[body] += last[body] != a;
            last[body] = a;
        }
    for (int i = 0; i < n; i++)
        if (size[i] >= many_velocities)
            sum += (double)contacts[i] * contacts[i];
    return sum;
}

bool carom_coulomb_prefers_global(const carom_coulomb_global *global)
{
    if (global->mu_r)
        return false;
    if (global_pairs_suit(global)) /* rigid bodies: the solver of pairs is faster from the first contact on */
        return true;
    if (!coulomb_velocity_system_suits(global))
        return false;
    const size_t n = (size_t)global->M.columns;
    int *memory = carom_new_array(4 * n, sizeof *memory);
    if (!memory)
        return false;
    join(&global->M, memory);
    const double blocks = count_blocks(global, memory, memory + n, memory + 2 * n, memory + 3 * n);
    free(memory);
    return blocks >= many_blocks;
}
