/* The carom program. */
#include "command.h"

int main(int argc, char **argv)
{
    return program_run(argc, argv);
}
