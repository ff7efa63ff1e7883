// The command line: the tables of options.def, help, processors, targets and the memory limit.
#ifndef ADZE_DRIVER_OPTIONS_H
#define ADZE_DRIVER_OPTIONS_H

#include "base/target/cpu.h"
#include "base/target/target.h"
#include "driver/system/system.h"

typedef enum {
#define COMMAND(id, name, arguments, least, most, function, purpose) COMMAND_##id,
#include "driver/options/options.def"
#undef COMMAND
    COMMAND_COUNT
} Command;

typedef enum {
#define OPTION(id, name, letter, argument, commands, help) OPT_##id,
#include "driver/options/options.def"
#undef OPTION
    OPT_COUNT
} OptionId;

/// A parsed command line. `values` has one string for each time an option was given: its argument,
/// or "" if it had none.
typedef struct {
    Command command;
    Strings arguments;
    Strings values[OPT_COUNT];
} Options;

typedef struct {
    const char *name, *arguments;
    int least, most;
    const char *purpose;
} CommandInfo;
extern const CommandInfo command_info[COMMAND_COUNT];

typedef struct {
    const char *name;
    char letter;
    const char *argument;
    unsigned commands;
    const char *help;
} OptionInfo;
extern const OptionInfo option_info[OPT_COUNT];

/// Parses argv into `o`. Returns -1 if the command is to run. Otherwise help was printed or an
/// error reported, and the result is the exit status.
int options_parse(Arena *arena, int argc, char **argv, Options *o);
bool option_given(const Options *o, OptionId id);
const char *option_value(const Options *o, OptionId id); // the last value given, or NULL

/// Returns true if the option was not given or its value is a number. Reports any other value and
/// returns false.
bool option_is_count(const Options *o, OptionId id);

/// Returns true if no two of the given options exclude each other. Reports two that do.
bool options_agree(const Options *o);

/// Returns the candidate that `text` is most likely a misspelling of, or NULL if none is close.
const char *closest_name(const char *text, const char *const *candidates, int n);

// help.c
/// Prints text indented to column `indent` and wrapped to `width` columns. The cursor is initially
/// in column `at`.
void help_wrap(const char *text, int at, int indent, int width);
void help_print(void);
void help_print_command(Command c);
void help_print_manual(void); // the manual page in troff format

// cpu.c

enum { CPU_VERSIONS = 8 }; // the maximum number of versions in a library

/// The processors that --cpu selects, the most capable one first. `native` is set if it selects
/// this machine, which is the default.
typedef struct {
    const Cpu *at[CPU_VERSIONS];
    int n;
    bool native;
} CpuChoice;

/// Returns the flags for the C compiler for version i.
const char *cpu_flags(const CpuChoice *c, int i, Arena *arena);

/// Parses --cpu. Reports an error and returns false if its value is not valid for the command.
bool cpu_choose(const Options *o, Arena *arena, CpuChoice *out);

// memory_limit.c

/// Returns the memory limit in bytes: that of --memory-limit, or else three quarters of the
/// available memory. 0 means that there is no limit.
size_t memory_limit(const Options *o);

// target.c

/// Returns the target that the options select, or NULL if no target has that name.
const Target *target_wanted(const Options *o);
/// Whether the selected target exists. If not, reports an error that lists the targets.
bool target_exists(const Options *o);
/// Whether the selected target has a device, and so kernels. If not, reports an error that lists
/// the targets that have one.
bool target_has_kernels(const Options *o);

#endif
