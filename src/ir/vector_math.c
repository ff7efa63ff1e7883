// Which mathematical functions have vector versions.
#include "base/target/cpu.h"
#include "ir/node.h"

bool prim_is_function(Prim op)
{
    return prim_info[op].spelling == SPELT_LIBRARY;
}

bool prim_in_library(const Session *cx, Prim op)
{
    return prim_is_function(op) && !cx->exact_math && cx->cpu->level->family == CPU_X86;
}
