// The command-line program. Its folders, from the bottom up:
//
//   system/     files, temporary files, progress, finding the files that `import` names
//   options/    the command line: options.def has the commands and options
//   host/       the C compiler of this machine, and the cache of compiled libraries
//   pipeline/   sessions, and running and checking the passes of src/pipeline.def in order
//   values/     loading compiled code and calling it on values; array files
//   sizes/      sizes given by the user
//   evaluate/   expressions: reading, interpreting, compiling and printing them
//   explain/    the reports of `adze explain`
//   commands/   the subcommands
//   repl/       `adze repl`
//   watch/      `adze watch`
#ifndef ADZE_DRIVER_DRIVER_H
#define ADZE_DRIVER_DRIVER_H

/// Runs the whole program and returns its exit status: 0 for success, 1 for an error in the Adze
/// program or its data, 2 for wrong usage.
int driver_main(int argc, char **argv);

#endif
