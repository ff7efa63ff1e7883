// Functions such as exp on vectors. glibc's libmvec computes all lanes of a machine vector at once,
// with an error of at most 4 ULP. In the vector ABI of x86-64, _ZGVeN16v_expf is expf on 16 lanes
// of AVX-512. Wider vectors are split. If the C compiler targets another processor or C library, or
// a vector is shorter than 16 bytes, the function loops over lanes.
#include "emit/vector/vec.h"

#include "base/target/cpu.h"

enum { LEAST = 16 }; // bytes of the library's shortest vector

// Returns the letter of the vector ABI for vectors of this size in bytes.
static char letter(int bytes)
{
    return bytes == 64 ? 'e' : bytes == 32 ? 'd' : 'b';
}

// Returns the number of bytes per call to the library, or 0 if it has no such function.
static int bytes_at_once(const Emitter *e, Node *x)
{
    Scalar s = vec_element(x->type);
    if (x->kind != CORE_PRIM || e->options->field || x->type->kind != TYPE_VEC) return 0;
    if (!prim_in_library(e->cx, (Prim)x->attr.i) || s == SCALAR_F16) return 0;
    int64_t bytes = vec_lanes(x->type) * scalar_info[s].size,
            most = e->cx->cpu->level->vector_bytes;
    return bytes < LEAST ? 0 : (int)(bytes < most ? bytes : most);
}

static const char *name_in_library(const Emitter *e, Node *x, int bytes)
{
    Scalar s = vec_element(x->type);
    return arena_printf(e->arena, "_ZGV%cN%d%s_%s%s", letter(bytes), bytes / scalar_info[s].size,
                        x->nops == 1 ? "v" : "vv", prim_info[x->attr.i].c,
                        s == SCALAR_F64 ? "" : "f");
}

bool vec_math_begin(Emitter *e, Node *x, Text *body)
{
    int bytes = bytes_at_once(e, x);
    if (bytes == 0) return false;
    Scalar s = vec_element(x->type);
    int64_t part = bytes / scalar_info[s].size, calls = vec_lanes(x->type) / part;
    bool two = x->nops > 1;
    const char *name = name_in_library(e, x, bytes), *type = vec_type_named(e, s, part);
    support_need(e, "libmvec");
    if (vec_is_new(e, name))
        text_printf(&e->vector_functions,
                    "\n#if ADZE_LIBMVEC >= %d\n__attribute__((const)) %s %s(%s%s%s);\n#endif\n",
                    bytes, type, name, type, two ? ", " : "", two ? type : "");
    text_printf(body, "#if ADZE_LIBMVEC >= %d\n", bytes);
    if (calls == 1) {
        text_printf(body, "    return %s(%s);\n", name, two ? "a, b" : "a");
    } else {
        text_printf(body, "    %s r;\n    %s *to = (%s *)&r, *x = (%s *)&a", vec_ctype(e, x->type),
                    type, type, type);
        if (two) text_printf(body, ", *y = (%s *)&b", type);
        text_printf(body,
                    ";\n    for (int k = 0; k < %lld; k++) to[k] = %s(x[k]%s);\n    return r;\n",
                    (long long)calls, name, two ? ", y[k]" : "");
    }
    text_put(body, "#else\n");
    return true;
}
