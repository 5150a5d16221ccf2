/* For tests: contacts of a sparse system with random rows, each on three coordinates. */
#ifndef CAROM_TEST_SCHEME_PARTS_RANDOM_CONTACTS_H
#define CAROM_TEST_SCHEME_PARTS_RANDOM_CONTACTS_H

#include "scheme/parts/global_contacts.h"

/* Rows of a contact on the coordinates `column`, as many as info->tangents and the normal. */
static inline void random_rows(carom_random *random, carom_contact_info *info, int column[3],
                               double (*entry)[3], carom_row *row)
{
    for (int k = 0; k <= info->tangents; k++) {
        for (int i = 0; i < 3; i++)
            entry[k][i] = carom_random_uniform(random, -1.0, 1.0);
        row[k] = (carom_row){3, column, entry[k]};
        info->row[k] = (carom_row_pattern){3, column};
    }
}

/* A closed contact with these rows; where its products stand is for the caller to say. */
static inline global_contact random_contact(carom_random *random, int tangents, double mu, carom_row *row)
{
    global_contact posed = {.tangents = mu > 0.0 ? tangents : 0,
                            .target = carom_random_uniform(random, 0.0, 0.2),
                            .has_normal = true,
                            .set = {.kind = tangents == 2 ? CAROM_PLANAR_DISK : CAROM_PLANAR_INTERVAL,
                                    .a = tangents == 2 ? mu : -mu,
                                    .b = mu}};
    for (int k = 0; k <= tangents; k++) {
        posed.row[k] = &row[k];
        posed.rate[k] = carom_random_uniform(random, -0.1, 0.1);
    }
    return posed;
}

#endif
