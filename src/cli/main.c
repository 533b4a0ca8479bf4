/* What the system calls: all of the program stands where tests reach it. */
#include "cli/commands.h"

int main(int argc, char **argv)
{
	return program_run(argc, argv);
}
