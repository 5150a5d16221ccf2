// Mechanisms: mass matrices and gaps that depend on the position.
#include "siconos.hpp"

#include <cmath>

namespace
{

const double gravity = 9.81;

using std::cos;
using std::sin;

SP::Interaction contact(SP::NonSmoothLaw law, Gaps::value gap, Gaps::gradient gradient)
{
    return std::make_shared<Interaction>(law, std::make_shared<Gaps>(std::move(gap), std::move(gradient)));
}

// ---- double pendulum ----

void pendulum_mass(unsigned, double *q, double *mass, unsigned, double *)
{
    mass[0] = 2.0;
    mass[1] = mass[2] = cos(q[0] - q[1]);
    mass[3] = 1.0;
}

// Siconos has it on the left side.
void pendulum_force(double, unsigned, double *q, double *v, double *force, unsigned, double *)
{
    const double s = sin(q[0] - q[1]);
    force[0] = s * v[1] * v[1] + 2.0 * gravity * sin(q[0]);
    force[1] = -s * v[0] * v[0] + gravity * sin(q[1]);
}

example double_pendulum()
{
    auto pendulum = std::make_shared<LagrangianDS>(make_vector({-0.9, -0.6}), make_vector({0.0, 0.0}));
    pendulum->setComputeMassFunction(pendulum_mass);
    pendulum->setComputeFIntFunction(pendulum_force);
    example made;
    made.system = std::make_shared<NonSmoothDynamicalSystem>(0.0, 4.0);
    made.system->insertDynamicalSystem(pendulum);
    made.system->link(contact(
                          std::make_shared<NewtonImpactNSL>(0.5),
                          [](const BlockVector &q, SiconosVector &y) { y(0) = -0.3 - sin(q(0)) - sin(q(1)); },
                          [](const BlockVector &q, SimpleMatrix &rows) {
                              rows(0, 0) = -cos(q(0));
                              rows(0, 1) = -cos(q(1));
                          }),
                      pendulum);
    made.h = 1e-3;
    made.end = 2.0;
    made.problem = lcp();
    made.newton_tolerance = 1e-10;
    made.outputs = 2;
    made.keep = [pendulum](double *out) {
        out[0] = (*pendulum->q())(0);
        out[1] = (*pendulum->q())(1);
    };
    return made;
}

// ---- slider-crank ----

const double l1 = 0.153, l2 = 0.306, half_length = 0.05, half_width = 0.025, play = 0.001;
const double m1 = 0.038, m2 = 0.038, m3 = 0.076, j1 = 7.4e-5, j2 = 5.9e-4, j3 = 2.7e-6;

void crank_mass(unsigned, double *q, double *mass, unsigned, double *)
{
    for (int i = 0; i < 9; i++)
        mass[i] = 0.0;
    mass[0] = j1 + (m1 / 4.0 + m2 + m3) * l1 * l1;
    mass[1] = mass[3] = (m2 / 2.0 + m3) * l1 * l2 * cos(q[0] - q[1]);
    mass[4] = j2 + (m2 / 4.0 + m3) * l2 * l2;
    mass[8] = j3;
}

void crank_force(double, unsigned, double *q, double *v, double *force, unsigned, double *)
{
    const double coupling = (m2 / 2.0 + m3) * l1 * l2 * sin(q[0] - q[1]);
    force[0] = coupling * v[1] * v[1] + gravity * l1 * (m1 / 2.0 + m2 + m3) * cos(q[0]);
    force[1] = -coupling * v[0] * v[0] + gravity * l2 * (m2 / 2.0 + m3) * cos(q[1]);
    force[2] = 0.0;
}

SP::Interaction corner(double x, double y, double side)
{
    return contact(
        std::make_shared<NewtonImpactFrictionNSL>(0.4, 0.0, 0.01, 2),
        [=](const BlockVector &q, SiconosVector &h) {
            h(0) =
                half_width + play + side * (l1 * sin(q(0)) + l2 * sin(q(1)) + x * sin(q(2)) + y * cos(q(2)));
            h(1) = l1 * cos(q(0)) + l2 * cos(q(1)) + x * cos(q(2)) - y * sin(q(2));
        },
        [=](const BlockVector &q, SimpleMatrix &rows) {
            rows(0, 0) = side * l1 * cos(q(0));
            rows(0, 1) = side * l2 * cos(q(1));
            rows(0, 2) = side * (x * cos(q(2)) - y * sin(q(2)));
            rows(1, 0) = -l1 * sin(q(0));
            rows(1, 1) = -l2 * sin(q(1));
            rows(1, 2) = -x * sin(q(2)) - y * cos(q(2));
        });
}

example slider_crank()
{
    auto crank =
        std::make_shared<LagrangianDS>(make_vector({0.0, 0.0, 0.002}), make_vector({150.0, -75.0, 0.0}));
    crank->setComputeMassFunction(crank_mass);
    crank->setComputeFIntFunction(crank_force);
    example made;
    made.system = std::make_shared<NonSmoothDynamicalSystem>(0.0, 1.0);
    made.system->insertDynamicalSystem(crank);
    made.system->link(corner(-half_length, -half_width, 1.0), crank);
    made.system->link(corner(half_length, -half_width, 1.0), crank);
    made.system->link(corner(-half_length, half_width, -1.0), crank);
    made.system->link(corner(half_length, half_width, -1.0), crank);
    made.h = 1e-5;
    made.end = 0.05;
    made.problem = friction();
    made.newton_tolerance = 1e-10;
    made.outputs = 3;
    made.keep = [crank](double *out) {
        for (unsigned i = 0; i < 3; i++)
            out[i] = (*crank->q())(i);
    };
    return made;
}

// ---- four-bar linkage ----

const double a1 = 0.1, a2 = 0.35, a3 = 0.3, ground = 0.4, clearance = 1e-3, density = 2.0;

void motor(double, unsigned, double *q, double *v, double *force, unsigned, double *)
{
    for (int i = 0; i < 7; i++)
        force[i] = 0.0;
    force[0] = -0.5 * (20.0 - v[0]) + gravity * density * a1 * a1 / 2.0 * cos(q[0]);
    force[2] = gravity * density * a2;
    force[5] = gravity * density * a3;
}

void motor_damping(double, unsigned, double *, double *, double *jacobian, unsigned, double *)
{
    for (int i = 0; i < 49; i++)
        jacobian[i] = 0.0;
    jacobian[0] = 0.5;
}

// The point at `along` the direction of a body at (x, y) with angle phi: coordinates from `first` on.
struct place {
    bool fixed;
    unsigned first; // of x, y, phi
    double along, x, y;
};

void locate(const place &p, const BlockVector &q, double &x, double &y)
{
    x = p.fixed ? p.x : q(p.first) + p.along * cos(q(p.first + 2));
    y = p.fixed ? p.y : q(p.first + 1) + p.along * sin(q(p.first + 2));
}

// d gap / dq of -(dx^2 + dy^2) for one end, with sign +-1 of the difference
void add_gradient(const place &p, double sign, double dx, double dy, const BlockVector &q, SimpleMatrix &rows)
{
    if (p.fixed)
        return;
    rows(0, p.first) += -2.0 * sign * dx;
    rows(0, p.first + 1) += -2.0 * sign * dy;
    rows(0, p.first + 2) += -2.0 * sign * p.along * (-dx * sin(q(p.first + 2)) + dy * cos(q(p.first + 2)));
}

// crank: the first end is that of the crank, whose angle is coordinate 0
SP::Interaction pin(bool crank, const place &one, const place &other)
{
    auto difference = [=](const BlockVector &q, double &dx, double &dy) {
        double ax, ay, bx, by;
        if (crank)
            ax = a1 * cos(q(0)), ay = a1 * sin(q(0));
        else
            locate(one, q, ax, ay);
        locate(other, q, bx, by);
        dx = ax - bx;
        dy = ay - by;
    };
    return contact(
        std::make_shared<NewtonImpactNSL>(0.2),
        [=](const BlockVector &q, SiconosVector &y) {
            double dx, dy;
            difference(q, dx, dy);
            y(0) = clearance * clearance - dx * dx - dy * dy;
        },
        [=](const BlockVector &q, SimpleMatrix &rows) {
            double dx, dy;
            difference(q, dx, dy);
            rows.zero();
            if (crank)
                rows(0, 0) = -2.0 * a1 * (-dx * sin(q(0)) + dy * cos(q(0)));
            else
                add_gradient(one, 1.0, dx, dy, q, rows);
            add_gradient(other, -1.0, dx, dy, q, rows);
        });
}

example four_bar()
{
    const double m2 = density * a2, m3 = density * a3;
    const double f = std::sqrt(ground * ground + a1 * a1);
    const double phi = std::atan2(-a1, ground) + std::acos((f * f + a2 * a2 - a3 * a3) / (2.0 * f * a2));
    const double ex = a2 * cos(phi), ey = a1 + a2 * sin(phi), psi = std::atan2(ey, ex - ground);
    matrix M(7, vector(7, 0.0));
    const vector diagonal = {density * a1 * a1 * a1 / 3.0, m2, m2, m2 * a2 * a2 / 12.0, m3, m3,
                             m3 * a3 * a3 / 12.0};
    for (unsigned i = 0; i < 7; i++)
        M[i][i] = diagonal[i];
    auto linkage = std::make_shared<LagrangianDS>(
        make_vector({M_PI / 2.0, ex / 2.0, (a1 + ey) / 2.0, phi, (ground + ex) / 2.0, ey / 2.0, psi}),
        make_vector(vector(7, 0.0)), make_matrix(M));
    linkage->setComputeFIntFunction(motor);
    linkage->setComputeJacobianFIntqDotFunction(motor_damping);
    example made;
    made.system = std::make_shared<NonSmoothDynamicalSystem>(0.0, 1.0);
    made.system->insertDynamicalSystem(linkage);
    const place none = {true, 0, 0.0, 0.0, 0.0};
    made.system->link(pin(true, none, {false, 1, -a2 / 2.0, 0.0, 0.0}), linkage);
    made.system->link(pin(false, {false, 1, a2 / 2.0, 0.0, 0.0}, {false, 4, a3 / 2.0, 0.0, 0.0}), linkage);
    made.system->link(pin(false, {false, 4, -a3 / 2.0, 0.0, 0.0}, {true, 0, 0.0, ground, 0.0}), linkage);
    made.h = 2e-5;
    made.end = 0.2;
    made.problem = lcp();
    made.newton_tolerance = 1e-10;
    made.outputs = 3;
    made.keep = [linkage](double *out) {
        out[0] = (*linkage->q())(3);
        out[1] = (*linkage->q())(0);
        out[2] = (*linkage->q())(6);
    };
    return made;
}

} // namespace

const std::vector<named_example> mechanisms = {
    {"double-pendulum", double_pendulum}, {"slider-crank", slider_crank}, {"four-bar", four_bar}};
