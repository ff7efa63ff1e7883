// Functions such as exp on vectors: glibc's libmvec has them for all lanes of a vector of the
// machine at once (by the vector ABI of x86-64: _ZGVeN16v_expf is expf of 16 lanes in AVX-512), at
// most 4 ULP off. What is wider goes there in parts. Where the C compiler finds another machine or
// another C library, and for vectors that are shorter than any of the machine, the lanes are done
// one by one.
#include "emit/vector/vec.h"

#include "base/target/cpu.h"

enum { LEAST = 16 }; // bytes that the library takes at a time

// The letter of the vector ABI for vectors of so many bytes.
static char letter(int bytes)
{
    return bytes == 64 ? 'e' : bytes == 32 ? 'd' : 'b';
}

// How many bytes the library takes at a time; 0: it does not do this.
static int bytes_at_once(const Emitter *e, Node *x)
{
    int64_t lanes;
    Scalar s = emit_scalar_of(type_lane(x->type));
    if (x->kind != CORE_PRIM || e->options->field || !type_is_vec(x->type, &lanes)) return 0;
    if (!prim_in_library(e->cx, (Prim)x->attr.i) || s == SCALAR_F16) return 0;
    int64_t bytes = lanes * scalar_info[s].size, most = e->cx->cpu->vector_bytes;
    return bytes < LEAST ? 0 : (int)(bytes < most ? bytes : most);
}

static const char *name_in_library(const Emitter *e, Node *x, int bytes)
{
    Scalar s = emit_scalar_of(type_lane(x->type));
    return arena_printf(e->arena, "_ZGV%cN%d%s_%s%s", letter(bytes), bytes / scalar_info[s].size,
                        x->nops == 1 ? "v" : "vv", prim_info[x->attr.i].c,
                        s == SCALAR_F64 ? "" : "f");
}

static void declare(Emitter *e, const char *name, const char *type, int bytes, uint32_t operands)
{
    text_printf(&e->vector_functions,
                "\n#if ADZE_LIBMVEC >= %d\n__attribute__((const)) %s %s(%s%s%s);\n#endif\n", bytes,
                type, name, type, operands > 1 ? ", " : "", operands > 1 ? type : "");
}

bool vec_math_begin(Emitter *e, Node *x, Text *body)
{
    int bytes = bytes_at_once(e, x);
    if (bytes == 0) return false;
    Scalar s = emit_scalar_of(type_lane(x->type));
    int64_t lanes, part = bytes / scalar_info[s].size;
    type_is_vec(x->type, &lanes);
    const char *name = name_in_library(e, x, bytes),
               *type = vec_ctype(e, type_vec(e->cx, part, type_lane(x->type)));
    support_need(e, "libmvec");
    if (vec_is_new(e, name)) declare(e, name, type, bytes, x->nops);
    text_printf(body, "#if ADZE_LIBMVEC >= %d\n", bytes);
    if (part == lanes) {
        text_printf(body, "    return %s(%s);\n", name, x->nops == 1 ? "a" : "a, b");
    } else {
        bool two = x->nops > 1;
        text_printf(body, "    %s r;\n    %s *to = (%s *)&r, *x = (%s *)&a", vec_ctype(e, x->type),
                    type, type, type);
        if (two) text_printf(body, ", *y = (%s *)&b", type);
        text_printf(body,
                    ";\n    for (int k = 0; k < %lld; k++) to[k] = %s(x[k]%s);\n    return r;\n",
                    (long long)(lanes / part), name, two ? ", y[k]" : "");
    }
    text_put(body, "#else\n");
    return true;
}
