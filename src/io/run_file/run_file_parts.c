#include "run_file_parts.h"

#include <string.h>

void run_file_parts(const carom_row_layout *layout, run_file_part part[RUN_FILE_PARTS])
{
    const hsize_t positions = (hsize_t)layout->positions, dof = (hsize_t)layout->dof;
    const hsize_t contacts = (hsize_t)layout->contacts;
    const hsize_t columns = (hsize_t)layout->columns, components = CAROM_CONTACT_COMPONENTS;
    const run_file_part parts[RUN_FILE_PARTS] = {
        {"t", 0, 1, 1, {1, 1}, false},
        {"q", layout->q, layout->positions, 2, {positions, 1}, false},
        {"v", layout->v, layout->dof, 2, {dof, 1}, false},
        {"energy", layout->energy, 1, 1, {1, 1}, false},
        {"gap", layout->gap, layout->contacts, 2, {contacts, 1}, false},
        {"impulse", layout->impulse, layout->contacts * (int)components, 3, {contacts, components}, false},
        {"branch", layout->regime, layout->contacts, 2, {contacts, 1}, true},
        {"record", layout->column, layout->columns, 2, {columns, 1}, false},
    };
    memcpy(part, parts, sizeof parts);
}

void run_file_parts_kept(int columns, run_file_part part[RUN_FILE_PARTS])
{
    memset(part, 0, RUN_FILE_PARTS * sizeof *part);
    part[0] = (run_file_part){"t", 0, 1, 1, {1, 1}, false};
    part[1] = (run_file_part){"kept", 1, columns - 1, 2, {(hsize_t)columns - 1, 1}, false};
}
