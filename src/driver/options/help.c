// Prints the help texts and the manual page from the tables of options.def.
#include "driver/options/options.h"

#include <string.h>

enum { WIDTH = 100, COLUMN = 24 };

void help_wrap(const char *text, int at, int indent, int width)
{
    printf("%*s", indent > at ? indent - at : 0, "");
    at = at > indent ? at : indent;
    bool first = true;
    while (*text) {
        int len = (int)strcspn(text, " ");
        if (!first && at + 1 + len > width) {
            printf("\n%*s", indent, "");
            at = indent;
            first = true;
        }
        printf("%s%.*s", first ? "" : " ", len, text);
        at += len + !first;
        first = false;
        text += len + (text[len] == ' ');
    }
    putchar('\n');
}

// Formats an option as "-o, --output OUT", or as "--cc[=CC]" if its argument is optional.
static void option_text(const OptionInfo *info, char *text, size_t size)
{
    char letter[8] = "", argument[32] = "";
    if (info->letter) snprintf(letter, sizeof letter, "-%c, ", info->letter);
    if (info->argument && info->argument[0] == '[')
        snprintf(argument, sizeof argument, "[=%s", info->argument + 1);
    else if (info->argument)
        snprintf(argument, sizeof argument, " %s", info->argument);
    snprintf(text, size, "%s--%s%s", letter, info->name, argument);
}

void help_print(void)
{
    printf("adze %s: a language for array programs, and its compiler\n\n", ADZE_VERSION);
    printf("usage: adze COMMAND [OPTIONS] ARGUMENTS\n\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        const CommandInfo *c = &command_info[i];
        int at = printf("  %s %s ", c->name, c->arguments);
        help_wrap(c->purpose, at, COLUMN, WIDTH);
    }
    printf("\n`adze COMMAND --help` lists the options of a command, `adze --version` prints the "
           "version.\n");
    printf("Exit status: 0 success, 1 an error in the program or its data, 2 wrong usage.\n\n");
    printf("examples\n");
    printf("  adze new blur                                 a first program in the folder blur\n");
    printf("  adze run blur/main.adz 'mean([1.0, 4.0])'      compute with it\n");
    printf("  adze run f.adz 'edges(load(\"a.png\"))' -o b.png  on pictures and .npy files\n");
    printf("  adze build f.adz -o out                       C for use in other programs\n");
}

void help_print_command(Command c)
{
    const CommandInfo *info = &command_info[c];
    printf("usage: adze %s [OPTIONS] %s\n\n%s\n\n", info->name, info->arguments, info->purpose);
    for (int i = 0; i < OPT_COUNT; i++) {
        if (!(option_info[i].commands & 1u << c)) continue;
        char text[80];
        option_text(&option_info[i], text, sizeof text);
        help_wrap(option_info[i].help, printf("  %s ", text), COLUMN, WIDTH);
    }
}

// --- the manual page ----------------------------------------------------------------------------

// Prints text for troff, escaping backslashes and hyphens. No line of the text may begin with a
// control character.
static void troff(const char *text)
{
    for (; *text; text++) {
        if (*text == '\\')
            printf("\\e");
        else if (*text == '-')
            printf("\\-");
        else
            putchar(*text);
    }
}

static void manual_command(Command c)
{
    const CommandInfo *info = &command_info[c];
    printf(".SS adze ");
    troff(info->name);
    printf(" [OPTIONS] ");
    troff(info->arguments);
    putchar('\n');
    troff(info->purpose);
    printf(".\n");
    for (int i = 0; i < OPT_COUNT; i++) {
        if (!(option_info[i].commands & 1u << c) || i == OPT_HELP) continue;
        char text[80];
        option_text(&option_info[i], text, sizeof text);
        printf(".TP\n.B ");
        troff(text);
        putchar('\n');
        troff(option_info[i].help);
        putchar('\n');
    }
}

void help_print_manual(void)
{
    static const char *const sections[][2] = {
        {"EXIT STATUS",
         "0 after success, 1 after an error in the program or its data, 2 after wrong usage."},
        {"ENVIRONMENT",
         ".TP\n.B CC\nthe C compiler, with flags if necessary\n"
         ".TP\n.B ADZE_LIB\na folder with modules, searched before the library\n"
         ".TP\n.B ADZE_CACHE\nthe folder with compiled code, also that of kernels; if "
         "empty, none is kept\n"
         ".TP\n.B XDG_CACHE_HOME\nthe folder for caches; without ADZE_CACHE its "
         "folder adze contains compiled code (default: ~/.cache)\n"
         ".TP\n.B XDG_STATE_HOME\nits folder adze contains the history of adze repl "
         "(default: ~/.local/state)"},
        {"EXAMPLES",
         ".nf\nadze new blur\nadze run blur/main.adz 'mean([1.0, 4.0])'\nadze run f.adz "
         "'edges(load(\"a.png\"))' \\-o b.png\nadze build f.adz \\-o out\nadze repl f.adz\nadze "
         "watch test f.adz\n.fi"},
    };
    printf(".TH ADZE 1 \"\" \"adze %s\"\n", ADZE_VERSION);
    printf(".SH NAME\nadze \\- a language for array programs, and its compiler\n");
    printf(".SH SYNOPSIS\n.B adze\nCOMMAND [OPTIONS] ARGUMENTS\n");
    printf(".SH DESCRIPTION\nAdze turns array programs into C. Each command takes ");
    printf("\\-\\-help.\n.B adze errors\nexplains the codes of diagnostics.\n");
    printf(".SH COMMANDS\n");
    for (int c = 0; c < COMMAND_COUNT; c++) manual_command((Command)c);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        printf(".SH %s\n%s\n", sections[i][0], sections[i][1]);
}
