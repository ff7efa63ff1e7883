// Runs the program: parses the options, runs the command in a thread with a deep stack, and prints
// the report.
#include "driver/driver.h"
#include "driver/commands/commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool math_is_known(const Driver *d)
{
    const char *how = option_value(&d->options, OPT_VECTOR_MATH);
    if (!how || strcmp(how, "exact") == 0 || strcmp(how, "library") == 0) return true;
    fprintf(stderr, "adze %s: --vector-math is `library` or `exact`, not `%s`\n",
            command_info[d->options.command].name, how);
    return false;
}

// Whether the values of the options that many commands have are valid. Reports an error if not.
static bool options_are_valid(Driver *d)
{
    return options_agree(&d->options) && option_is_count(&d->options, OPT_BUDGET) &&
           option_is_count(&d->options, OPT_VECTOR_BYTES) &&
           option_is_count(&d->options, OPT_MEMORY) &&
           cpu_choose(&d->options, d->arena, &d->cpus) && math_is_known(d);
}

// Returns the exit status of the program, which is 1 if output was lost, for example because the
// disk is full. In that case, also reports an error. errno holds the cause only if it was this
// flush that failed.
static int finish_output(int status)
{
    errno = 0;
    bool good = fflush(stdout) == 0 && !ferror(stdout);
    if (good) return status;
    fprintf(stderr, "error %s: standard output cannot be written: %s\n", diag_name(E0706),
            errno ? strerror(errno) : "an earlier write failed");
    return 1;
}

// Sets the environment variables that compiled code reads.
static void options_to_environment(const Options *o)
{
    const char *device = option_value(o, OPT_DEVICE), *cache = option_value(o, OPT_CACHE);
    if (device) setenv("ADZE_DEVICE", device, 1);
    if (cache) setenv("ADZE_CACHE", cache, 1);
    if (option_given(o, OPT_NO_CACHE)) setenv("ADZE_CACHE", "", 1);
    // more than the 6 MiB of stack that recursive functions may use in compiled code (E0612)
    setenv("OMP_STACKSIZE", "16M", 0);
}

static int (*const run_of_command[COMMAND_COUNT])(Driver *d) = {
#define COMMAND(id, name, arguments, least, most, function, purpose) function,
#include "driver/options/options.def"
#undef COMMAND
};

static int run_command(void *env)
{
    Driver *d = env;
    const CommandInfo *info = &command_info[d->options.command];
    if (option_given(&d->options, OPT_JSON)) {
        d->json = json_object();
        json_put(d->json, "command", json_string(info->name));
        json_put(d->json, "diagnostics", json_array());
    }
    options_to_environment(&d->options);
    if (option_given(&d->options, OPT_STATS)) d->stats = stats_new(d->arena);
    int status = options_are_valid(d) ? device_choose(d) : 2;
    if (status == 0) status = run_of_command[d->options.command](d);
    if (d->stats) stats_report(d->stats, d->json);
    if (d->json) {
        json_put(d->json, "ok", json_boolean(status == 0));
        json_dumpf(d->json, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
        putchar('\n');
        json_decref(d->json);
    }
    return finish_output(status);
}

// The commands that run others in child processes, and handle signals themselves.
static const bool runs_others[COMMAND_COUNT] = {[COMMAND_REPL] = true, [COMMAND_WATCH] = true};

static int run(Driver *d)
{
    d->cleanup = cleanup_new();
    int status = run_deep(run_command, d, d->cleanup);
    cleanup_delete(d->cleanup);
    return status;
}

static int run_others(Driver *d)
{
    options_to_environment(&d->options);
    return options_are_valid(d) ? run_of_command[d->options.command](d) : 2;
}

static int run_line(int argc, char **argv, Unsaved unsaved)
{
    Driver d = {.arena = arena_new(), .unsaved = unsaved, .run = run, .run_line = run_line};
    int status = options_parse(d.arena, argc, argv, &d.options);
    if (status >= 0) {
        status = finish_output(status);
    } else if (runs_others[d.options.command]) {
        status = finish_output(run_others(&d));
    } else {
        status = run(&d);
    }
    arena_delete(d.arena);
    return status;
}

int driver_main(int argc, char **argv)
{
    return run_line(argc, argv, (Unsaved){0});
}
