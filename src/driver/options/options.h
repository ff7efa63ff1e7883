// The command line: the tables of options.def, help, processors, targets and the limit of memory.
#ifndef ADZE_DRIVER_OPTIONS_H
#define ADZE_DRIVER_OPTIONS_H

#include "base/target/cpu.h"
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

/// A parsed command line. `values` has one string for each time an option was given ("" without
/// argument).
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

/// Parses argv. Gives -1 if `o` is complete, else the exit status (after help, or a reported
/// mistake).
int options_parse(Arena *arena, int argc, char **argv, Options *o);
bool option_given(const Options *o, OptionId id);
const char *option_value(const Options *o, OptionId id); // the last given one, or NULL

/// Whether the value of the option is a number or the option is not given; reports any other value.
bool option_is_count(const Options *o, OptionId id);

/// The candidate that `text` is a likely misspelling of, or NULL.
const char *closest_name(const char *text, const char *const *candidates, int n);

// help.c
/// Prints text in lines of at most `width` columns from column `indent` on; the cursor is at `at`.
void help_wrap(const char *text, int at, int indent, int width);
void help_print(void);
void help_print_command(Command c);
void help_print_manual(void); // the manual page, troff

// cpu.c

enum { CPU_VERSIONS = 8 }; // of one library, at most

/// The processors of --cpu, the most capable first; `native` stands for this machine.
typedef struct {
    const Cpu *at[CPU_VERSIONS];
    int n;
    bool native;
} CpuChoice;

/// Parses --cpu; reports an error and returns false if it names no processors for the command.
bool cpu_choose(const Options *o, Arena *arena, CpuChoice *out);

// memory_limit.c

/// The limit of --memory-limit or of the machine in bytes; 0 if there is no limit.
size_t memory_limit(const Options *o);

// target.c

/// A target (targets.def). A `serial` target has one thread.
typedef struct {
    const char *name;
    bool serial;
    const char *purpose;
} Target;

/// The target of the options; NULL if no target has that name.
const Target *target_wanted(const Options *o);
/// Whether that target exists; if not, reports the existing targets.
bool target_exists(const Options *o);

#endif
