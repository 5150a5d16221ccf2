#include "surface.h"

void surface_visit(const surface *sheet, const double low[3], const double high[3],
                   void (*visit)(void *context, int piece), void *context)
{
    int stack[64], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const surface_node *node = &sheet->node[stack[--depth]];
        bool meets = true;
        for (int k = 0; k < sheet->dim; k++)
            meets = meets && node->low[k] <= high[k] && low[k] <= node->high[k];
        if (!meets)
            continue;
        if (node->count == 0) {
            stack[depth++] = node->first + 1;
            stack[depth++] = node->first;
        }
        for (int i = node->first; i < node->first + node->count; i++)
            visit(context, sheet->order[i]);
    }
}
