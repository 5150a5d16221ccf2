// A bar and a beam by finite elements.
#include "siconos.hpp"

#include <cmath>

namespace
{

SP::SimpleMatrix banded(unsigned n, const matrix &full)
{
    auto made = std::make_shared<SimpleMatrix>(n, n, Siconos::SPARSE, 8 * n);
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            if (full[i][j] != 0.0)
                made->setValue(i, j, full[i][j]);
    return made;
}

SP::Interaction contact(unsigned n, unsigned at, double offset, double restitution)
{
    vector row(n, 0.0);
    row[at] = 1.0;
    return std::make_shared<Interaction>(
        std::make_shared<NewtonImpactNSL>(restitution),
        std::make_shared<LagrangianLinearTIR>(make_matrix({row}), make_vector({offset})));
}

example elastic_bar()
{
    const unsigned elements = 100, n = elements + 1;
    const double E = 900.0, rho = 1.0, L = 10.0, a = L / elements;
    matrix M(n, vector(n, 0.0)), K = M;
    for (unsigned i = 0; i < elements; i++)
        for (unsigned k = 0; k < 2; k++)
            for (unsigned j = 0; j < 2; j++) {
                M[i + k][i + j] += rho * a / 6.0 * (k == j ? 2.0 : 1.0);
                K[i + k][i + j] += E / a * (k == j ? 1.0 : -1.0);
            }
    auto bar = std::make_shared<LagrangianLinearTIDS>(make_vector(vector(n, 0.0)),
                                                      make_vector(vector(n, -10.0)), banded(n, M));
    bar->setKPtr(banded(n, K));
    example made;
    made.system = std::make_shared<NonSmoothDynamicalSystem>(0.0, 4.0);
    made.system->insertDynamicalSystem(bar);
    made.system->link(contact(n, 0, 0.5037, 0.0), bar);
    made.h = 1e-3;
    made.end = 2.0;
    made.problem = lcp();
    made.outputs = 3;
    made.keep = [bar](double *out) {
        out[0] = (*bar->q())(0);
        out[1] = (*bar->q())(elements);
        out[2] = (*bar->q())(elements / 2);
    };
    return made;
}

const unsigned beam_elements = 10, beam_dof = 2 * beam_elements;

void beam_force(double t, unsigned n, double *force, unsigned, double *)
{
    for (unsigned i = 0; i < n; i++)
        force[i] = 0.0;
    force[n - 2] = 40.0 * std::sin(20.0 * t);
}

example beam()
{
    const unsigned n = beam_dof;
    const double L = 1.0, EI = 20.0, rhoA = 1.0, a = L / beam_elements;
    const double mass[4][4] = {{156, 22 * a, 54, -13 * a},
                               {22 * a, 4 * a * a, 13 * a, -3 * a * a},
                               {54, 13 * a, 156, -22 * a},
                               {-13 * a, -3 * a * a, -22 * a, 4 * a * a}};
    const double stiffness[4][4] = {{12, 6 * a, -12, 6 * a},
                                    {6 * a, 4 * a * a, -6 * a, 2 * a * a},
                                    {-12, -6 * a, 12, -6 * a},
                                    {6 * a, 2 * a * a, -6 * a, 4 * a * a}};
    matrix M(n, vector(n, 0.0)), K = M;
    for (unsigned element = 0; element < beam_elements; element++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                const int p = 2 * int(element) - 2 + i, s = 2 * int(element) - 2 + j;
                if (p >= 0 && s >= 0) {
                    M[unsigned(p)][unsigned(s)] += rhoA * a / 420.0 * mass[i][j];
                    K[unsigned(p)][unsigned(s)] += EI / (a * a * a) * stiffness[i][j];
                }
            }
    auto beam = std::make_shared<LagrangianLinearTIDS>(make_vector(vector(n, 0.0)),
                                                       make_vector(vector(n, 0.0)), make_matrix(M));
    beam->setKPtr(make_matrix(K));
    beam->setComputeFExtFunction(beam_force);
    example made;
    made.system = std::make_shared<NonSmoothDynamicalSystem>(0.0, 2.0);
    made.system->insertDynamicalSystem(beam);
    made.system->link(contact(n, n - 2, 0.1, 0.5), beam);
    made.h = 1e-4;
    made.end = 1.0;
    made.problem = lcp();
    made.outputs = 2;
    made.keep = [beam](double *out) {
        out[0] = (*beam->q())(beam_elements - 2);
        out[1] = (*beam->q())(beam_dof - 2);
    };
    return made;
}

} // namespace

const std::vector<named_example> structures = {{"elastic-bar", elastic_bar}, {"beam", beam}};
