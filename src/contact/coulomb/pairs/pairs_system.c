#include "pairs_system.h"

bool pairs_system_take(const pairs_rows *rows, carom_block_lu *lu)
{
    return carom_block_lu_pattern(lu, rows->bodies, rows->contacts, (const int(*)[2])rows->body);
}

void pairs_system_clear(const pairs_rows *rows, carom_block_lu *lu)
{
    const int s = rows->s;
    carom_block_lu_clear(lu);
    for (int b = 0; b < rows->bodies; b++)
        for (int k = 0; k < s; k++)
            carom_block_lu_diagonal(lu, b)[(s + 1) * k] = 1.0;
}

/* to += A^T D J of one side each: s x s */
PAIRS_INLINE void add_block(int d, int s, const double *A, const double *DJ, double *to)
{
    for (int k = 0; k < s; k++)
        for (int j = 0; j < s; j++) {
            double sum = 0.0;
            for (int i = 0; i < d; i++)
                sum += A[s * i + k] * DJ[s * i + j];
            to[s * k + j] += sum;
        }
}

PAIRS_INLINE void add_contact(const pairs_rows *rows, carom_block_lu *lu, int d, int s, int i,
                              const double *D)
{
    for (int side = 0; side < 2; side++) { /* of the column */
        const double *J = rows->J + ((ptrdiff_t)2 * i + side) * d * s;
        double DJ[PAIRS_MOST * 6];
        if (rows->body[i][side] == rows->bodies)
            continue;
        for (int k = 0; k < d; k++)
            for (int j = 0; j < s; j++) {
                double sum = 0.0;
                for (int m = 0; m < d; m++)
                    sum += D[d * k + m] * J[s * m + j];
                DJ[s * k + j] = sum;
            }
        for (int row = 0; row < 2; row++) {
            const double *A = rows->A + ((ptrdiff_t)2 * i + row) * d * s;
            if (rows->body[i][row] == rows->bodies)
                continue;
            double *to = row == side ? carom_block_lu_diagonal(lu, rows->body[i][row])
                                     : carom_block_lu_beside(lu, i, row);
            add_block(d, s, A, DJ, to);
        }
    }
}

void pairs_system_add(const pairs_rows *rows, carom_block_lu *lu, int contact, const double *D)
{
    if (rows->d == 2)
        add_contact(rows, lu, 2, 3, contact, D);
    else if (rows->parts == 1)
        add_contact(rows, lu, 3, 6, contact, D);
    else if (rows->s == 3)
        add_contact(rows, lu, 3, 3, contact, D);
    else
        add_contact(rows, lu, 6, 6, contact, D);
}
