/* The functions of siconos_pendulum.py compiled, as a plugin of Siconos: cc -shared -fPIC. The signatures are
 * those that Siconos calls; the last two arguments of each are its parameters z, which are not used. */
#include <math.h>

static const double gravity = 9.81, wall = -0.3;

void pendulum_mass(unsigned dof, const double *q, double *mass, unsigned z_size, const double *z)
{
    (void)dof, (void)z_size, (void)z;
    const double coupling = cos(q[0] - q[1]);
    mass[0] = 2.0;
    mass[1] = coupling;
    mass[2] = coupling;
    mass[3] = 1.0;
}

/* Siconos subtracts it from the forces. */
void pendulum_force(unsigned dof, const double *q, const double *v, double *force, unsigned z_size,
                    const double *z)
{
    (void)dof, (void)z_size, (void)z;
    const double s = sin(q[0] - q[1]);
    force[0] = s * v[1] * v[1] + 2.0 * gravity * sin(q[0]);
    force[1] = -s * v[0] * v[0] + gravity * sin(q[1]);
}

void pendulum_gap(unsigned dof, const double *q, unsigned gaps, double *gap, unsigned z_size, const double *z)
{
    (void)dof, (void)gaps, (void)z_size, (void)z;
    gap[0] = wall - sin(q[0]) - sin(q[1]);
}

void pendulum_gap_gradient(unsigned dof, const double *q, unsigned gaps, double *gradient, unsigned z_size,
                           const double *z)
{
    (void)dof, (void)gaps, (void)z_size, (void)z;
    gradient[0] = -cos(q[0]);
    gradient[1] = -cos(q[1]);
}
