// The command line program. Its folders, from the bottom up:
//
//   system/     files, temporary files, progress, the files that `import` finds
//   options/    the command line: options.def has the commands and options, targets.def the targets
//   host/       the C compiler of this machine, and the cache of compiled libraries
//   pipeline/   a session, and the passes of src/pipeline.def, run and checked in order
//   values/     compiled code in this process, called on values; files of arrays
//   sizes/      sizes that a user gives
//   explain/    the reports of `adze explain`
//   commands/   one subcommand each
#ifndef ADZE_DRIVER_DRIVER_H
#define ADZE_DRIVER_DRIVER_H

/// The whole program; gives its exit status: 0 good, 1 the program's or user's error, 2 wrong
/// usage.
int driver_main(int argc, char **argv);

#endif
