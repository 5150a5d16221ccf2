// What the examples share: systems of Siconos' C++ API with functions of their own, and the timed loop of steps.
#ifndef CAROM_BENCH_EXAMPLES_SICONOS_HPP
#define CAROM_BENCH_EXAMPLES_SICONOS_HPP

#include <SiconosKernel.hpp>

#include <functional>
#include <string>
#include <vector>

using vector = std::vector<double>;
using matrix = std::vector<vector>;

SP::SiconosVector make_vector(const vector &values);
SP::SimpleMatrix make_matrix(const matrix &rows);

// A gap h(q), or a gap and a slip h_2(q), and their gradients.
class Gaps : public LagrangianScleronomousR
{
  public:
    using value = std::function<void(const BlockVector &q, SiconosVector &y)>;
    using gradient = std::function<void(const BlockVector &q, SimpleMatrix &rows)>;
    Gaps(value h, gradient jacobian) : h_(std::move(h)), jacobian_(std::move(jacobian))
    {
    }
    void computeh(const BlockVector &q, BlockVector &, SiconosVector &y) override
    {
        h_(q, y);
    }
    void computeJachq(const BlockVector &q, BlockVector &) override
    {
        jacobian_(q, *_jachq);
    }

  private:
    value h_;
    gradient jacobian_;
};

// A motion to be timed: what to step, for how long, what to keep of each step.
struct example {
    SP::NonSmoothDynamicalSystem system;
    double h = 0.0, end = 0.0;
    SP::OneStepNSProblem problem;       // of impacts; of time stepping the only one
    double newton_tolerance = 0.0;      // 0: a linear system, one solve per step
    bool events = false;                // event-driven
    std::function<void(double *)> keep; // the outputs after a step, sorted by their names in the model file
    unsigned outputs = 0;
};

using make_example = example (*)();
struct named_example {
    const char *name;
    make_example make;
};
extern const std::vector<named_example> balls, structures, mechanisms;

SP::OneStepNSProblem lcp();
SP::OneStepNSProblem friction(); // in the plane

#endif
