#include "panel_product.h"

/* Two numbers side by side, as all processors multiply them. */
typedef double two __attribute__((vector_size(2 * sizeof(double))));
/* The same in the midst of others. */
typedef double two_of_many __attribute__((vector_size(2 * sizeof(double)), aligned(8), may_alias));

/* Twelve sums are what the registers hold. */
static void multiply_by_two(const panel_product *p)
{
    for (int i = 0; i < p->rows; i += 8)
        for (int j = 0; j < p->columns; j += 3) {
            const double *a = p->a + i, *b = p->b + j;
            double *c = p->c + p->c_apart * j + i;
            two p0 = {0.0, 0.0}, p1 = p0, p2 = p0, p3 = p0, q0 = p0, q1 = p0, q2 = p0, q3 = p0, r0 = p0,
                r1 = p0, r2 = p0, r3 = p0;
            for (int k = 0; k < p->inner; k++, a += p->apart, b += p->apart) {
                const two_of_many *row = (const two_of_many *)a;
                const two a0 = row[0], a1 = row[1], a2 = row[2], a3 = row[3];
                p0 += a0 * b[0], p1 += a1 * b[0], p2 += a2 * b[0], p3 += a3 * b[0];
                q0 += a0 * b[1], q1 += a1 * b[1], q2 += a2 * b[1], q3 += a3 * b[1];
                r0 += a0 * b[2], r1 += a1 * b[2], r2 += a2 * b[2], r3 += a3 * b[2];
            }
            two_of_many *to = (two_of_many *)(c);
            to[0] = p0, to[1] = p1, to[2] = p2, to[3] = p3;
            to = (two_of_many *)(c + p->c_apart);
            to[0] = q0, to[1] = q1, to[2] = q2, to[3] = q3;
            to = (two_of_many *)(c + 2 * p->c_apart);
            to[0] = r0, to[1] = r1, to[2] = r2, to[3] = r3;
        }
}

#if defined(__x86_64__) && defined(__GNUC__)
typedef double four __attribute__((vector_size(4 * sizeof(double))));
typedef double four_of_many __attribute__((vector_size(4 * sizeof(double)), aligned(8), may_alias));

__attribute__((target("avx2"))) static void multiply_by_four(const panel_product *p)
{
    for (int i = 0; i < p->rows; i += 16)
        for (int j = 0; j < p->columns; j += 3) {
            const double *a = p->a + i, *b = p->b + j;
            double *c = p->c + p->c_apart * j + i;
            four p0 = {0.0, 0.0, 0.0, 0.0}, p1 = p0, p2 = p0, p3 = p0, q0 = p0, q1 = p0, q2 = p0, q3 = p0,
                 r0 = p0, r1 = p0, r2 = p0, r3 = p0;
            for (int k = 0; k < p->inner; k++, a += p->apart, b += p->apart) {
                const four_of_many *row = (const four_of_many *)a;
                const four a0 = row[0], a1 = row[1], a2 = row[2], a3 = row[3];
                p0 += a0 * b[0], p1 += a1 * b[0], p2 += a2 * b[0], p3 += a3 * b[0];
                q0 += a0 * b[1], q1 += a1 * b[1], q2 += a2 * b[1], q3 += a3 * b[1];
                r0 += a0 * b[2], r1 += a1 * b[2], r2 += a2 * b[2], r3 += a3 * b[2];
            }
            four_of_many *to = (four_of_many *)(c);
            to[0] = p0, to[1] = p1, to[2] = p2, to[3] = p3;
            to = (four_of_many *)(c + p->c_apart);
            to[0] = q0, to[1] = q1, to[2] = q2, to[3] = q3;
            to = (four_of_many *)(c + 2 * p->c_apart);
            to[0] = r0, to[1] = r1, to[2] = r2, to[3] = r3;
        }
}

void panel_multiply(const panel_product *p)
{
    if (__builtin_cpu_supports("avx2"))
        multiply_by_four(p);
    else
        multiply_by_two(p);
}
#else
void panel_multiply(const panel_product *p)
{
    multiply_by_two(p);
}
#endif
