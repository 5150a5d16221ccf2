// The systems of bench/examples in Siconos' C++ API.
//
//   siconos NAME FILE     makes the motion several times; writes t and the outputs of every step to FILE
//
// Row:  siconos NAME STEPS NANOSECONDS_PER_STEP
//
// Only the loop of steps is timed, with what each keeps in a matrix, as Siconos' own examples do; the best of at least
// three, seconds of the processor.
#include "siconos.hpp"

#include <SolverOptions.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>

SP::SiconosVector make_vector(const vector &values)
{
    auto made = std::make_shared<SiconosVector>(unsigned(values.size()));
    for (unsigned i = 0; i < values.size(); i++)
        (*made)(i) = values[i];
    return made;
}

SP::SimpleMatrix make_matrix(const matrix &rows)
{
    auto made = std::make_shared<SimpleMatrix>(unsigned(rows.size()), unsigned(rows[0].size()));
    for (unsigned i = 0; i < rows.size(); i++)
        for (unsigned j = 0; j < rows[0].size(); j++)
            (*made)(i, j) = rows[i][j];
    return made;
}

SP::OneStepNSProblem lcp()
{
    auto made = std::make_shared<LCP>();
    made->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-12;
    return made;
}

SP::OneStepNSProblem friction()
{
    auto made = std::make_shared<FrictionContact>(2);
    made->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-8;
    made->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;
    return made;
}

namespace
{

double processor_seconds()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

SP::Simulation simulate(const example &made)
{
    auto times = std::make_shared<TimeDiscretisation>(0.0, made.h);
    if (made.events) {
        auto simulation = std::make_shared<EventDriven>(made.system, times);
        simulation->insertIntegrator(std::make_shared<LsodarOSI>());
        simulation->insertNonSmoothProblem(made.problem, SICONOS_OSNSP_ED_IMPACT);
        simulation->insertNonSmoothProblem(lcp(), SICONOS_OSNSP_ED_SMOOTH_ACC);
        return simulation;
    }
    auto simulation = std::make_shared<TimeStepping>(made.system, times, std::make_shared<MoreauJeanOSI>(0.5),
                                                     made.problem);
    if (made.newton_tolerance > 0.0) {
        simulation->setNewtonTolerance(made.newton_tolerance);
        simulation->setNewtonMaxIteration(50);
    }
    return simulation;
}

// Outputs of time h, 2 h ...: the rows of the matrix; of the simulation only the loop is timed.
double move(const example &made, SimpleMatrix &kept, unsigned &rows)
{
    SP::Simulation simulation = simulate(made);
    simulation->initialize();
    auto *stepping = dynamic_cast<TimeStepping *>(simulation.get());
    auto *events = dynamic_cast<EventDriven *>(simulation.get());
    vector outputs(made.outputs);
    const unsigned steps = kept.size(0);
    rows = 0;
    const double started = processor_seconds();
    while (rows < steps && simulation->hasNextEvent()) {
        bool output = true;
        if (stepping)
            stepping->computeOneStep();
        else {
            events->advanceToEvent();
            output = events->eventsManager()->nextEvent()->getType() == TD_EVENT;
            events->processEvents();
        }
        if (output) {
            made.keep(outputs.data());
            kept(rows, 0) = stepping ? stepping->nextTime() : events->startingTime();
            for (unsigned i = 0; i < made.outputs; i++)
                kept(rows, 1 + i) = outputs[i];
            rows++;
        }
        if (stepping)
            stepping->nextStep();
    }
    return processor_seconds() - started;
}

} // namespace

int main(int argc, char **argv)
{
    make_example make = nullptr;
    for (auto *list : {&balls, &structures, &mechanisms})
        for (auto &one : *list)
            if (argc == 3 && std::strcmp(argv[1], one.name) == 0)
                make = one.make;
    if (!make) {
        std::fprintf(stderr, "usage: %s NAME FILE\nnames:", argv[0]);
        for (auto *list : {&balls, &structures, &mechanisms})
            for (auto &one : *list)
                std::fprintf(stderr, " %s", one.name);
        std::fprintf(stderr, "\n");
        return 2;
    }
    double best = INFINITY, spent = 0.0;
    unsigned rows = 0;
    SP::SimpleMatrix kept;
    for (int i = 0; i < 3 || spent < 0.5; i++) {
        const example made = make();
        kept = std::make_shared<SimpleMatrix>(unsigned(std::lround(made.end / made.h)), 1 + made.outputs);
        const double seconds = move(made, *kept, rows);
        best = std::fmin(best, seconds);
        spent += seconds;
    }
    FILE *file = std::fopen(argv[2], "w");
    if (!file) {
        std::perror(argv[2]);
        return 1;
    }
    for (unsigned i = 0; i < rows; i++) {
        for (unsigned j = 0; j < kept->size(1); j++)
            std::fprintf(file, j ? " %.17g" : "%.17g", (*kept)(i, j));
        std::fprintf(file, "\n");
    }
    std::fclose(file);
    std::printf("siconos %s %u %.1f\n", argv[1], rows, 1e9 * best / rows);
    return 0;
}
