/* carom help [COMMAND]. */
#include <stdio.h>
#include <string.h>

#include "app/command.h"
#include "carom/version.h"

static void print_overview(void)
{
    printf("carom %s: motions with impacts, unilateral contact, clearance and dry friction\n\n",
           CAROM_VERSION);
    for (size_t i = 0; i < command_count(); i++)
        printf("  carom %-8s %s\n", command_at(i)->name, command_at(i)->summary);
    printf("\nfirst steps\n"
           "  carom list experiments                         what there is\n"
           "  carom run moreau-1986/trial-04 --plot pictures run one and draw it\n"
           "  carom help run                                 all options of a command\n");
}

/* The text, with the names of all laws in place of {impact laws}. */
static void print_help(const char *help)
{
    static const char place[] = "{impact laws}";
    const char *found = strstr(help, place);
    if (!found) {
        printf("%s", help);
        return;
    }
    printf("%.*s", (int)(found - help), help);
    for (size_t i = 0; i < carom_impact_law_count(); i++)
        printf("%s%s", i ? ", " : "", carom_impact_law_at(i)->name);
    printf("%s", found + sizeof place - 1);
}

static int run_help(int argc, char **argv)
{
    if (argc < 2) {
        print_overview();
        return EXIT_DONE;
    }
    const command *found = command_find(argv[1], NULL);
    if (found) {
        printf("carom %s: %s\n\nusage: %s\n\n", found->name, found->summary, found->usage);
        print_help(found->help);
        if (found->option_count > 0)
            fputs(units_help, stdout);
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
