/* A double pendulum whose tip strikes a wall: formulas in, exact derivatives and the motion out.
 *
 *   cc pendulum.c $(pkg-config --cflags --libs carom) -o pendulum && ./pendulum
 *
 *      o                    a, b: angles of the rods against the vertical
 *       \ a      |          wall at x = 0.4, restitution 0.6
 *        o       |
 *        | b     |          The same formulas in a model file: docs/model-language.md.
 *        o tip   | wall
 */
#include <carom/carom.h>
#include <stdio.h>

static carom_status build(carom_model **model, carom_error *error)
{
    carom_builder *b = carom_builder_create();
    if (!b)
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    carom_build_coordinate(b, "a");
    carom_build_coordinate(b, "b");
    carom_build_parameter(b, "l", 0.5);
    carom_build_parameter(b, "g", 9.81);
    carom_build_parameter(b, "e", 0.6);

    /* Two masses of 1 kg at the ends of the rods. */
    carom_build_kinetic(b, carom_build_formula(b, "l^2 * dot(a)^2 + 1/2 * l^2 * dot(b)^2"
                                                  " + l^2 * cos(a - b) * dot(a) * dot(b)"));
    carom_build_potential(b, carom_build_formula(b, "-g * l * (2 * cos(a) + cos(b))"));
    const int wall = carom_build_contact(b, "wall", carom_build_formula(b, "0.4 - l * (sin(a) + sin(b))"));
    carom_build_restitution(b, wall, carom_build_formula(b, "e"));

    const carom_status status = carom_build_model(b, model, error);
    carom_builder_free(b); /* the model stands alone */
    return status;
}

static void print(const carom_run_result *result)
{
    const carom_row_layout *at = &result->layout;
    printf("     t        a        b   gap of the wall   energy\n");
    for (int i = 0; i < result->sample_count; i++) {
        const double *row = result->sample + i * at->width;
        printf("%6.2f %8.4f %8.4f %17.4f %8.4f\n", row[0], row[at->q], row[at->q + 1], row[at->gap],
               row[at->energy]);
    }
    printf("%ld impacts, energy lost %.3f J, deepest penetration %.1e m\n", result->impacts,
           result->energy_initial - result->energy_final, result->max_penetration);
}

int main(void)
{
    carom_model *model = NULL;
    carom_run_result result = {0};
    carom_error error;
    carom_status status = build(&model, &error);
    if (status == CAROM_OK)
        status = carom_run(&(carom_run_request){.model = model,
                                                .q0 = (double[]){-1.2, -1.2},
                                                .scheme = "moreau-jean",
                                                .h = 1e-4,
                                                .until = 2.4,
                                                .option = (carom_option[]){{"theta", 0.5}, {0}},
                                                .sample_count = 7,
                                                .sample_time = (double[]){0, 0.4, 0.8, 1.2, 1.6, 2.0, 2.4}},
                           &result, &error);
    if (status == CAROM_OK)
        print(&result);
    else
        fprintf(stderr, "pendulum: %s\n", error.text);
    carom_run_result_free(&result);
    carom_model_free(model);
    return status != CAROM_OK;
}
