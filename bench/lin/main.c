// The process of one variant. It does what measure.c asks for by letters on standard input:
// g, f: run with memory that is given, or fresh; answers with the seconds. m: the peak of memory in
// kB. r: the result, a count and the numbers. Answers are binary.
#include "lin.h"

#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void answer(const void *data, size_t bytes)
{
    if (fwrite(data, 1, bytes, stdout) != bytes) exit(1);
}

static double seconds(bool fresh)
{
    double start = now();
    lin_run(fresh);
    return now() - start;
}

// VmHWM and not getrusage: its ru_maxrss begins with that of the process that started this one.
static double peak(void)
{
    char line[256];
    long kb = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "VmHWM:", 6) == 0) kb = strtol(line + 6, NULL, 10);
    if (f) fclose(f);
    return (double)kb;
}

int main(void)
{
    lin_setup();
    for (int c; (c = getchar()) != EOF; fflush(stdout)) {
        double number = c == 'm' ? peak() : 0;
        LinResult result = {0};
        switch (c) {
        case 'g':
        case 'f': number = seconds(c == 'f'); break;
        case 'r': result = lin_result(); break;
        }
        if (c == 'r') {
            answer(&result.count, sizeof result.count);
            answer(result.data, (size_t)result.count * sizeof(double));
        } else {
            answer(&number, sizeof number);
        }
    }
    return 0;
}
