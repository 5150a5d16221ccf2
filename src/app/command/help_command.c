/* carom help [COMMAND]. */
#include <stdio.h>
#include <string.h>

#include "app/command.h"
#include "carom/version.h"

static void print_overview(void)
{
    printf("carom %s: motions with impacts, unilateral contact, clearance and dry friction\n\n",
           CAROM_VERSION);
    for (size_t i = 0; all_commands[i]; i++)
        printf("  carom %-8s %s\n", all_commands[i]->name, all_commands[i]->summary);
    printf("\nfirst steps\n"
           "  carom list experiments                         what there is\n"
           "  carom run moreau-1986/trial-04 --plot pictures run one and draw it\n"
           "  carom help run                                 all options of a command\n");
}

static int run_help(int argc, char **argv)
{
    if (argc < 2) {
        print_overview();
        return EXIT_DONE;
    }
    for (size_t i = 0; all_commands[i]; i++)
        if (strcmp(argv[1], all_commands[i]->name) == 0) {
            printf("carom %s: %s\n\nusage: %s\n\n%s", all_commands[i]->name, all_commands[i]->summary,
                   all_commands[i]->usage, all_commands[i]->help);
            return EXIT_DONE;
        }
    return report_usage(&command_help, "there is no command '%s'", argv[1]);
}

const command command_help = {
    .name = "help",
    .usage = "carom help [COMMAND]",
    .summary = "this text, or all about one command",
    .help = "",
    .run = run_help,
};
