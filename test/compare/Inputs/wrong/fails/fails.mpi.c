// fails.mpi.c: one process answers.
#include "../one_process_answers.h"

int main(int argc, char **argv) { return oneProcessAnswers(argc, argv); }
