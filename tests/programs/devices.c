// Programs for a device: what each entry means against every level below, and against the compiled
// C with its kernels, nearly all as exact field elements. Oclgrind, where it is installed, runs the
// kernels and reports races, accesses outside of memory and wrong calls of OpenCL.
//
//   ALL=1                  all programs, and not one in eight
//   DEVICE=1               on the device of ADZE_DEVICE, or the first one, instead of Oclgrind
//   TARGET=cuda            by CUDA, for example with the driver that tests/device/run.sh makes
//   ONLY=pads, KEEP=DIR    as for the differential test
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <glob.h>

#include "programs/jobs.h"

// Whether the program means the same for a device: no schedule of its own for lanes, no reduction by
// an operator that is not associative, which the default schedule regroups, and no shared arrays of
// the host.
static bool is_for_devices(const char *path)
{
    return !strstr(path, "/spaces.adz") && !strstr(path, "/auto_rows.adz") &&
           !strstr(path, "/arrays_any_rank.adz");
}

// The numbers of a device are not those of a processor to the last bit, so that field elements are
// compared; but a sort of floats for a device takes their bits, which as field elements have
// another order.
static Algebra algebra_for(const char *path)
{
    return strstr(path, "/std_sort.adz") ? ALGEBRA_IEEE : ALGEBRA_FIELD;
}

// Makes Oclgrind the only driver that OpenCL finds, with its reports in a log of the program.
// Without optimisation it knows all instructions.
static void use_oclgrind(void)
{
    static const char driver[] = "/usr/lib/oclgrind/liboclgrind-rt-icd.so";
    if (getenv("DEVICE") || access(driver, R_OK) != 0) return;
    setenv("OCL_ICD_VENDORS", driver, 1);
    setenv("ADZE_CACHE", "", 1); // compiled kernels have no lines to report
    setenv("OCLGRIND_DATA_RACES", "1", 1);
    setenv("OCLGRIND_CHECK_API", "1", 1);
    setenv("OCLGRIND_BUILD_OPTIONS", "-cl-opt-disable", 1);
    setenv("OCLGRIND_LOCAL_MEM_SIZE", "262144", 1); // field elements are larger than numbers
}

int main(void)
{
    enum { ONE_IN = 8 };
    const char *target = getenv("TARGET");
    Device device = target && strcmp(target, "cuda") == 0 ? DEVICE_CUDA : DEVICE_OPENCL;
    if (device == DEVICE_OPENCL) use_oclgrind();
    static const char *const places[] = {"tests/programs/*.adz", "examples/*.adz",
                                         "bench/shine/*/*.adz"};
    const char *only = getenv("ONLY");
    glob_t found = {0};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        glob(places[i], i ? GLOB_APPEND : 0, NULL, &found);
    Arena *arena = arena_new();
    Job *programs = ARENA_ARRAY(arena, Job, found.gl_pathc + 1);
    int n = 0;
    size_t step = only || getenv("ALL") ? 1 : ONE_IN;
    for (size_t i = 0; i < found.gl_pathc; i += step)
        if (is_for_devices(found.gl_pathv[i]) && (!only || strstr(found.gl_pathv[i], only)))
            programs[n++] = (Job){.path = found.gl_pathv[i],
                                  .device = device,
                                  .algebra = algebra_for(found.gl_pathv[i])};
    int failed = test_jobs(arena, "devices", programs, n);
    globfree(&found);
    arena_delete(arena);
    return failed;
}
