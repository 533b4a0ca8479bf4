/* main; everything else is in program.c, so that tests can link it. */
#include "cli/commands.h"

int main(int argc, char **argv)
{
	return program_run(argc, argv);
}
