// Parses the command line with getopt_long, following the tables of options.def.
#include "driver/options/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "adze_commit.h"

const CommandInfo command_info[COMMAND_COUNT] = {
#define COMMAND(id, name, arguments, least, most, function, purpose)                               \
    {name, arguments, least, most, purpose},
#include "driver/options/options.def"
#undef COMMAND
};

static const char print_after_help[] = "print the program as a pass leaves it:"
#define PASS(id, from, to, purpose) " " #id
#include "pipeline.def"
    ;

static const char cpu_help[] =
    "the target processor: native (this machine, the default)"
#define LEVEL(id, name, short, family, flags, bytes, registers, fma, masks, tests) ", " name short
#define CPU(name, short, level, tune, costs, tests)                                ", " name short
#define SHORT(text)                                                                " or " text
#define NO_SHORT
#include "base/target/cpu.def"
    "; for build also several, such as v2,v3,v4: the program selects a version at run time";

#define ON(command) (1u << COMMAND_##command)
#define COMPILING   (ON(RUN) | ON(TEST) | ON(BENCH) | ON(REPL))
#define READING     (ON(RUN) | ON(BUILD) | ON(CHECK) | ON(TEST) | ON(BENCH) | ON(EXPLAIN))
#define EVERYWHERE  (~0u)
const OptionInfo option_info[OPT_COUNT] = {
#define OPTION(id, name, letter, argument, commands, help) {name, letter, argument, commands, help},
#include "driver/options/options.def"
#undef OPTION
};

bool option_given(const Options *o, OptionId id)
{
    return o->values[id].len > 0;
}

const char *option_value(const Options *o, OptionId id)
{
    return option_given(o, id) ? vec_last(&o->values[id]) : NULL;
}

bool option_is_count(const Options *o, OptionId id)
{
    const char *text = option_value(o, id);
    if (!text || (*text && strspn(text, "0123456789") == strlen(text))) return true;
    fprintf(stderr, "adze %s: --%s takes a number, not `%s`\n", command_info[o->command].name,
            option_info[id].name, text);
    return false;
}

// Of the options in a row, one at most may be given. Interpreters run on no device.
enum { MOST_ALTERNATIVES = 7 };
static const struct {
    int n;
    OptionId of[MOST_ALTERNATIVES];
} alternatives[] = {
    {2, {OPT_SPECIALISE, OPT_GENERAL}},
    {2, {OPT_INTERPRET, OPT_DEVICE}},
    {2, {OPT_INTERPRET, OPT_PROFILE}},
    {2, {OPT_RACES, OPT_DEVICE}},
    {2, {OPT_PYTHON, OPT_PREFIX}},
    {2, {OPT_PLAIN, OPT_LOWER}},
    {7,
     {OPT_STAGE, OPT_PRINT_AFTER, OPT_TRACE, OPT_LANES, OPT_SCHEDULE, OPT_WHY_RESIDUAL, OPT_HTML}},
};

bool options_agree(const Options *o)
{
    for (size_t k = 0; k < sizeof alternatives / sizeof *alternatives; k++) {
        OptionId first = OPT_COUNT;
        for (int i = 0; i < alternatives[k].n; i++) {
            OptionId id = alternatives[k].of[i];
            if (!option_given(o, id)) continue;
            if (first != OPT_COUNT) {
                fprintf(stderr, "adze %s: --%s and --%s exclude each other\n",
                        command_info[o->command].name, option_info[first].name,
                        option_info[id].name);
                return false;
            }
            first = id;
        }
    }
    return true;
}

// --- suggestions --------------------------------------------------------------------------------

// Returns the number of letters to insert, remove or change to turn `a` into `b`, or MAX if either
// is longer than MAX.
static int edit_distance(const char *a, const char *b)
{
    enum { MAX = 40 };
    int row[MAX + 1], n = (int)strlen(a), m = (int)strlen(b);
    if (n > MAX || m > MAX) return MAX;
    for (int j = 0; j <= m; j++) row[j] = j;
    for (int i = 1; i <= n; i++) {
        int before = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int old = row[j];
            row[j] = before + (a[i - 1] != b[j - 1]);
            if (old + 1 < row[j]) row[j] = old + 1;
            if (row[j - 1] + 1 < row[j]) row[j] = row[j - 1] + 1;
            before = old;
        }
    }
    return row[m];
}

const char *closest_name(const char *text, const char *const *candidates, int n)
{
    const char *best = NULL;
    int least = 1 + (int)strlen(text) / 3;
    for (int i = 0; i < n; i++) {
        int distance = edit_distance(text, candidates[i]);
        if (distance > least) continue;
        best = candidates[i];
        least = distance - 1;
    }
    return best;
}

// --- mistakes -----------------------------------------------------------------------------------

enum { GOOD = 0, WRONG_USAGE = 2 };

// Returns the command that other tools call `text`, or NULL if there is none.
static const char *other_name(const char *text)
{
    static const struct {
        const char *other, *name;
    } names[] = {
        {"compile", "build"}, {"cc", "build"},    {"make", "build"}, {"emit", "build"},
        {"exec", "run"},      {"execute", "run"}, {"eval", "run"},   {"lint", "check"},
        {"format", "fmt"},    {"init", "new"},    {"create", "new"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].other, text) == 0) return names[i].name;
    return NULL;
}

static int unknown_command(const char *text)
{
    size_t len = strlen(text);
    if (len > 4 && strcmp(text + len - 4, ".adz") == 0) {
        fprintf(stderr,
                "adze: `%s` is a file, but the first argument is a command: `adze run %s EXPR` "
                "computes a value, `adze build %s` writes C, `adze check %s` reports errors\n",
                text, text, text, text);
        return WRONG_USAGE;
    }
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++) names[i] = command_info[i].name;
    const char *close = other_name(text);
    if (!close) close = closest_name(text, names, COMMAND_COUNT);
    fprintf(stderr, "adze: there is no command `%s`", text);
    if (close) fprintf(stderr, "; did you mean `%s`?", close);
    fprintf(stderr, "\n`adze --help` lists the commands\n");
    return WRONG_USAGE;
}

static int wrong_option(Command c, const char *text, const char *what)
{
    const char *names[OPT_COUNT];
    int n = 0;
    for (int i = 0; i < OPT_COUNT; i++)
        if (option_info[i].commands & 1u << c) names[n++] = option_info[i].name;
    char bare[64];
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(text + strspn(text, "-"), "="),
             text + strspn(text, "-"));
    const char *close = what ? NULL : closest_name(bare, names, n);
    fprintf(stderr, "adze %s: %s `%s`", command_info[c].name, what ? what : "there is no option",
            text);
    if (close) fprintf(stderr, "; did you mean `--%s`?", close);
    fprintf(stderr, "\n`adze %s --help` lists the options\n", command_info[c].name);
    return WRONG_USAGE;
}

// Reports a negative number, which getopt takes for an option.
static int negative(Command c, int digit)
{
    fprintf(stderr,
            "adze %s: `-%c` begins an option; write a negative number as (-%c), or after --\n",
            command_info[c].name, digit, digit);
    return WRONG_USAGE;
}

static int wrong_count(Command c, int n)
{
    const CommandInfo *info = &command_info[c];
    fprintf(stderr, "adze %s: %s; usage: adze %s [OPTIONS] %s\n", info->name,
            n < info->least ? "an argument is missing" : "too many arguments", info->name,
            info->arguments);
    fprintf(stderr, "`adze %s --help` describes the arguments\n", info->name);
    return WRONG_USAGE;
}

// --- parsing ------------------------------------------------------------------------------------

// getopt_long returns the letter of a short option, or LONG_BASE + the row of a long option.
enum { LONG_BASE = 256 };

// Fills in the tables that getopt_long needs for the options of a command.
static void getopt_tables(Command c, struct option *longs, char *shorts)
{
    if (c == COMMAND_WATCH) *shorts++ = '+'; // options after COMMAND belong to it
    *shorts++ = ':'; // makes getopt tell a missing argument from an unknown option
    for (int i = 0; i < OPT_COUNT; i++) {
        const OptionInfo *info = &option_info[i];
        if (!(info->commands & 1u << c)) continue;
        bool optional = info->argument && info->argument[0] == '[';
        int has = !info->argument ? no_argument : optional ? optional_argument : required_argument;
        *longs++ = (struct option){info->name, has, NULL, LONG_BASE + i};
        if (!info->letter) continue;
        *shorts++ = info->letter;
        for (int k = 0; k < has; k++) *shorts++ = ':';
    }
    *longs = (struct option){0};
    *shorts = '\0';
}

static OptionId option_of(Command c, int value)
{
    if (value >= LONG_BASE) return (OptionId)(value - LONG_BASE);
    int i = 0;
    while (!(option_info[i].letter == value && option_info[i].commands & 1u << c)) i++;
    return (OptionId)i;
}

static int parse_options(Arena *arena, int argc, char **argv, Options *o)
{
    struct option longs[OPT_COUNT + 1];
    char shorts[3 * OPT_COUNT + 3], unknown[3] = "-?";
    getopt_tables(o->command, longs, shorts);
    optind = 0; // resets getopt
    opterr = 0;
    for (int value; (value = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        if (value == ':')
            return wrong_option(o->command, argv[optind - 1], "an argument is missing after");
        if (value == '?' && optopt >= LONG_BASE)
            return wrong_option(o->command, argv[optind - 1], "no argument is taken by");
        if (value == '?' && optopt >= '0' && optopt <= '9') return negative(o->command, optopt);
        if (value == '?' && optopt) {
            unknown[1] = (char)optopt;
            return wrong_option(o->command, unknown, NULL);
        }
        if (value == '?') return wrong_option(o->command, argv[optind - 1], NULL);
        vec_push(arena, &o->values[option_of(o->command, value)], optarg ? optarg : "");
    }
    for (int i = optind; i < argc; i++) vec_push(arena, &o->arguments, argv[i]);
    return -1;
}

static bool is_one_of(const char *text, const char *a, const char *b, const char *c)
{
    return strcmp(text, a) == 0 || strcmp(text, b) == 0 || strcmp(text, c) == 0;
}

static int find_command(const char *text)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(command_info[i].name, text) == 0) return i;
    return -1;
}

static int help(const char *command)
{
    if (!command) {
        help_print();
        return GOOD;
    }
    int c = find_command(command);
    if (c < 0) return unknown_command(command);
    help_print_command((Command)c);
    return GOOD;
}

int options_parse(Arena *arena, int argc, char **argv, Options *o)
{
    *o = (Options){0};
    if (argc < 2) {
        fprintf(stderr, "usage: adze COMMAND [OPTIONS] ...\n`adze --help` lists the commands\n");
        return WRONG_USAGE;
    }
    const char *first = argv[1];
    if (is_one_of(first, "--help", "-h", "help")) return help(argc > 2 ? argv[2] : NULL);
    if (is_one_of(first, "--version", "-V", "version")) {
        printf("adze %s%s%s%s\n", ADZE_VERSION, *ADZE_COMMIT ? " (commit " : "", ADZE_COMMIT,
               *ADZE_COMMIT ? ")" : "");
        return GOOD;
    }
    if (strcmp(first, "--manual") == 0) {
        help_print_manual();
        return GOOD;
    }
    int c = find_command(first);
    if (c < 0) return unknown_command(first);
    o->command = (Command)c;
    int status = parse_options(arena, argc - 1, argv + 1, o);
    if (status >= 0) return status;
    if (option_given(o, OPT_HELP)) {
        help_print_command(o->command);
        return GOOD;
    }
    int n = o->arguments.len, most = command_info[c].most;
    if (n < command_info[c].least || (most >= 0 && n > most)) return wrong_count(o->command, n);
    return -1;
}
