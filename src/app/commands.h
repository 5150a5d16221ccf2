/* The commands of the program, one line each, in the order of carom help. */
#ifndef CAROM_APP_COMMANDS_H
#define CAROM_APP_COMMANDS_H

/* clang-format off */
#define COMMANDS(ENTRY)     \
    ENTRY(command_run)      \
    ENTRY(command_resume)   \
    ENTRY(command_list)     \
    ENTRY(command_show)     \
    ENTRY(command_check)    \
    ENTRY(command_plot)     \
    ENTRY(command_report)   \
    ENTRY(command_converge) \
    ENTRY(command_sweep)    \
    ENTRY(command_fit)      \
    ENTRY(command_bifurcation) \
    ENTRY(command_basin)    \
    ENTRY(command_solve)    \
    ENTRY(command_bench)    \
    ENTRY(command_impact)   \
    ENTRY(command_orbit)    \
    ENTRY(command_continue) \
    ENTRY(command_modes)    \
    ENTRY(command_lyapunov) \
    ENTRY(command_help)
/* clang-format on */

#endif
