// Masked memory accesses, mask tests, and packing and unpacking lanes by a mask. GNU C has no
// operators for these, so they become functions. A function uses the intrinsics of masked.def, each
// under the condition that it exists, and otherwise loops over the lanes. So does a gather or a
// move of lanes whose instruction is slower than that (cpu.def).
#include "emit/vector/vec.h"

#include "base/target/cpu.h"

#include <string.h>

typedef enum {
    TESTS = 1,       // tests a mask, without a vector
    MOVES = 2,       // moves lanes of a vector
    LOADS = 4,       // loads a vector
    GATHERS = 8,     // loads each lane from its own position
    RUNS = 16,       // loads consecutive elements at each position
    NEAR = 32,       // its positions are 32-bit integers
    CONTIGUOUS = 64, // accesses consecutive elements
    SCATTERS = 128,  // stores each lane to its own position
    SCALED = 256,    // its positions are multiples of these integers
    ROWS = 512,      // further integers are added to the multiples
} MaskedRole;

#define MASKED_OPS(ROW)                                                                            \
    ROW(ANY_LANE, "any", TESTS)                                                                    \
    ROW(FIRST, "first", TESTS)                                                                     \
    ROW(COUNT, "count", TESTS)                                                                     \
    ROW(MASK_BITS, "mask_bits", TESTS)                                                             \
    ROW(PACKED, "packed", MOVES)                                                                   \
    ROW(UNPACKED, "unpacked", MOVES)                                                               \
    ROW(LOAD_WHERE, "load_where", LOADS | CONTIGUOUS)                                              \
    ROW(GATHER, "gather", LOADS | GATHERS)                                                         \
    ROW(GATHER_NEAR, "gather_near", LOADS | GATHERS | NEAR)                                        \
    ROW(GATHER_SCALED, "gather_scaled", LOADS | GATHERS | NEAR | SCALED)                           \
    ROW(GATHER_ROWS, "gather_rows", LOADS | GATHERS | NEAR | SCALED | ROWS)                        \
    ROW(RUNS_AT, "gather_runs", LOADS | GATHERS | RUNS)                                            \
    ROW(RUNS_NEAR, "gather_runs_near", LOADS | GATHERS | RUNS | NEAR)                              \
    ROW(RUNS_SCALED, "gather_runs_scaled", LOADS | GATHERS | RUNS | NEAR | SCALED)                 \
    ROW(RUNS_ROWS, "gather_runs_rows", LOADS | GATHERS | RUNS | NEAR | SCALED | ROWS)              \
    ROW(STORE_WHERE, "store_where", CONTIGUOUS)                                                    \
    ROW(STORE_PACKED, "store_packed", 0)                                                           \
    ROW(STORE_OVER, "store_packed_over", 0) /* may overwrite memory beyond the packed lanes */     \
    ROW(SCATTER, "scatter", SCATTERS)                                                              \
    ROW(SCATTER_NEAR, "scatter_near", SCATTERS | NEAR)

typedef enum {
#define ROW(op, name, roles) op,
    MASKED_OPS(ROW)
#undef ROW
} MaskedOp;

static const struct {
    const char *name;
    int roles;
} ops[] = {
#define ROW(op, name, roles) {name, roles},
    MASKED_OPS(ROW)
#undef ROW
};

static bool is(MaskedOp op, int roles)
{
    return ops[op].roles & roles;
}

// An intrinsic of masked.def. In its text, p is the memory, v the vector, and m the mask, whose
// lanes are as wide as those of v. `at` has the positions, to which `from` is added. Positions have
// 64 bits, or 32 in GATHER_NEAR, RUNS_NEAR and SCATTER_NEAR.
typedef struct {
    MaskedOp op;
    int lane, bytes;         // sizes in bytes: of an element (0 for any), of the vector
    const char *when, *text; // the condition and the spelling
    const char *first;       // a declaration that precedes the text, or NULL
} Instruction;

static const Instruction instructions[] = {
#include "emit/vector/masked.def"
};

// Whether the intrinsic is faster than the next one, or than a loop over the lanes.
static bool is_fast(const Emitter *e, const Instruction *in)
{
    const CpuCosts *costs = &e->cx->cpu->costs;
    if (is(in->op, GATHERS)) return costs->gather && in->bytes >= costs->gather;
    if (strstr(in->text, "compressstoreu")) return costs->packed_store;
    return !costs->slow_pext || !strstr(in->when, "__BMI2__");
}

// Returns the next intrinsic for the operation after `before`, under another condition, or the
// first one if `before` is NULL. Returns NULL if there is none.
static const Instruction *instruction(const Emitter *e, MaskedOp op, int lane, int64_t bytes,
                                      const Instruction *before)
{
    const Instruction *end = instructions + sizeof instructions / sizeof *instructions;
    for (const Instruction *in = before ? before + 1 : instructions; in < end; in++)
        if (in->op == op && (in->lane == 0 || in->lane == lane) && in->bytes == bytes &&
            is_fast(e, in) && !(before && strcmp(before->when, in->when) == 0))
            return in;
    return NULL;
}

// Whether the intrinsic takes its mask in a mask register.
static bool takes_bits(const Instruction *in)
{
    return in->first && strncmp(in->first, "__mmask", strlen("__mmask")) == 0;
}

// --- functions ----------------------------------------------------------------------------------

typedef struct {
    MaskedOp op;
    int lane; // bytes of a lane
    int64_t lanes;
    const char *of;                    // the last part of its name
    const char *type, *element, *mask; // C types: of the vector in memory, its elements, the mask
    bool all;                          // all lanes are active, so it has no mask
    bool bits;                         // the mask is a bit mask
    int run, part;                     // the length of runs, and the part of them that it loads
    const char *any, *first;           // functions on masks that it calls
    const char *lanes_of_bits;         // the function that turns its bit mask into lanes
} MaskedFunction;

static const char *positions_type(Emitter *e, const MaskedFunction *f)
{
    return vec_mask_ctype(e, is(f->op, NEAR) ? 4 : 8, f->lanes);
}

static const char *result_type(const MaskedFunction *f)
{
    if (is(f->op, TESTS))
        return f->op == ANY_LANE    ? "bool"
               : f->op == COUNT     ? "int64_t"
               : f->op == MASK_BITS ? "uint64_t"
                                    : "int";
    return is(f->op, LOADS | MOVES) ? f->type : "void";
}

static void put_position_parameters(Emitter *e, const MaskedFunction *f)
{
    Text *out = &e->vector_functions;
    const char *type = positions_type(e, f);
    text_printf(out, "int64_t from, %s at", type);
    if (is(f->op, SCALED)) text_put(out, ", int64_t scale");
    if (is(f->op, ROWS)) text_printf(out, ", %s by", type);
    if (!f->all) text_put(out, ", ");
}

static void put_signature(Emitter *e, const MaskedFunction *f, const char *name)
{
    Text *out = &e->vector_functions;
    bool loads = is(f->op, LOADS), stores = !loads && !is(f->op, TESTS);
    bool memory = !is(f->op, TESTS | MOVES);
    text_printf(out, "\n%s%s %s(", is(f->op, TESTS) ? VECTOR_FUNCTION_IF_USED : VECTOR_FUNCTION,
                result_type(f), name);
    if (memory) text_printf(out, "%s%s *p, ", loads ? "const " : "", f->element);
    if (is(f->op, GATHERS | SCATTERS)) put_position_parameters(e, f);
    if (stores) text_printf(out, "%s v, ", f->type);
    if (!f->all)
        text_printf(out, "%s %s", f->bits ? bits_ctype(e, f->lanes) : f->mask,
                    f->bits ? "on" : "m");
    text_put(out, ")\n{\n");
}

// Writes code that makes inactive lanes read the element of the first active lane, and that adds
// `from` to all positions.
static void put_positions(Emitter *e, const MaskedFunction *f)
{
    Text *out = &e->vector_functions;
    const char *at = positions_type(e, f), *on = "m";
    if (!f->all) {
        text_printf(out, "    if (!%s(m)) return (%s){0};\n", f->any, f->type);
        if (strcmp(at, f->mask) != 0) {
            text_printf(out, "    %s on = __builtin_convertvector(m, %s);\n", at, at);
            on = "on";
        }
        const char *vectors[] = {"at", is(f->op, ROWS) ? "by" : NULL};
        for (int i = 0; i < 2 && vectors[i]; i++)
            text_printf(out, "    %5$s = (%5$s & %1$s) | (((%2$s){0} + %5$s[%3$s(m)]) & ~%4$s);\n",
                        on, at, f->first, on, vectors[i]);
    }
    text_put(out, "    p += from;\n");
}

// The position of a lane, without `from`.
static const char *lane_position(Emitter *e, const MaskedFunction *f, int64_t lane)
{
    const char *form = is(f->op, ROWS)     ? "at[%1$lld] * scale + by[%1$lld]"
                       : is(f->op, SCALED) ? "at[%lld] * scale"
                                           : "at[%lld]";
    return arena_printf(e->arena, form, (long long)lane);
}

static void put_gather(Emitter *e, const MaskedFunction *f)
{
    Text *out = &e->vector_functions;
    text_printf(out, "    %s r = {", f->type);
    for (int64_t k = 0; k < f->lanes; k++)
        text_printf(out, "%sp[%s]", k ? ", " : "", lane_position(e, f, k));
    if (f->all)
        text_put(out, "};\n    return r;\n");
    else
        text_printf(out, "};\n    return (%s)((%s)r & m);\n", f->type, f->mask);
}

// Returns the lane that holds the position of run k in this part of the elements. Each part has
// one or two of every four lanes.
static int64_t lane_of_run(const MaskedFunction *f, int64_t k)
{
    int64_t each = 4 / f->run;
    return k / each * 4 + each * f->part + k % each;
}

// An expression of the `count` runs from number k on as one vector. `run` is the type of one.
static const char *runs_text(Emitter *e, const MaskedFunction *f, int64_t k, int64_t count)
{
    if (count == 1)
        return arena_printf(e->arena, "*(const run *)&p[%s]",
                            lane_position(e, f, lane_of_run(f, k)));
    Text t = text_new(e->arena);
    const char *first = runs_text(e, f, k, count / 2);
    text_printf(&t, "__builtin_shufflevector(%s, %s", first,
                runs_text(e, f, k + count / 2, count / 2));
    for (int64_t i = 0; i < count * f->run; i++) text_printf(&t, ", %lld", (long long)i);
    text_char(&t, ')');
    return text_get(&t);
}

// Writes `r`, the runs, which are numbers of 64 bits or vectors.
static void put_loaded_runs(Emitter *e, const MaskedFunction *f)
{
    Text *out = &e->vector_functions;
    int64_t n = f->lanes / f->run;
    if (f->run == 4) {
        const char *run = vec_type_named(e, SCALAR_I32, 4),
                   *all = vec_type_named(e, SCALAR_I32, f->lanes);
        text_printf(out, "    typedef %s run;\n    %s r = %s;\n", run, all, runs_text(e, f, 0, n));
        return;
    }
    text_put(out, "    typedef uint64_t run __attribute__((aligned(4), may_alias));\n");
    text_printf(out, "    %s r = {", vec_type_named(e, SCALAR_U64, n));
    for (int64_t k = 0; k < n; k++) text_printf(out, "%s%s", k ? ", " : "", runs_text(e, f, k, 1));
    text_put(out, "};\n");
}

static void put_runs(Emitter *e, const MaskedFunction *f)
{
    Text *out = &e->vector_functions;
    put_loaded_runs(e, f);
    if (f->all) {
        text_printf(out, "    return (%s)r;\n", f->type);
        return;
    }
    text_printf(out, "    return (%s)((%s)r & __builtin_shufflevector(m, m", f->type, f->mask);
    for (int64_t k = 0; k < f->lanes; k++)
        text_printf(out, ", %lld", (long long)lane_of_run(f, k / f->run));
    text_put(out, "));\n");
}

// Writes the access to contiguous memory for the common case that all lanes are active.
static void put_whole_row(Emitter *e, const MaskedFunction *f)
{
    text_printf(&e->vector_functions,
                f->op == LOAD_WHERE
                    ? "    if (!%s(~m)) return *(const %s *)p;\n"
                    : "    if (!%s(~m)) {\n        *(%s *)p = v;\n        return;\n    }\n",
                f->any, f->type);
}

static void put_row(Emitter *e, const MaskedFunction *f)
{
    Text *out = &e->vector_functions;
    bool loads = f->op == LOAD_WHERE;
    if (loads) text_printf(out, "    %s r = {0};\n", f->type);
    text_printf(out, "    for (int k = 0; k < %lld; k++)\n        if (m[k]) %s;\n",
                (long long)f->lanes, loads ? "r[k] = p[k]" : "p[k] = v[k]");
    if (loads) text_put(out, "    return r;\n");
}

static void put_lanes(Emitter *e, const MaskedFunction *f)
{
    static const char *const text[] = {
        [ANY_LANE] = "    for (int k = 0; k < %lld; k++)\n        if (m[k]) return true;\n"
                     "    return false;\n",
        [FIRST] = "    int k = 0;\n    while (k < %lld - 1 && !m[k]) k++;\n    return k;\n",
        [MASK_BITS] = "    uint64_t bits = 0;\n"
                      "    for (int k = 0; k < %lld; k++) bits |= (uint64_t)(m[k] & 1) << k;\n"
                      "    return bits;\n",
        [COUNT] = "    int64_t n = 0;\n    for (int k = 0; k < %lld; k++) n -= m[k];\n"
                  "    return n;\n",
        [STORE_PACKED] = "    for (int k = 0; k < %lld; k++)\n        if (m[k]) *p++ = v[k];\n",
        [STORE_OVER] =
            "    int n = 0;\n    for (int k = 0; k < %lld; k++) {\n        p[n] = v[k];\n"
            "        n -= (int)m[k];\n    }\n",
        [SCATTER] =
            "    for (int k = 0; k < %lld; k++)\n        if (m[k]) p[from + at[k]] = v[k];\n",
        [SCATTER_NEAR] =
            "    for (int k = 0; k < %lld; k++)\n        if (m[k]) p[from + at[k]] = v[k];\n"};
    text_printf(&e->vector_functions, text[f->op], (long long)f->lanes);
}

// Writes the loop that packs or unpacks lanes. Packing stores every lane, and the next active lane
// overwrites the value of an inactive one.
static void put_moved(Emitter *e, const MaskedFunction *f)
{
    static const char *const packed =
        "    for (int k = 0; k < %1$lld; k++) {\n        r[n] = v[k];\n"
        "        n -= (int)m[k];\n    }\n    if (n < %1$lld) r[n] = 0;\n";
    static const char *const unpacked = "    for (int k = 0; k < %1$lld; k++)\n"
                                        "        if (m[k]) r[k] = v[n++];\n";
    Text *out = &e->vector_functions;
    text_printf(out, "    %s r = {0};\n    int n = 0;\n", f->type);
    text_printf(out, f->op == PACKED ? packed : unpacked, (long long)f->lanes);
    text_put(out, "    return r;\n");
}

// Whether the instruction for a masked store is slow, so that a store of all lanes gets a branch.
static bool has_slow_masked_store(const Emitter *e, const MaskedFunction *f)
{
    return f->op == STORE_WHERE && !f->bits && e->cx->cpu->costs.slow_masked_store;
}

static void put_without_instruction(Emitter *e, const MaskedFunction *f)
{
    if (f->bits)
        text_printf(&e->vector_functions, "    %s m = %s(on);\n", f->mask, f->lanes_of_bits);
    if (is(f->op, GATHERS)) {
        put_positions(e, f);
        (is(f->op, RUNS) ? put_runs : put_gather)(e, f);
    } else {
        if (is(f->op, CONTIGUOUS) && !has_slow_masked_store(e, f)) put_whole_row(e, f);
        (is(f->op, CONTIGUOUS) ? put_row : is(f->op, MOVES) ? put_moved : put_lanes)(e, f);
    }
}

// Declares `zeros`, a vector of zeros that C compilers do not recognise as such.
static void put_zeros(Text *out, int bytes)
{
    const char *type = bytes == 64 ? "512" : bytes == 32 ? "256" : "128";
    text_printf(out,
                "    __m%si zeros = _mm%s_setzero_si%s();\n    __asm__(\"\" : \"+v\"(zeros));\n",
                type, bytes == 16 ? "" : type, type);
}

static const char *function(Emitter *e, MaskedFunction *f);

static const char *mask_function(Emitter *e, MaskedOp op, int lane, int64_t lanes)
{
    MaskedFunction f = {.op = op, .lane = lane, .lanes = lanes};
    f.mask = vec_mask_ctype(e, lane, lanes);
    f.of = f.mask + strlen("adze_");
    return function(e, &f);
}

static const char *function(Emitter *e, MaskedFunction *f)
{
    Text *out = &e->vector_functions;
    const char *form = f->all ? "_all" : f->bits ? "_bits" : "";
    const char *name = arena_printf(e->arena, "adze_%s%s_%s", ops[f->op].name, form, f->of);
    if (!vec_is_new(e, name)) return name;
    int64_t bytes = f->lane * f->lanes;
    const Instruction *first = instruction(e, f->op, f->lane, bytes, NULL);
    if (f->bits && first && !takes_bits(first)) first = NULL;
    bool loads = is(f->op, LOADS), gathers = is(f->op, GATHERS) && !f->all;
    if (gathers || is(f->op, CONTIGUOUS)) f->any = mask_function(e, ANY_LANE, f->lane, f->lanes);
    if (gathers) f->first = mask_function(e, FIRST, f->lane, f->lanes);
    if (f->bits) f->lanes_of_bits = bits_lanes(e, f->lane, f->lanes);
    put_signature(e, f, name);
    e->intrinsics |= first != NULL;
    if (has_slow_masked_store(e, f)) put_whole_row(e, f);
    for (const Instruction *in = first; in; in = instruction(e, f->op, f->lane, bytes, in)) {
        if (f->bits && !takes_bits(in)) continue;
        text_printf(out, "#%s %s\n", in == first ? "if" : "elif", in->when);
        if (in->first && !f->bits) text_printf(out, "    %s\n", in->first);
        if (is(f->op, MOVES) && takes_bits(in)) put_zeros(out, in->bytes);
        text_printf(out, "    %s", is(f->op, TESTS) ? "return " : "");
        if (loads || is(f->op, MOVES)) text_printf(out, "return (%s)", f->type);
        text_printf(out, "%s;\n", in->text);
    }
    if (first) text_put(out, "#else\n");
    put_without_instruction(e, f);
    text_put(out, first ? "#endif\n}\n" : "}\n");
    return name;
}

static MaskedFunction memory_function(Emitter *e, MaskedOp op, Node *type)
{
    int size = vec_lane_size(e, type);
    int64_t lanes = vec_lanes(type);
    Scalar s = vec_element(type);
    const char *of = arena_printf(e->arena, "%sx%lld", scalar_info[s].text, (long long)lanes);
    return (MaskedFunction){.op = op,
                            .lane = size,
                            .lanes = lanes,
                            .of = of,
                            .type = vec_memory_ctype(e, type),
                            .element = emit_ctype(e, s),
                            .mask = vec_mask_ctype(e, size, lanes)};
}

// --- memory -------------------------------------------------------------------------------------

static Node *without_casts(Node *x)
{
    while (x->kind == CORE_CAST) x = x->op[0];
    return x;
}

// If the positions are base, base + step, .., sets *base and returns the step. Returns 0 otherwise.
static int64_t step_of(Node *positions, Node **base)
{
    bool sum = positions->kind == CORE_PRIM && positions->attr.i == PRIM_ADD;
    int64_t step = 1;
    if (!sum || positions->op[0]->kind != LOOP_SPLAT) return 0;
    Node *first = positions->op[0]->op[0], *by = positions->op[1];
    if (first->kind != CORE_NAT) return 0;
    *base = first->op[0];
    by = without_casts(by);
    if (by->kind == CORE_PRIM && by->attr.i == PRIM_MUL) {
        Node *factor = by->op[1]->kind == LOOP_SPLAT ? by->op[1]->op[0] : by;
        if (factor->kind == CORE_LIT)
            step = factor->attr.i;
        else if (factor->kind != CORE_NAT || !nat_is_const(factor->op[0], &step))
            return 0;
        by = without_casts(by->op[0]);
    }
    return by->kind == LOOP_IOTA ? step : 0;
}

static bool is_all(Node *mask)
{
    return mask->kind == LOOP_SPLAT && mask->op[0]->kind == CORE_LIT && mask->op[0]->attr.i;
}

// Returns the C expression for a vector whose elements are a constant distance apart in memory.
// They are loaded one by one.
static const char *elements(Emitter *e, Node *x, Node *base, int64_t step)
{
    Text text = text_new(e->arena);
    text_printf(&text, "(%s){", vec_memory_ctype(e, x->type));
    for (int64_t k = 0; k < vec_lanes(x->type); k++) {
        Node *position = nat_add(e->cx, base, nat_const(e->cx, k * step));
        text_printf(&text, "%s%s", k ? ", " : "", place_text(e, x->attr.sym, position));
    }
    text_char(&text, '}');
    return text_get(&text);
}

// Whether a position may be before the beginning of an array, or beyond its end if C compilers know
// its length, as they do for arrays on the stack and constant tables.
static bool may_be_outside(const Emitter *e, Sym array, Node *position)
{
    Node *length = map_get(&e->lengths, MAP_KEY(array));
    if (nat_ge0(e->cx, e->facts, position) != TRUTH_YES) return true;
    return length && nat_le(e->cx, e->facts, position, length) != TRUTH_YES;
}

// Returns the pointer argument for a function that accesses memory. If the first lane is inactive,
// its element may be outside the array, and C does not allow a pointer to it.
static const char *memory(Emitter *e, Node *x, bool positions)
{
    Node *from = positions ? nat_const(e->cx, 0) : x->op[0];
    if (x->kind != LOOP_STORE_PACKED && may_be_outside(e, x->attr.sym, from)) {
        support_need(e, "outside");
        const char *name = names_use(e, x->attr.sym);
        return arena_printf(e->arena, "adze_outside(%s, %s, sizeof *%s)", name,
                            size_text(e, from, PREC_TERNARY), name);
    }
    const char *cast = memory_cast(e, x->attr.sym);
    return arena_printf(e->arena, "%s&%s", cast, place_text(e, x->attr.sym, from));
}

// The 32-bit integers that a vector is converted from, or NULL.
static Node *near_of(Node *x)
{
    Scalar s;
    bool near = x->kind == CORE_CAST && type_is_scalar(type_lane(x->op[0]->type), &s);
    return near && s == SCALAR_I32 ? x->op[0] : NULL;
}

// Positions without their offset: at, at * scale, or at * scale + by. The parts that they do not
// have are NULL.
typedef struct {
    Node *at, *scale, *by;
} PositionParts;

static bool is_sum_or_product(Node *x, Prim op)
{
    return x->kind == CORE_PRIM && (Prim)x->attr.i == op && x->nops == 2;
}

// Finds the parts of positions that are computed from 32-bit integers. Otherwise `at` has all.
static PositionParts parts_of(Node *positions)
{
    PositionParts p = {.at = near_of(positions)}, all = {.at = positions};
    Node *scaled = positions;
    if (p.at) return p;
    if (is_sum_or_product(positions, PRIM_ADD)) {
        scaled = positions->op[0];
        p.by = near_of(positions->op[1]);
        if (!p.by) return all;
        if (near_of(scaled)) return (PositionParts){near_of(scaled), NULL, p.by};
    }
    bool product = is_sum_or_product(scaled, PRIM_MUL) && scaled->op[1]->kind == LOOP_SPLAT;
    p.at = product ? near_of(scaled->op[0]) : NULL;
    if (!p.at) return all;
    p.scale = scaled->op[1]->op[0];
    return p;
}

// The function that gathers at these positions.
static MaskedOp gather_op(Node *x, Node *positions, const PositionParts *p)
{
    static const MaskedOp all[2][4] = {{GATHER, GATHER_NEAR, GATHER_SCALED, GATHER_ROWS},
                                       {RUNS_AT, RUNS_NEAR, RUNS_SCALED, RUNS_ROWS}};
    bool near = p->at != positions;
    return all[x->kind == LOOP_GATHER_RUNS][p->by ? 3 : p->scale ? 2 : near];
}

static const char *gather_text(Emitter *e, Node *x)
{
    Node *offset, *at = gather_positions_without_offset(e->cx, x->op[0], &offset);
    PositionParts p = parts_of(at);
    MaskedFunction f = memory_function(e, gather_op(x, at, &p), x->type);
    f.all = is_all(x->op[1]) && !instruction(e, f.op, f.lane, f.lane * f.lanes, NULL);
    if (x->kind == LOOP_GATHER_RUNS) {
        f.run = (int)x->op[2]->attr.i;
        f.part = (int)x->op[3]->attr.i;
        f.of = arena_printf(e->arena, "%d_of_%d_%s", f.part, f.run, f.of);
    }
    const char *name = function(e, &f), *from = memory(e, x, true),
               *start = size_text(e, offset, PREC_TERNARY),
               *place = arena_printf(e->arena, "%s, %s, %s", from, start,
                                     expr_text(e, p.at, PREC_TERNARY));
    if (is(f.op, SCALED))
        place = arena_printf(e->arena, "%s, %s", place,
                             p.scale ? expr_text(e, p.scale, PREC_TERNARY) : "1");
    if (p.by) place = arena_printf(e->arena, "%s, %s", place, expr_text(e, p.by, PREC_TERNARY));
    if (f.all) return arena_printf(e->arena, "%s(%s)", name, place);
    return arena_printf(e->arena, "%s(%s, %s)", name, place,
                        vec_mask_text(e, x->op[1], f.lane, PREC_TERNARY));
}

// Returns the mask argument of a function on vectors of this type, which is a bit mask if possible.
// Sets f->bits accordingly.
static const char *mask_of(Emitter *e, MaskedFunction *f, Node *mask, Node *type)
{
    f->bits = bits_takes(e, mask, type);
    return f->bits ? bits_text(e, mask, PREC_TERNARY)
                   : vec_mask_text(e, mask, f->lane, PREC_TERNARY);
}

const char *masked_load_text(Emitter *e, Node *x)
{
    Node *base = NULL;
    int64_t step = x->kind == LOOP_GATHER && is_all(x->op[1]) ? step_of(x->op[0], &base) : 0;
    if (step) return elements(e, x, base, step);
    if (loops_is_gather(x)) return gather_text(e, x);
    MaskedFunction f = memory_function(e, LOAD_WHERE, x->type);
    const char *mask = mask_of(e, &f, x->op[1], x->type);
    const char *name = function(e, &f);
    return arena_printf(e->arena, "%s(%s, %s)", name, memory(e, x, false), mask);
}

void emit_masked_store(Emitter *e, Node *s)
{
    bool scatters = s->kind == LOOP_SCATTER;
    Node *offset, *positions = s->op[0];
    if (scatters) positions = gather_positions_without_offset(e->cx, positions, &offset);
    Node *near = scatters ? near_of(positions) : NULL;
    MaskedOp op = near                              ? SCATTER_NEAR
                  : scatters                        ? SCATTER
                  : s->kind != LOOP_STORE_PACKED    ? STORE_WHERE
                  : s->variant == VARIANT_UNCHECKED ? STORE_OVER
                                                    : STORE_PACKED;
    MaskedFunction f = memory_function(e, op, s->op[1]->type);
    const char *mask = scatters ? vec_mask_text(e, s->op[2], f.lane, PREC_TERNARY)
                                : mask_of(e, &f, s->op[2], s->op[1]->type),
               *name = function(e, &f), *at = "";
    if (near) positions = near;
    if (scatters)
        at = arena_printf(e->arena, "%s, %s, ", size_text(e, offset, PREC_TERNARY),
                          expr_text(e, positions, PREC_TERNARY));
    const char *to = memory(e, s, scatters);
    emit_line(e, "%s(%s, %s%s, %s);", name, to, at, vec_value(e, s->op[1]), mask);
}

bool emit_of_no_lane(Emitter *e, Node *x, int min)
{
    if (x->kind != LOOP_ANY || !bits_has(e, x->op[0])) return false;
    bits_any(e, x->op[0], false, min);
    return true;
}

// --- lanes --------------------------------------------------------------------------------------

static const char *long_suffix(Node *mask)
{
    return vec_lanes(mask->type) == 64 ? "ll" : "";
}

// Writes a call to a function on masks.
static void call_of_mask(Emitter *e, MaskedOp op, Node *mask)
{
    int lane = vec_mask_size(e, mask);
    const char *m = vec_mask_text(e, mask, lane, PREC_TERNARY);
    text_printf(e->out, "%s(%s)", mask_function(e, op, lane, vec_lanes(mask->type)), m);
}

void emit_of_mask(Emitter *e, Node *x, int min)
{
    Node *mask = x->op[0];
    bool any = x->kind == LOOP_ANY, bits = x->kind == LOOP_MASK_BITS;
    if (!bits_has(e, mask)) {
        call_of_mask(e, any ? ANY_LANE : bits ? MASK_BITS : COUNT, mask);
    } else if (any) {
        bits_any(e, mask, true, min);
    } else if (bits) {
        bool p = emit_open(e, PREC_UNARY, min);
        text_printf(e->out, "(uint64_t)%s", bits_text(e, mask, PREC_UNARY));
        emit_close(e, p);
    } else {
        bool p = emit_open(e, PREC_UNARY, min);
        text_printf(e->out, "(int64_t)__builtin_popcount%s(%s)", long_suffix(mask),
                    bits_text(e, mask, PREC_ANY));
        emit_close(e, p);
    }
}

const char *masked_move_text(Emitter *e, Node *x, int size)
{
    bool mask = vec_is_mask(x->type);
    MaskedFunction f = {.op = x->kind == LOOP_COMPRESS ? PACKED : UNPACKED,
                        .lane = mask ? size : vec_lane_size(e, x->type),
                        .lanes = vec_lanes(x->type)};
    f.mask = vec_mask_ctype(e, f.lane, f.lanes);
    f.type = mask ? f.mask : vec_ctype(e, x->type);
    f.of = f.type + strlen("adze_");
    const char *on = mask_of(e, &f, x->op[1], x->type), *name = function(e, &f);
    return arena_printf(e->arena, "%s(%s, %s)", name,
                        mask ? vec_mask_text(e, x->op[0], size, PREC_TERNARY)
                             : expr_text(e, x->op[0], PREC_TERNARY),
                        on);
}

// Whether the lanes are 0, 1, 2, ..
static bool is_numbers(Node *x)
{
    while (x->kind == CORE_CAST) x = x->op[0];
    bool sum = x->kind == CORE_PRIM && x->attr.i == PRIM_ADD && x->op[0]->kind == LOOP_SPLAT;
    int64_t from;
    Node *first = sum ? x->op[0]->op[0] : NULL;
    bool zero = first && first->kind == CORE_NAT && nat_is_const(first->op[0], &from) && from == 0;
    return (zero ? x->op[1] : x)->kind == LOOP_IOTA;
}

// If the node computes the number of the first active lane of a mask, returns that mask. Returns
// NULL otherwise. Such a node takes the first lane of 0, 1, 2, .. packed by the mask.
static Node *first_of(Node *x)
{
    int64_t lane;
    Node *v = x->op[0], *mask = v->kind == LOOP_COMPRESS ? v->op[1] : NULL;
    bool first = mask && mask->kind == LOOP_VAR && nat_is_const(x->op[1], &lane) && lane == 0;
    return first && !vec_is_mask(v->type) && is_numbers(v->op[0]) ? mask : NULL;
}

static void emit_first(Emitter *e, Node *mask, int min)
{
    bool p = emit_open(e, PREC_TERNARY, min);
    if (bits_has(e, mask)) {
        const char *on = bits_text(e, mask, PREC_UNARY);
        text_printf(e->out, "%s ? __builtin_ctz%s(%s) : 0", on, long_suffix(mask), on);
    } else {
        call_of_mask(e, ANY_LANE, mask);
        text_put(e->out, " ? ");
        call_of_mask(e, FIRST, mask);
        text_put(e->out, " : 0");
    }
    emit_close(e, p);
}

void emit_lane(Emitter *e, Node *x, int min)
{
    Node *first = first_of(x);
    if (first) {
        emit_first(e, first, min);
        return;
    }
    const char *lane = size_text(e, x->op[1], PREC_ANY);
    const char *form = x->op[0]->kind == LOOP_VAR ? "%s[%s]" : "(%s)[%s]";
    if (emit_scalar_of(x->type) != SCALAR_BOOL) {
        text_printf(e->out, form, expr_text(e, x->op[0], PREC_ANY), lane);
        return;
    }
    if (bits_has(e, x->op[0])) {
        bits_lane(e, x->op[0], lane, min);
        return;
    }
    bool p = emit_open(e, PREC_EQ, min);
    text_printf(e->out, form, vec_mask_text(e, x->op[0], vec_mask_size(e, x->op[0]), PREC_ANY),
                lane);
    text_put(e->out, " != 0");
    emit_close(e, p);
}
