// measure NAME LINES [VARIANT=]PROGRAM...: runs the variants of one program, each a process (main.c).
// The first is the reference, which is not timed; that of the name "c++" is what the others are
// compared with. Results are checked; then all run in turn, one run each, and so on for some rounds.
// A ratio above 1 is better than C++. Names that begin with "(" are no variants but what the machine
// can do: they are not checked. Appends a line for each variant to the file LINES.
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { VARIANTS = 16, ROUNDS = 15, LEAST_ROUNDS = 5 };

// Seconds for the rounds of all variants together; fewer rounds where that is not enough.
static const double BUDGET = 30;
static const double TOLERANCE = 1e-9;

typedef struct {
    const char *name;
    pid_t pid;
    FILE *to, *from;
    double kb;
    double given[ROUNDS], fresh[ROUNDS];
} Variant;

typedef struct {
    double low, median, high;
} Spread;

static const char *program;

static void fail(const char *variant, const char *message)
{
    fprintf(stderr, "lin: %s: %s: %s\n", program, variant, message);
    exit(1);
}

static void start(Variant *v, const char *path)
{
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC)) fail(v->name, "no pipe");
    v->pid = fork();
    if (v->pid < 0) fail(v->name, "no process");
    if (v->pid == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        execl(path, path, (char *)NULL);
        _exit(127);
    }
    close(to[0]), close(from[1]);
    v->to = fdopen(to[1], "w");
    v->from = fdopen(from[0], "r");
}

static void stop(Variant *v)
{
    fclose(v->to);
    fclose(v->from);
    waitpid(v->pid, NULL, 0);
}

static void ask(Variant *v, char what)
{
    if (fputc(what, v->to) == EOF || fflush(v->to) == EOF) fail(v->name, "it ended");
}

static void get(Variant *v, void *data, size_t bytes)
{
    if (fread(data, 1, bytes, v->from) != bytes) fail(v->name, "it failed");
}

static double number(Variant *v, char what)
{
    double x;
    ask(v, what);
    get(v, &x, sizeof x);
    return x;
}

static double *result(Variant *v, int64_t *count)
{
    ask(v, 'r');
    get(v, count, sizeof *count);
    double *data = malloc((size_t)*count * sizeof *data + 1);
    if (!data) fail(v->name, "not enough memory");
    get(v, data, (size_t)*count * sizeof *data);
    return data;
}

// Reads the result piece by piece: the reference's is memory enough.
static void check(Variant *v, const double *expected, int64_t count)
{
    enum { PIECE = 1 << 16 };
    static double piece[PIECE];
    int64_t got;
    double worst = 0;
    ask(v, 'r');
    get(v, &got, sizeof got);
    if (got != count) fail(v->name, "the result has another size");
    for (int64_t i = 0; i < count; i += PIECE) {
        int64_t n = count - i < PIECE ? count - i : PIECE;
        get(v, piece, (size_t)n * sizeof *piece);
        for (int64_t j = 0; j < n; j++) {
            double apart = fabs(piece[j] - expected[i + j]) / (1 + fabs(expected[i + j]));
            if (!(apart <= worst)) worst = apart;
        }
    }
    if (worst <= TOLERANCE) return;
    fprintf(stderr, "lin: %s: %s differs from the reference by %g\n", program, v->name, worst);
    exit(1);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static Spread spread(const double *values, int count)
{
    double sorted[ROUNDS];
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_value);
    return (Spread){sorted[0], sorted[count / 2], sorted[count - 1]};
}

// The median of what is gained in each round.
static double ratio(const double *theirs, const double *ours, int count)
{
    double ratios[ROUNDS];
    for (int r = 0; r < count; r++) ratios[r] = theirs[r] / ours[r];
    return spread(ratios, count).median;
}

// The first run, which is not counted, tells how long a round takes.
static int first_runs(Variant *v, int count)
{
    double once = 0;
    for (int k = 1; k < count; k++) {
        once += 2 * number(&v[k], 'g');
        v[k].kb = number(&v[k], 'm');
    }
    int rounds = (int)(BUDGET / once);
    return rounds < LEAST_ROUNDS ? LEAST_ROUNDS : rounds > ROUNDS ? ROUNDS : rounds;
}

static void run_rounds(Variant *v, int count, int rounds)
{
    for (int r = 0; r < rounds; r++) {
        for (int k = 0; k < count - 1; k++) { // another one begins each time
            Variant *now = &v[1 + (k + r) % (count - 1)];
            now->given[r] = number(now, 'g');
            now->fresh[r] = number(now, 'f');
        }
    }
}

static void report(const Variant *v, const Variant *base, int rounds, FILE *lines)
{
    Spread t = spread(v->given, rounds);
    double given = ratio(base->given, v->given, rounds);
    double fresh = ratio(base->fresh, v->fresh, rounds);
    printf("%-10s %-18s %9.2f ms (%8.2f -%8.2f)  %6.2f  %6.2f   %9.0f kB  %5.2f\n", program,
           v->name, t.median * 1e3, t.low * 1e3, t.high * 1e3, given, fresh, v->kb,
           v->kb / base->kb);
    fprintf(lines, "%s\t%s\t%.9g\t%.9g\t%.9g\t%.4f\t%.4f\t%.0f\t%.4f\n", program, v->name, t.median,
            t.low, t.high, given, fresh, v->kb, v->kb / base->kb);
}

int main(int argc, char **argv)
{
    static Variant v[VARIANTS];
    int count = argc - 3, base = 0;
    if (count < 2 || count > VARIANTS) return 2;
    program = argv[1];
    FILE *lines = fopen(argv[2], "a");
    if (!lines) fail(argv[2], "cannot be written");
    for (int k = 0; k < count; k++) {
        char *path = strchr(argv[3 + k], '=');
        if (!path) return 2;
        *path++ = 0;
        v[k].name = argv[3 + k];
        if (strcmp(v[k].name, "c++") == 0) base = k;
        start(&v[k], path);
    }
    int64_t size;
    int rounds = first_runs(v, count);
    number(&v[0], 'g');
    double *expected = result(&v[0], &size);
    stop(&v[0]);
    for (int k = 1; k < count; k++)
        if (v[k].name[0] != '(') check(&v[k], expected, size);
    free(expected);
    run_rounds(v, count, rounds);
    for (int k = 1; k < count; k++) {
        report(&v[k], &v[base], rounds, lines);
        stop(&v[k]);
    }
    return fclose(lines) != 0;
}
