/* Products of panels have the bits of sums in order, on every processor. */
#include "carom/base.h"
#include "linalg/panel_product.h"
#include "test/near.h"

enum {
    ROWS = 63,
    INNER = 21,
    ROOM = ROWS * INNER + PANEL_CHUNK
};

static void products_are_sums_in_order(void **state)
{
    (void)state;
    static double a[ROOM], b[ROOM], c[ROWS * 64];
    carom_random random = {3};
    for (int k = 0; k < ROOM; k++) {
        a[k] = carom_random_uniform(&random, -1.0, 1.0);
        b[k] = carom_random_uniform(&random, -1.0, 1.0);
    }
    for (int rows = 3; rows <= ROWS; rows += 12)
        for (int columns = 3; columns <= 9; columns += 3)
            for (int inner = 0; inner <= INNER; inner += 7) {
                const ptrdiff_t apart = panel_room(rows);
                panel_multiply(&(panel_product){.rows = rows,
                                                .columns = columns,
                                                .inner = inner,
                                                .apart = ROWS,
                                                .c_apart = apart,
                                                .a = a,
                                                .b = b,
                                                .c = c});
                for (int i = 0; i < rows; i++)
                    for (int j = 0; j < columns; j++) {
                        double sum = 0.0;
                        for (int k = 0; k < inner; k++)
                            sum += a[ROWS * k + i] * b[ROWS * k + j];
                        assert_true(c[apart * j + i] == sum);
                    }
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_are_sums_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
