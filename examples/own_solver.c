/* A contact solver of the program's own: registered at run time, then chosen by name like those of the library.
 *
 *   cc own_solver.c $(pkg-config --cflags --libs carom) -lm -o own_solver && ./own_solver
 *
 * Projected gradients for Coulomb friction: with u = W r + q and the cones K,
 *
 *   r_i = P_K(r_i - rho (u_i + (mu |u_T|, 0, 0))),   rho = 1 / (largest row sum of |W|).
 */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>

static size_t work_size(const carom_problem_shape *shape)
{
    return 3 * (size_t)shape->size; /* u */
}

static double largest_row_sum(const carom_blocks *W)
{
    double largest = 0.0;
    for (int i = 0; i < 3 * W->rows; i++) {
        double sum = 0.0;
        for (int k = W->row_start[i / 3]; k < W->row_start[i / 3 + 1]; k++)
            for (int j = 0; j < 3; j++)
                sum += fabs(carom_block_at(W, k)[3 * (i % 3) + j]);
        largest = fmax(largest, sum);
    }
    return largest;
}

static void solve(carom_solver *self, const carom_coulomb *problem, double *r, carom_solve_report *report)
{
    const double rho = 1.0 / largest_row_sum(&problem->W);
    double *u = self->work;
    while ((report->error = carom_coulomb_error(problem, r)) > self->limits.tolerance) {
        if (report->iterations++ == self->limits.max_iterations) {
            report->word = CAROM_SOLVE_ITERATIONS;
            return;
        }
        carom_blocks_multiply(&problem->W, r, problem->q, u);
        for (int i = 0; i < problem->contacts; i++) {
            const double *v = u + 3 * i, mu = problem->mu[i];
            const double z[3] = {r[3 * i] - rho * (v[0] + mu * hypot(v[1], v[2])), r[3 * i + 1] - rho * v[1],
                                 r[3 * i + 2] - rho * v[2]};
            carom_cone_project(mu, z, r + 3 * i);
        }
    }
}

static const carom_solver_ops projected_gradient = {.name = "my-gradient",
                                                    .summary = "projected gradients with a fixed step",
                                                    .kind = CAROM_PROBLEM_COULOMB,
                                                    .tolerance = 1e-10,
                                                    .max_iterations = 100000,
                                                    .work_size = work_size,
                                                    .solve.coulomb = solve};

/* A table of 8 kg on four legs that is pushed along x: M v = H r + f, u = H^T v. Velocity: (v, omega). */
static carom_status pose_table(carom_arena *arena, carom_coulomb *problem, carom_error *error)
{
    enum {
        DOF = 6,
        LEGS = 4
    };
    static const double leg[LEGS][2] = {{0.5, 0.3}, {0.5, -0.3}, {-0.5, 0.3}, {-0.5, -0.3}}, height = -0.4;
    double M[DOF] = {8, 8, 8, 1, 1.5, 2}, f[DOF] = {16, 0, -8, 0, 0, 0.4}, w[3 * LEGS] = {0};
    double mu[LEGS] = {0.5, 0.5, 0.5, 0.5}, H[3 * LEGS][DOF];
    int M_start[DOF + 1], M_row[DOF], H_start[3 * LEGS + 1], H_row[3 * LEGS * DOF];
    for (int i = 0; i <= DOF; i++)
        M_start[i] = i;
    for (int k = 0; k < LEGS; k++) {
        const double x = leg[k][0], y = leg[k][1], z = height;
        const double row[3][DOF] = {{0, 0, 1, y, -x, 0}, {1, 0, 0, 0, z, -y}, {0, 1, 0, -z, 0, x}};
        for (int i = 0; i < 3 * DOF; i++)
            H[3 * k + i / DOF][i % DOF] = row[i / DOF][i % DOF];
    }
    for (int i = 0; i < DOF; i++)
        M_row[i] = i;
    for (int i = 0; i < 3 * LEGS * DOF; i++)
        H_row[i] = i % DOF;
    for (int i = 0; i <= 3 * LEGS; i++)
        H_start[i] = i * DOF;
    const carom_coulomb_global table = {.dimension = 3,
                                        .contacts = LEGS,
                                        .M = {DOF, DOF, M_start, M_row, M},
                                        .H = {DOF, 3 * LEGS, H_start, H_row, &H[0][0]},
                                        .f = f,
                                        .w = w,
                                        .mu = mu};
    return carom_coulomb_reduce(&table, arena, problem, error);
}

int main(void)
{
    static const char *const names[] = {"auto", "my-gradient"};
    carom_error error;
    carom_coulomb problem;
    carom_arena *arena = carom_arena_create();
    carom_status status = arena ? carom_solver_register(&projected_gradient, &error)
                                : carom_fail(&error, CAROM_NO_MEMORY, "out of memory");
    if (status == CAROM_OK)
        status = pose_table(arena, &problem, &error);
    for (int i = 0; status == CAROM_OK && i < 2; i++) {
        const carom_solver_ops *solver = carom_solver_find(CAROM_PROBLEM_COULOMB, names[i], &error);
        carom_solve_report report;
        carom_coulomb_summary proof;
        double r[12] = {0}, u[12];
        status = carom_coulomb_solve(solver, &problem, &(carom_solver_options){.tolerance = 1e-9}, r, &report,
                                     &error);
        if (status != CAROM_OK)
            break;
        carom_coulomb_summarise(&problem, r, u, NULL, &proof);
        printf("%-12s %s: first leg slips at %.3f %.3f m/s, dissipation %.3f J, error %s 1e-9\n", names[i],
               carom_solve_word_text(report.word), u[1], u[2], proof.dissipation,
               proof.error <= 1e-9 ? "<=" : ">");
    }
    if (status != CAROM_OK)
        fprintf(stderr, "own_solver: %s\n", error.text);
    carom_arena_free(arena);
    return status != CAROM_OK;
}
