#ifndef ADZE_BENCH_SPREAD_H
#define ADZE_BENCH_SPREAD_H

// Define _GNU_SOURCE before: sched_setaffinity.
#ifdef _OPENMP
#include <omp.h>
#endif
#include <sched.h>

// Moves the threads of OpenMP to different cores. Linux often wakes a thread that slept on the core
// of its caller, which then spins there until its time slice ends. It took some milliseconds, or
// more than a sample, until the thread was moved.
static void spread_threads(void)
{
#if defined _OPENMP && defined __linux__
    cpu_set_t all;
    if (sched_getaffinity(0, sizeof all, &all) != 0) return;
#pragma omp parallel
    {
        int place = omp_get_thread_num() % CPU_COUNT(&all), core = 0;
        while (!CPU_ISSET(core, &all) || place-- > 0) core++;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(core, &one);
        sched_setaffinity(0, sizeof one, &one);
        sched_setaffinity(0, sizeof all, &all);
    }
#endif
}

#endif
