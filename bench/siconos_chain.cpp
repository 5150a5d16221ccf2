// A chain of Hertz beads struck at one end, by the multiple-impact model of Siconos (MultipleImpact with
// MultipleImpactNSL, the LZB law on the impulse scale).
//
//   siconos_chain BEADS IMPULSE_STEP SECONDS_MOST
//
// Row:  siconos BEADS STEPS SECONDS ended|cut V1 V_LAST-1 V_LAST
//
// Only the steps of the law are timed, in the order in which MultipleImpact::ComputeImpact takes them; what
// finds the impact and sets up its matrix is not. `cut`: SECONDS_MOST were over before the impact was.
#include <SiconosKernel.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

const double radius = 0.01, mass = 0.0325887878, stiffness = 1.0515947e10; // steel

double processor_seconds()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

class TimedImpact : public MultipleImpact
{
  public:
    TimedImpact(double step, double seconds_most) : MultipleImpact("BiStiffness", step), most(seconds_most)
    {
        // The tolerances of carom's run: 1e-6 m/s and 1e-14 J.
        SetZeroVelEndImp(1e-6);
        SetZeroEnerEndImp(1e-14);
    }

    int compute(double) override
    {
        PreComputeImpact();
        const double started = processor_seconds();
        for (ended = false; !ended;) {
            Check_stateContact();
            ended = IsMulImpactTerminate();
            if (ended || (steps % 64 == 0 && processor_seconds() - started > most))
                break;
            SelectPrimaContact();
            Compute_distributionVector();
            ComputeImpulseContact();
            Compute_velocityContact();
            Compute_energyContact();
            steps++;
        }
        seconds = processor_seconds() - started;
        PostComputeImpact();
        return 0;
    }

    long steps = 0;
    double seconds = 0.0, most;
    bool ended = false;
};

} // namespace

int main(int argc, char **argv)
{
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s BEADS IMPULSE_STEP SECONDS_MOST\n", argv[0]);
        return 2;
    }
    const unsigned beads = unsigned(std::atoi(argv[1]));

    auto system = std::make_shared<NonSmoothDynamicalSystem>(0.0, 1.0);
    std::vector<SP::LagrangianLinearTIDS> balls;
    for (unsigned i = 0; i < beads; i++) {
        auto q = std::make_shared<SiconosVector>(1), v = std::make_shared<SiconosVector>(1);
        (*q)(0) = 2.0 * radius * i;
        (*v)(0) = i == 0 ? 1.0 : 0.0;
        auto m = std::make_shared<SimpleMatrix>(1, 1);
        (*m)(0, 0) = mass;
        balls.push_back(std::make_shared<LagrangianLinearTIDS>(q, v, m));
        system->insertDynamicalSystem(balls.back());
    }
    auto law = std::make_shared<MultipleImpactNSL>(1.0, stiffness, 1.5);
    std::vector<SP::Interaction> contacts;
    for (unsigned j = 0; j + 1 < beads; j++) {
        auto direction = std::make_shared<SimpleMatrix>(1, 2);
        (*direction)(0, 0) = -1.0;
        (*direction)(0, 1) = 1.0;
        auto offset = std::make_shared<SiconosVector>(1);
        (*offset)(0) = -2.0 * radius;
        contacts.push_back(
            std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(direction, offset)));
        system->link(contacts.back(), balls[j], balls[j + 1]);
    }

    auto impact = std::make_shared<TimedImpact>(std::atof(argv[2]), std::atof(argv[3]));
    auto simulation = std::make_shared<EventDriven>(system, std::make_shared<TimeDiscretisation>(0.0, 0.1));
    simulation->insertIntegrator(std::make_shared<LsodarOSI>());
    simulation->insertNonSmoothProblem(impact, SICONOS_OSNSP_ED_IMPACT);
    simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
    simulation->initialize();
    simulation->updateIndexSets();
    for (auto &contact : contacts)
        contact->swapInOldVariables(); // where the law looks for velocities before the impact
    impact->compute(0.0);

    // v of the beads from the relative velocities after the impact: momentum is kept.
    std::vector<double> relative, velocity(beads);
    for (auto &contact : contacts)
        relative.push_back((*contact->y(1))(0));
    double sum = 0.0, momentum = 0.0;
    for (unsigned i = 0; i < beads; i++) {
        velocity[i] = sum;
        momentum += sum;
        if (i + 1 < beads)
            sum += relative[i];
    }
    const double shift = (1.0 - momentum) / beads;
    std::printf("siconos %u %ld %.6f %s %.9f %.9f %.9f\n", beads, impact->steps, impact->seconds,
                impact->ended ? "ended" : "cut", velocity[0] + shift, velocity[beads - 2] + shift,
                velocity[beads - 1] + shift);
    return 0;
}
