// Balls, beads, a cam, a woodpecker, an oscillator: linear systems with constant matrices. The numbers are those of
// the model files of the same names.
#include "siconos.hpp"

#include <cmath>

namespace
{

const double gravity = 9.81;

SP::Interaction contact(double restitution, const vector &row, double offset)
{
    return std::make_shared<Interaction>(
        std::make_shared<NewtonImpactNSL>(restitution),
        std::make_shared<LagrangianLinearTIR>(make_matrix({row}), make_vector({offset})));
}

SP::Interaction rough_contact(double restitution, double mu, const vector &normal, const vector &tangent,
                              double offset)
{
    return std::make_shared<Interaction>(
        std::make_shared<NewtonImpactFrictionNSL>(restitution, 0.0, mu, 2),
        std::make_shared<LagrangianLinearTIR>(make_matrix({normal, tangent}), make_vector({offset, 0.0})));
}

example ball_of(double h, double end, bool events)
{
    const double m = 1.0, r = 0.1;
    auto ball = std::make_shared<LagrangianLinearTIDS>(
        make_vector({0.0, 1.0, 0.0}), make_vector({0.0, 0.0, 0.0}),
        make_matrix({{m, 0, 0}, {0, m, 0}, {0, 0, 2.0 / 5.0 * m * r * r}}));
    ball->setFExtPtr(make_vector({0.0, -m * gravity, 0.0}));
    example made;
    made.system = std::make_shared<NonSmoothDynamicalSystem>(0.0, 2.0 * end);
    made.system->insertDynamicalSystem(ball);
    made.system->link(contact(0.9, {0.0, 1.0, 0.0}, -r), ball);
    made.h = h;
    made.end = end;
    made.problem = lcp();
    made.events = events;
    made.outputs = 2;
    made.keep = [ball](double *out) {
        out[0] = (*ball->q())(1);
        out[1] = (*ball->velocity())(1);
    };
    return made;
}

example ball()
{
    return ball_of(1e-3, 10.0, false);
}
example ball_events()
{
    return ball_of(1e-3, 5.0, true);
}

// gap = y - r - a sin(w t)
class MovingPlane : public LagrangianRheonomousR
{
    const double r = 0.1, a = 0.05, w = 12.0;

  public:
    MovingPlane()
    {
        _hDot = make_vector({0.0});
        _jachq = make_matrix({{1.0}});
    }
    void computeh(double t, const BlockVector &q, BlockVector &, SiconosVector &y) override
    {
        y(0) = q(0) - r - a * std::sin(w * t);
    }
    void computehDot(double t, const BlockVector &, BlockVector &) override
    {
        (*_hDot)(0) = -a * w * std::cos(w * t);
    }
    void computeJachq(double, const BlockVector &, BlockVector &) override
    {
        (*_jachq)(0, 0) = 1.0;
    }
};

example moving_plane()
{
    auto ball =
        std::make_shared<LagrangianLinearTIDS>(make_vector({1.0}), make_vector({0.0}), make_matrix({{1.0}}));
    ball->setFExtPtr(make_vector({-gravity}));
    example made;
    made.system = std::make_shared<NonSmoothDynamicalSystem>(0.0, 20.0);
    made.system->insertDynamicalSystem(ball);
    made.system->link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.6),
                                                    std::make_shared<MovingPlane>()),
                      ball);
    made.h = 1e-3;
    made.end = 10.0;
    made.problem = lcp();
    made.outputs = 2;
    made.keep = [ball](double *out) {
        out[0] = (*ball->q())(0);
        out[1] = (*ball->velocity())(0);
    };
    return made;
}

const double cam_mass = 1.221, cam_stiffness = 1430.8;

void cam_force(double t, unsigned, double *force, unsigned, double *)
{
    const double preload = 20.0, w = 35.0;
    const double lift = 0.01 * (1.0 - std::cos(w * t)) + 0.002 * (1.0 - std::cos(2.0 * w * t));
    const double second = 0.01 * w * w * std::cos(w * t) + 0.008 * w * w * std::cos(2.0 * w * t);
    force[0] = -(cam_stiffness * lift + preload + cam_mass * gravity + cam_mass * second);
}

example cam_follower()
{
    auto follower = std::make_shared<LagrangianLinearTIDS>(make_vector({0.02}), make_vector({0.0}),
                                                           make_matrix({{cam_mass}}));
    follower->setKPtr(make_matrix({{cam_stiffness}}));
    follower->setComputeFExtFunction(cam_force);
    example made;
    made.system = std::make_shared<NonSmoothDynamicalSystem>(0.0, 4.0);
    made.system->insertDynamicalSystem(follower);
    made.system->link(contact(0.4, {1.0}, 0.0), follower);
    made.h = 1e-4;
    made.end = 2.0;
    made.problem = lcp();
    made.outputs = 2;
    made.keep = [follower](double *out) {
        out[0] = (*follower->q())(0);
        out[1] = (*follower->velocity())(0);
    };
    return made;
}

example bead_column()
{
    const unsigned n = 10;
    const double r = 0.1, e = 0.6;
    std::vector<SP::LagrangianLinearTIDS> bead;
    example made;
    made.system = std::make_shared<NonSmoothDynamicalSystem>(0.0, 4.0);
    for (unsigned i = 0; i < n; i++) {
        bead.push_back(std::make_shared<LagrangianLinearTIDS>(make_vector({0.2 * i + 0.15 + 0.02 * i}),
                                                              make_vector({0.0}), make_matrix({{1.0}})));
        bead[i]->setFExtPtr(make_vector({-gravity}));
        made.system->insertDynamicalSystem(bead[i]);
    }
    made.system->link(contact(e, {1.0}, -r), bead[0]);
    for (unsigned i = 1; i < n; i++)
        made.system->link(contact(e, {-1.0, 1.0}, -2.0 * r), bead[i - 1], bead[i]);
    made.h = 1e-3;
    made.end = 2.0;
    made.problem = lcp();
    made.outputs = 3;
    made.keep = [bead](double *out) {
        out[0] = (*bead[0]->q())(0);
        out[1] = (*bead[4]->q())(0);
        out[2] = (*bead[9]->q())(0);
    };
    return made;
}

example woodpecker()
{
    const double ms = 0.0045, mm = 0.0003, js = 7e-7, jm = 5e-9, lm = 0.010, lg = 0.015, ls = 0.0201,
                 hs = 0.02, hm = 0.0058, ro = 0.0025, rm = 0.0031, c = 0.0056, mu = 0.3;
    auto toy = std::make_shared<LagrangianLinearTIDS>(
        make_vector({0.0, -0.1034, -0.2788}), make_vector({-0.3411, 0.0, -7.4583}),
        make_matrix({{ms + mm, ms * lm, ms * lg},
                     {ms * lm, jm + ms * lm * lm, ms * lm * lg},
                     {ms * lg, ms * lm * lg, js + ms * lg * lg}}));
    toy->setKPtr(make_matrix({{0, 0, 0}, {0, c, -c}, {0, -c, c}}));
    toy->setFExtPtr(make_vector({-(ms + mm) * gravity, -ms * gravity * lm, -ms * gravity * lg}));
    example made;
    made.system = std::make_shared<NonSmoothDynamicalSystem>(0.0, 1.0);
    made.system->insertDynamicalSystem(toy);
    made.system->link(rough_contact(0.5, mu, {0, 0, -hs}, {1, lm, lg - ls}, lm + lg - ls - ro), toy);
    made.system->link(rough_contact(0.0, mu, {0, hm, 0}, {1, rm, 0}, rm - ro), toy);
    made.system->link(rough_contact(0.0, mu, {0, -hm, 0}, {1, rm, 0}, rm - ro), toy);
    made.h = 1e-5;
    made.end = 0.25;
    made.problem = friction();
    made.outputs = 3;
    made.keep = [toy](double *out) {
        for (unsigned i = 0; i < 3; i++)
            out[i] = (*toy->q())(2 - i);
    };
    return made;
}

void oscillator_force(double t, unsigned, double *force, unsigned, double *)
{
    force[0] = 4.5 * std::cos(0.7 * t);
    force[1] = -gravity;
}

example friction_oscillator()
{
    auto mass = std::make_shared<LagrangianLinearTIDS>(make_vector({1.0, 0.0}), make_vector({0.0, 0.0}),
                                                       make_matrix({{1.0, 0.0}, {0.0, 1.0}}));
    mass->setKPtr(make_matrix({{1.0, 0.0}, {0.0, 0.0}}));
    mass->setComputeFExtFunction(oscillator_force);
    example made;
    made.system = std::make_shared<NonSmoothDynamicalSystem>(0.0, 40.0);
    made.system->insertDynamicalSystem(mass);
    made.system->link(rough_contact(0.0, 0.3, {0, 1}, {1, 0}, 0.0), mass);
    made.h = 1e-3;
    made.end = 20.0;
    made.problem = friction();
    made.outputs = 2;
    made.keep = [mass](double *out) {
        out[0] = (*mass->q())(0);
        out[1] = (*mass->velocity())(0);
    };
    return made;
}

} // namespace

const std::vector<named_example> balls = {{"ball", ball},
                                          {"moving-plane", moving_plane},
                                          {"ball-events", ball_events},
                                          {"cam-follower", cam_follower},
                                          {"bead-column", bead_column},
                                          {"woodpecker", woodpecker},
                                          {"friction-oscillator", friction_oscillator}};
