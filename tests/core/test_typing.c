// Typing rules, one line per kind: operands by their types, and the type that comes out or the
// reason why none does.
#include "core/ir/core.h"

#include <cmocka.h>

static Session *cx;

static int setup(void **state)
{
    (void)state;
    cx = session_new();
    nat_init(cx);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    session_delete(cx);
    return 0;
}

static TermReader reader(const char *text)
{
    return term_reader(cx, session_add_source(cx, "text", text, strlen(text)), LEVEL_CORE);
}

// Operands separated by `;`: sizes where the table says so, elsewhere terms given by their types
// (as free variables).
static int operands(Kind kind, const char *text, Node **ops)
{
    TermReader r = reader(text);
    int n = 0;
    r.end = (uint32_t)strlen(text);
    while (!term_read_end(&r)) {
        bool size = kind_sort(kind, n) == SORT_SIZE;
        Node *e = size ? term_read_size(&r) : term_read_type(&r);
        assert_non_null(e);
        ops[n] = size ? e : core_var(cx, n, e);
        n++;
        term_read_punctuation(&r, ",");
    }
    return n;
}

static const char *rule(Kind kind, int64_t attr, const char *text, const char *given, bool strict)
{
    Node *ops[8], *type = NULL;
    NodeSpec s = {.kind = kind, .attr.i = attr, .nops = operands(kind, text, ops), .ops = ops};
    if (given) {
        TermReader r = reader(given);
        s.type = term_read_type(&r);
    }
    const char *why = NULL;
    type = core_type_rule(cx, &s, strict, &why);
    assert_true(type || why);
    return type ? type_show(cx, type) : arena_printf(cx->arena, "! %s", why);
}

typedef struct {
    Kind kind;
    int64_t attr;
    const char *operands, *given, *type;
} Row;

static const Row rows[] = {
    {CORE_APP, 0, "fn(f32, i32) -> bool, f32, i32", NULL, "bool"},
    {CORE_APP, 0, "fn(f32, i32) -> bool, f32", NULL,
     "! fn(f32, i32) -> bool is not a function of 1 parameters"},
    {CORE_APP, 0, "fn(f32) -> bool, i32", NULL, "! argument 1 is i32, not f32"},
    {CORE_LET, 0, "f32, [n]f32", NULL, "[n]f32"},
    {CORE_LIT, 0, "", "idx[n]", "idx[n]"},
    {CORE_LIT, 0, "", "[n]f32", "! [n]f32 has no literals"},
    {CORE_LIT, 0, "", NULL, "! lit needs a type"},
    {CORE_NAT, 0, "n", NULL, "i64"},
    {CORE_NAT, 0, "n", "idx[m]", "idx[m]"},
    {CORE_NAT, 0, "n", "f32", "! a size is not f32"},
    {CORE_PRIM, PRIM_ADD, "f32, f32", NULL, "f32"},
    {CORE_PRIM, PRIM_ADD, "f32, i32", NULL, "! `+` on f32 and i32"},
    {CORE_PRIM, PRIM_ADD, "bool, bool", NULL, "! `+` does not take bool"},
    {CORE_PRIM, PRIM_ADD, "idx[n], idx[n]", NULL, "! `+` does not take idx[n]"},
    {CORE_PRIM, PRIM_ADD, "f32", NULL, "! `+` takes 2 operands"},
    {CORE_PRIM, PRIM_ADD, "t, t", NULL, "t"},
    {CORE_PRIM, PRIM_EQ, "bool, bool", NULL, "bool"},
    {CORE_PRIM, PRIM_LT, "u8, u8", NULL, "bool"},
    {CORE_PRIM, PRIM_NOT, "bool", NULL, "bool"},
    {CORE_PRIM, PRIM_NOT, "i32", NULL, "i32"},
    {CORE_PRIM, PRIM_NOT, "f32", NULL, "! `!` does not take f32"},
    {CORE_PRIM, PRIM_SHL, "i32, i32", NULL, "i32"},
    {CORE_PRIM, PRIM_SHL, "bool, bool", NULL, "! `<<` does not take bool"},
    {CORE_PRIM, PRIM_SQRT, "f64", NULL, "f64"},
    {CORE_PRIM, PRIM_SQRT, "i32", NULL, "! `sqrt` does not take i32"},
    {CORE_CAST, 0, "idx[n]", "i64", "i64"},
    {CORE_CAST, 0, "i64", "t", "t"},
    {CORE_CAST, 0, "[n]f32", "f32", "! a cast does not take [n]f32"},
    {CORE_CAST, 0, "f32", "(f32,)", "! a cast does not give (f32,)"},
    {CORE_TO_IDX, 0, "i64", "idx[n]", "idx[n]"},
    {CORE_TO_IDX, 0, "i32", "idx[n]", "! to_idx takes i64, not i32"},
    {CORE_TO_IDX, 0, "i64", "i64", "! to_idx gives an index, not i64"},
    {CORE_IF, 0, "bool, f32, f32", NULL, "f32"},
    {CORE_IF, 0, "i32, f32, f32", NULL, "! a condition is not i32"},
    {CORE_IF, 0, "bool, f32, i32", NULL, "! branches of types f32 and i32"},
    {CORE_TUPLE, 0, "f32, [n]i32", NULL, "(f32, [n]i32)"},
    {CORE_TUPLE, 0, "", NULL, "()"},
    {CORE_TUPLE, 0, "f32, i32", "P{a: f32, b: i32}", "P"},
    {CORE_TUPLE, 0, "f32, f32", "P{a: f32, b: i32}", "! component 1 is f32, not i32"},
    {CORE_TUPLE, 0, "f32", "P{a: f32, b: i32}", "! 1 components do not make P"},
    {CORE_PROJ, 1, "(f32, i32)", NULL, "i32"},
    {CORE_PROJ, 0, "P{a: f32}", NULL, "f32"},
    {CORE_PROJ, 2, "(f32, i32)", NULL, "! (f32, i32) has no component 2"},
    {CORE_PROJ, -1, "(f32, i32)", NULL, "! (f32, i32) has no component -1"},
    {CORE_ARRAY, 0, "f32, f32", NULL, "[2]f32"},
    {CORE_ARRAY, 0, "", "[0]f32", "[0]f32"},
    {CORE_ARRAY, 0, "", NULL, "! array needs a type"},
    {CORE_ARRAY, 0, "f32, i32", NULL, "! element 1 is i32, not f32"},
    {CORE_INDEX, 0, "[n][m]f32, idx[n]", NULL, "[m]f32"},
    {CORE_INDEX, 0, "[n]f32, i64", NULL, "! operand 1 of at is i64, not idx[n]"},
    {CORE_MAP, 0, "fn(f32) -> [m]i32, [n]f32", NULL, "[n][m]i32"},
    {CORE_MAP, 0, "fn(i32) -> i32, [n]f32", NULL,
     "! operand 0 of map is fn(i32) -> i32, not fn(f32) -> i32"},
    {CORE_MAP, 0, "fn(f32) -> f32, f32", NULL, "! operand 1 of map is f32, not an array"},
    {CORE_REDUCE, 0, "fn(f32, f32) -> f32, f32, [n]f32", NULL, "f32"},
    {CORE_REDUCE, 0, "fn(f32, f32) -> f32, f32, [n]i32", NULL,
     "! operand 2 of reduce is [n]i32, not an array of the neutral element's type"},
    {CORE_REDUCE, 0, "fn(f32, f32) -> i32, f32, [n]f32", NULL,
     "! operand 0 of reduce is fn(f32, f32) -> i32, not fn(f32, f32) -> f32"},
    {CORE_FOLD, 0, "fn(f64, f32) -> f64, f64, [n]f32", NULL, "f64"},
    {CORE_FOLD, 0, "fn(f32, f64) -> f64, f64, [n]f32", NULL,
     "! operand 0 of fold is fn(f32, f64) -> f64, not fn(f64, f32) -> f64"},
    {CORE_SCAN, 0, "fn(f32, f32) -> f32, f32, [n]f32", NULL, "[n]f32"},
    {CORE_SCAN_EX, 0, "fn(f32, f32) -> f32, f32, [n]f32", NULL, "[n]f32"},
    {CORE_ITERATE, 0, "n, fn(f32) -> f32, f32", NULL, "f32"},
    {CORE_ITERATE, 0, "n, fn(f32) -> i32, f32", NULL,
     "! operand 1 of iterate is fn(f32) -> i32, not fn(f32) -> f32"},
    {CORE_GENERATE, 0, "n*m, fn(idx[n*m]) -> f32", NULL, "[m*n]f32"},
    {CORE_GENERATE, 0, "n, fn(i64) -> f32", NULL,
     "! operand 1 of generate is fn(i64) -> f32, not fn(idx[n]) -> f32"},
    {VIEW_ZIP, 0, "[n]f32, [n]i32, [n]bool", NULL, "[n](f32, i32, bool)"},
    {VIEW_ZIP, 0, "[n]f32", NULL, "! zip takes two or more arrays"},
    {VIEW_UNZIP, 0, "[n](f32, [m]i32)", NULL, "([n]f32, [n][m]i32)"},
    {VIEW_UNZIP, 0, "[n]P{a: f32, b: i32}", NULL, "([n]f32, [n]i32)"},
    {VIEW_UNZIP, 0, "[n]f32", NULL, "! operand 0 of unzip is [n]f32, not an array of tuples"},
    {VIEW_SPLIT, 0, "4, [8*n]f32", NULL, "[2*n][4]f32"},
    {VIEW_SPLIT, 0, "m, [n]f32", NULL, "[n/m][m]f32"},
    {VIEW_JOIN, 0, "[n][m]f32", NULL, "[m*n]f32"},
    {CORE_PRIM, PRIM_ADD, "vec[n]f32, vec[n]f32", NULL, "varying[n] f32"},
    {CORE_PRIM, PRIM_LT, "vec[n]f32, vec[n]f32", NULL, "varying[n] bool"},
    {CORE_PRIM, PRIM_ADD, "vec[4]f32, vec[4]i32", NULL,
     "! `+` on varying[4] f32 and varying[4] i32"},
    {CORE_PRIM, PRIM_ADD, "vec[4]f32, f32", NULL, "! `+` on varying[4] f32 and f32"},
    {CORE_PRIM, PRIM_NOT, "vec[4]f32", NULL, "! `!` does not take varying[4] f32"},
    {CORE_CAST, 0, "f32", "vec[n]f32", "varying[n] f32"},
    {CORE_CAST, 0, "i32", "vec[n]f32", "! a cast of i32 to varying[n] f32"},
    {CORE_CAST, 0, "vec[n]i32", "vec[n]f32", "varying[n] f32"},
    {CORE_CAST, 0, "vec[n]i32", "i32", "! a cast of varying[n] i32 to i32"},
    {CORE_LANES, 0, "n", NULL, "varying[n] i64"},
    {CORE_BLEND, 0, "vec[n]bool, vec[n]f32, vec[n]f32", NULL, "varying[n] f32"},
    {CORE_BLEND, 0, "bool, vec[n]f32, vec[n]f32", NULL,
     "! operand 0 of blend is bool, not a vector"},
    {CORE_BLEND, 0, "vec[n]bool, vec[n]f32, vec[n]i32", NULL,
     "! operand 2 of blend is varying[n] i32, not varying[n] f32"},
    {CORE_EXTRACT, 0, "vec[n]f32, idx[n]", NULL, "f32"},
    {CORE_EXTRACT, 0, "vec[n]f32, i64", NULL, "! operand 1 of extract is i64, not idx[n]"},
    {CORE_INSERT, 0, "vec[n]f32, idx[n], f32", NULL, "varying[n] f32"},
    {CORE_INSERT, 0, "vec[n]f32, idx[n], i32", NULL, "! operand 2 of insert is i32, not f32"},
    {CORE_ANY, 0, "vec[n]bool", NULL, "bool"},
    {CORE_ALL, 0, "vec[n]f32", NULL, "! operand 0 of all is varying[n] f32, not a vector of bools"},
    {CORE_SHUFFLE, 0, "vec[n]f32, vec[n]i64", NULL, "varying[n] f32"},
    {CORE_SHUFFLE, 0, "vec[n]f32, vec[n]i32", NULL,
     "! operand 1 of shuffle is varying[n] i32, not varying[n] i64"},
    {CORE_SHUFFLE, 0, "f32, vec[8]i64", NULL, "! operand 0 of shuffle is f32, not a vector"},
    {CORE_COUNT, 0, "vec[n]bool", NULL, "i64"},
    {CORE_COUNT, 0, "vec[n]i32", NULL,
     "! operand 0 of count is varying[n] i32, not a vector of bools"},
    {CORE_MASK_BITS, 0, "vec[n]bool", NULL, "u64"},
    {CORE_MASK_BITS, 0, "vec[n]u64", NULL,
     "! operand 0 of mask_bits is varying[n] u64, not a vector of bools"},
    {CORE_COMPRESS, 0, "vec[n]f32, vec[n]bool", NULL, "varying[n] f32"},
    {CORE_COMPRESS, 0, "f32, vec[n]bool", NULL, "! operand 0 of compress is f32, not a vector"},
    {CORE_COMPRESS, 0, "vec[n]f32, vec[n]i32", NULL,
     "! operand 1 of compress is varying[n] i32, not a vector of bools"},
    {CORE_EXPAND, 0, "vec[n]bool, vec[n]bool", NULL, "varying[n] bool"},
    {VIEW_AS_VECTOR, 0, "4, [4*n]f32", NULL, "[n]varying[4] f32"},
    {VIEW_AS_VECTOR, 0, "4, [n][m]f32", NULL,
     "! operand 1 of as_vector is [n][m]f32, not an array of scalars"},
    {VIEW_AS_SCALAR, 0, "[n]vec[4]f32", NULL, "[4*n]f32"},
    {VIEW_AS_SCALAR, 0, "[n]f32", NULL,
     "! operand 0 of as_scalar is [n]f32, not an array of vectors"},
    {VIEW_JOIN, 0, "[n]f32", NULL, "! operand 0 of join is [n]f32, not an array of arrays"},
    {VIEW_TRANSPOSE, 0, "[n][m][3]f32", NULL, "[m][n][3]f32"},
    {VIEW_SLIDE, 0, "3, 1, [n]f32", NULL, "[n - 2][3]f32"},
    {VIEW_SLIDE, 0, "4, 2, [2*n]f32", NULL, "[n - 1][4]f32"},
    {VIEW_PAD, PAD_CLAMP, "1, 2, [n]f32", NULL, "[n + 3]f32"},
    {VIEW_PAD, PAD_CONST, "1, 2, f32, [n]f32", NULL, "[n + 3]f32"},
    {VIEW_PAD, PAD_CONST, "1, 2, i32, [n]f32", NULL, "! operand 2 of pad is i32, not f32"},
    {VIEW_PAD, PAD_CONST, "1, 2, [n]f32", NULL, "! pad takes 4 operands"},
    {VIEW_CONCAT, 0, "[n]f32, [m]f32", NULL, "[m + n]f32"},
    {VIEW_CONCAT, 0, "[n]f32, [m]i32", NULL, "! concat of [n]f32 and [m]i32"},
    {VIEW_REPEAT, 0, "n, [m]f32", NULL, "[n][m]f32"},
    {VIEW_SLICE, 0, "1, n - 1, [n]f32", NULL, "[n - 1]f32"},
    {VIEW_STRIDE, 0, "4, [8*n]f32", NULL, "[2*n]f32"},
    {VIEW_STRIDE, 0, "2, f32", NULL, "! operand 1 of stride is f32, not an array"},
    {VIEW_REVERSE, 0, "[n]f32", NULL, "[n]f32"},
    {VIEW_CIRCULAR, 0, "m, [n]f32", NULL, "[n]f32"},
    {VIEW_CIRCULAR, 0, "m, f32", NULL, "! operand 1 of circular is f32, not an array"},
    {VIEW_ROTATE, 0, "i64, [n]f32", NULL, "[n]f32"},
    {VIEW_ROTATE, 0, "i32, [n]f32", NULL, "! operand 0 of rotate is i32, not i64"},
    {VIEW_GATHER, 0, "[n]idx[m], [m]f32", NULL, "[n]f32"},
    {VIEW_GATHER, 0, "[n]i64, [m]f32", NULL,
     "! operand 0 of gather is [n]i64, not an array of indices"},
    {VIEW_PERMUTE, 0, "fn(idx[n]) -> idx[n], fn(idx[n]) -> idx[n], [n]f32", NULL, "[n]f32"},
    {VIEW_PERMUTE, 0, "fn(idx[n]) -> idx[n], fn(idx[n]) -> i64, [n]f32", NULL,
     "! operand 1 of permute is fn(idx[n]) -> i64, not fn(idx[n]) -> idx[n]"},
    {CORE_SCATTER, 0, "[n]idx[m], [n]f32", NULL, "[m]f32"},
    {CORE_SCATTER_WITH, 0, "fn(f32, f32) -> f32, f32, [n]idx[m], [n]f32", NULL, "[m]f32"},
    {CORE_SCATTER_WITH, 0, "fn(f32, f32) -> f32, i32, [n]idx[m], [n]f32", NULL,
     "! operand 1 of scatter_with is i32, not f32"},
    {CORE_TO_MEM, 0, "[n]f32", NULL, "[n]f32"},
    {CORE_COPY, 0, "[n]f32", NULL, "[n]f32"},
    {CORE_MAP, 0, "?error, [n]f32", NULL, "_"},
    {CORE_MAP, 0, "fn(f32) -> f32, [n]f32, i32", NULL, "! map takes 2 operands, not 3"},
    {CORE_IF, 0, "bool, !, f32", NULL, "f32"},
    {CORE_IF, 0, "bool, f32, !", NULL, "f32"},
    {CORE_IF, 0, "bool, !, !", NULL, "!"},
    {CORE_LET, 0, "!, f32", NULL, "f32"},
    {CORE_NEW, 0, "[n]f32", NULL, "&mut [n]f32"},
    {CORE_NEW, 0, "fn(f32) -> !", NULL, "&mut fn(f32) -> !"},
    {CORE_NEW, 0, "!", NULL, "! operand 0 of cell is !, not a value"},
    {CORE_GET, 0, "&[n]f32", NULL, "[n]f32"},
    {CORE_GET, 0, "&mut global f32", NULL, "f32"},
    {CORE_GET, 0, "f32", NULL, "! operand 0 of get is f32, not a place"},
    {CORE_SET, 0, "&mut f32, f32", NULL, "()"},
    {CORE_SET, 0, "&f32, f32", NULL, "! operand 0 of put is &f32, not a place that may be written"},
    {CORE_SET, 0, "&mut f32, i32", NULL, "! operand 1 of put is i32, not f32"},
    {CORE_BORROW, 0, "&mut shared f32", NULL, "&shared f32"},
    {CORE_BORROW, 0, "&f32", NULL,
     "! operand 0 of borrow is &f32, not a place that may be written"},
    {CORE_REF_AT, 0, "&mut private [n][m]f32, idx[n]", NULL, "&mut private [m]f32"},
    {CORE_REF_AT, 0, "&mut vec[n]f32, idx[n]", NULL, "&mut f32"},
    {CORE_REF_AT, 0, "&vec[4]f32, i64", NULL, "! operand 1 of ref_at is i64, not idx[4]"},
    {CORE_REF_AT, 0, "&[n]f32, i64", NULL, "! operand 1 of ref_at is i64, not idx[n]"},
    {CORE_REF_AT, 0, "[n]f32, idx[n]", NULL, "! operand 0 of ref_at is [n]f32, not a place"},
    {CORE_REF_AT, 0, "&f32, idx[n]", NULL,
     "! operand 0 of ref_at is &f32, not a place of an array or a vector"},
    {CORE_REF_PROJ, 1, "&mut (f32, i32)", NULL, "&mut i32"},
    {CORE_REF_PROJ, 0, "&P{a: f32}", NULL, "&f32"},
    {CORE_REF_PROJ, 2, "&(f32, i32)", NULL, "! (f32, i32) has no component 2"},
    {CORE_REF_PROJ, 0, "(f32, i32)", NULL, "! operand 0 of ref_proj is (f32, i32), not a place"},
    {CORE_REF_SLICE, 0, "1, n - 1, &mut [n]f32", NULL, "&mut [n - 1]f32"},
    {CORE_REF_SLICE, 0, "1, n - 1, &f32", NULL,
     "! operand 2 of ref_slice is &f32, not a place of an array"},
    {CORE_REF_LANE, 0, "&mut [n]vec[4]f32, idx[4]", NULL, "&mut [n]f32"},
    {CORE_REF_LANE, 0, "&(i32, [n](vec[m]f32, vec[m]bool)), idx[m]", NULL,
     "&(i32, [n](f32, bool))"},
    {CORE_REF_LANE, 0, "&mut [n]f32, idx[n]", NULL,
     "! operand 0 of ref_lane is &mut [n]f32, not a place with vectors"},
    {CORE_REF_LANE, 0, "&mut [n]vec[4]f32, i64", NULL,
     "! operand 1 of ref_lane is i64, not an index"},
    {CORE_REF_LANE, 0, "[n]vec[4]f32, idx[4]", NULL,
     "! operand 0 of ref_lane is [n]varying[4] f32, not a place"},
    {CORE_LABEL, 0, "f32", NULL, "f32"},
    {CORE_LABEL, 0, "!", "f32", "f32"},
    {CORE_LABEL, 0, "f32", "i32", "! operand 0 of label is f32, not i32"},
    {CORE_LABEL, 0, "!", NULL, "! the type of a label's value has to be given"},
    {CORE_JUMP, 0, "fn(f32) -> !, f32", NULL, "!"},
    {CORE_JUMP, 0, "fn() -> !", NULL, "!"},
    {CORE_JUMP, 0, "", NULL, "! a jump needs a label"},
    {CORE_JUMP, 0, "fn(f32) -> f32, f32", NULL,
     "! operand 0 of jump is fn(f32) -> f32, not a continuation"},
    {CORE_JUMP, 0, "fn(f32) -> !, i32", NULL, "! operand 1 of jump is i32, not f32"},
    {CORE_JUMP, 0, "fn() -> !, ()", NULL, "! fn() -> ! is not called with 1 values"},
    {CORE_APP, 0, "fn(f32) -> !, f32", NULL, "!"},
    {CORE_FOREVER, 0, "()", NULL, "!"},
    {CORE_FOREVER, 0, "!", NULL, "!"},
    {CORE_FOREVER, 0, "f32", NULL, "! operand 0 of forever is f32, not ()"},
    {CORE_RANGE, 0, "u8, u8, fn(u8) -> ()", NULL, "()"},
    {CORE_RANGE, 0, "t, t, fn(t) -> !", NULL, "()"},
    {CORE_RANGE, 0, "f32, f32, fn(f32) -> ()", NULL, "! operand 0 of range is f32, not an integer"},
    {CORE_RANGE, 0, "i32, i64, fn(i32) -> ()", NULL, "! operand 1 of range is i64, not i32"},
    {CORE_RANGE, 0, "i32, i32, fn(i32) -> f32", NULL,
     "! operand 2 of range is fn(i32) -> f32, not fn(i32) -> ()"},
    {CORE_PARALLEL, 0, "i32, i64, i64, fn(i64) -> ()", NULL, "()"},
    {CORE_PARALLEL, 0, "i64, i64, i64, fn(i64) -> ()", NULL,
     "! operand 0 of parallel is i64, not i32"},
    {CORE_VECTORIZE, 0, "i32, i32, i32, fn(i32) -> ()", NULL, "()"},
    {CORE_VECTORIZE, 0, "i32, i32, i32, fn(i64) -> ()", NULL,
     "! operand 3 of vectorize is fn(i64) -> (), not fn(i32) -> ()"},
    {CORE_SPAWN, 0, "fn() -> ()", NULL, "i32"},
    {CORE_SPAWN, 0, "fn() -> !", NULL, "i32"},
    {CORE_SPAWN, 0, "fn(i32) -> ()", NULL, "! operand 0 of spawn is fn(i32) -> (), not fn() -> ()"},
    {CORE_SYNC, 0, "i32", NULL, "()"},
    {CORE_SYNC, 0, "i64", NULL, "! operand 0 of sync is i64, not i32"},
    {CORE_PREFETCH, 0, "&mut [n]f32, idx[n]", NULL, "()"},
    {CORE_PREFETCH, 0, "&[4][n]f32, idx[4]", NULL, "()"},
    {CORE_PREFETCH, 0, "[n]f32, idx[n]", NULL, "()"},
    {CORE_PREFETCH, 0, "&f32, idx[4]", NULL,
     "! operand 0 of prefetch is &f32, not an array or a place of one"},
    {CORE_PREFETCH, 0, "&[n]f32, i64", NULL, "! operand 1 of prefetch is i64, not idx[n]"},
    {CORE_CALL, 0, "f32, &mut f32", "i32", "i32"},
    {CORE_CALL, 0, "f32", NULL, "! call needs a type"},
    {CORE_ASSERT, 0, "bool", NULL, "()"},
    {CORE_ASSERT, 0, "bool, (), [n]f32", NULL, "()"},
    {CORE_ASSERT, 0, "i32", NULL, "! operand 0 of assert is i32, not bool"},
    {CORE_ASSERT, 0, "", NULL, "! assert needs a condition"},
    {CORE_PRINT, 0, "()", NULL, "()"},
    {CORE_PRINT, 0, "(), f32, (), [n]i32", NULL, "()"},
    {CORE_PRINT, 0, "vec[4]bool, vec[4]f32", NULL, "()"},
    {CORE_PRINT, 0, "f32", NULL, "! operand 0 of print is f32, not () or a vector of bool"},
    {CORE_PRINT, 0, "", NULL, "! print needs a mask, or ()"},
    {CORE_TEXT, 0, "", NULL, "()"},
    {CORE_OPEN, 0, "idx[9], [n]f32", NULL, "[n]f32"},
    {CORE_OPEN, 0, "i64, f32", NULL, "! operand 0 of open is i64, not an index"},
    {CORE_KNOWN, 0, "[n]f32", NULL, "bool"},
    {CORE_KNOWN, 0, "fn(f32) -> f32", NULL, "bool"},
    {CORE_HIDE, 0, "&mut f32", NULL, "&mut f32"},
    {COM_SKIP, 0, "", NULL, "! skip has no typing rule in Core"},
};

static void rules_give_types(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *row = &rows[i];
        assert_string_equal(rule(row->kind, row->attr, row->operands, row->given, true), row->type);
        assert_string_equal(rule(row->kind, row->attr, row->operands, row->given, false),
                            row->type);
    }
}

static void every_kind_has_a_row(void **state)
{
    (void)state;
    bool given[KIND_COUNT] = {[CORE_VAR] = true,
                              [CORE_LAM] = true,
                              [CORE_GLOBAL] = true,
                              [CORE_UNDEFINED] = true}; // its operand is a type
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) given[rows[i].kind] = true;
    for (int k = 0; k < KIND_COUNT; k++)
        if (kind_info[k].levels & (LEVEL_CORE | LEVEL_LOW) && !given[k])
            fail_msg("no row for %s", kind_info[k].text);
}

static void sizes_count_when_strict(void **state)
{
    (void)state;
    static const Row sized[] = {
        {CORE_INDEX, 0, "[n]f32, idx[m]", NULL, "f32"},
        {VIEW_ZIP, 0, "[n]f32, [m]i32", NULL, "[n](f32, i32)"},
        {VIEW_GATHER, 0, "[n]idx[m], [n]f32", NULL, "[n]f32"},
        {CORE_SCATTER, 0, "[n]idx[m], [m]f32", NULL, "[m]f32"},
        {CORE_IF, 0, "bool, [n]f32, [m]f32", NULL, "[n]f32"},
        {CORE_MAP, 0, "fn([n]f32) -> f32, [4][m]f32", NULL, "[4]f32"},
        {CORE_ARRAY, 0, "f32, f32", "[3]f32", "[3]f32"},
        {CORE_ITERATE, 0, "n, fn([n]f32) -> [m]f32, [n]f32", NULL, "[n]f32"},
        {CORE_PRIM, PRIM_ADD, "vec[4]f32, vec[8]f32", NULL, "varying[4] f32"},
        {CORE_CAST, 0, "vec[4]i32", "vec[8]f32", "varying[8] f32"},
        {CORE_BLEND, 0, "vec[n]bool, vec[m]f32, vec[m]f32", NULL, "varying[m] f32"},
        {CORE_EXTRACT, 0, "vec[n]f32, idx[m]", NULL, "f32"},
        {CORE_SHUFFLE, 0, "vec[n]f32, vec[m]i64", NULL, "varying[n] f32"},
        {CORE_EXPAND, 0, "vec[n]f32, vec[m]bool", NULL, "varying[n] f32"},
    };
    for (size_t i = 0; i < sizeof sized / sizeof *sized; i++) {
        const Row *row = &sized[i];
        assert_string_equal(rule(row->kind, row->attr, row->operands, row->given, false),
                            row->type);
        assert_int_equal(*rule(row->kind, row->attr, row->operands, row->given, true), '!');
    }
}

static void builders_make_literals(void **state)
{
    (void)state;
    Node *u8 = type_scalar(cx, SCALAR_U8), *i8 = type_scalar(cx, SCALAR_I8);
    assert_int_equal(core_int(cx, u8, 257)->attr.bits, 1);
    assert_true(core_int(cx, i8, 255)->attr.i == -1);
    assert_ptr_equal(core_int(cx, type_scalar(cx, SCALAR_F32), 2),
                     core_float(cx, type_scalar(cx, SCALAR_F32), 2.0));
    Node *third = core_float(cx, type_scalar(cx, SCALAR_F32), 1.0 / 3);
    double x;
    memcpy(&x, &third->attr.bits, sizeof x);
    assert_true(x == (double)(1.0f / 3.0f));
    assert_ptr_equal(core_cast(cx, third, third->type), third);
    assert_int_equal(core_bool(cx, true)->attr.bits, 1);
    assert_string_equal(type_show(cx, core_size(cx, nat_const(cx, 3))->type), "i64");
}

static void places_are_no_identity(void **state)
{
    (void)state;
    Node *e = core_size(cx, nat_const(cx, 3));
    Span here = {1, 2, 3}, there = {1, 7, 9};
    assert_ptr_equal(core_at(cx, e, here), e);
    assert_int_equal(e->origin.lo, 2);
    core_at(cx, e, there);
    assert_int_equal(e->origin.lo, 2); // the first place stays
}

static void builders_build(void **state)
{
    (void)state;
    Node *f32 = type_scalar(cx, SCALAR_F32), *x = core_var(cx, 0, f32);
    Sym name = session_sym(cx, "x");
    Node *square = core_lam(cx, 1, &f32, &name, core_prim(cx, PRIM_MUL, 2, (Node *[]){x, x}));
    assert_string_equal(type_show(cx, square->type), "fn(f32) -> f32");
    assert_int_equal(square->loose, 0);
    assert_ptr_equal(square->names[0], name);
    Node *four = core_app(cx, square, 1, (Node *[]){core_float(cx, f32, 2)});
    assert_ptr_equal(four->type, f32);
    Node *let = core_let(cx, name, four, core_prim(cx, PRIM_ADD, 2, (Node *[]){x, x}));
    assert_string_equal(term_show(cx, let, NULL, 0),
                        "(let x (app (lam (x: f32) (* x x)) 2.0) (+ x x))");
    Node *array = core_array(cx, f32, 2, (Node *[]){four, four});
    assert_string_equal(type_show(cx, array->type), "[2]f32");
    Node *i = core_to_idx(cx, core_size(cx, nat_const(cx, 1)), nat_const(cx, 2), (Span){1, 5, 6});
    assert_int_equal(i->origin.lo, 5);
    assert_ptr_equal(core_pattern(cx, CORE_INDEX, 0, 2, (Node *[]){array, i})->type, f32);
}

static const char *text_of(Node *e)
{
    return term_show(cx, e, NULL, 0);
}

static void builders_build_state_and_control(void **state)
{
    (void)state;
    Node *i32 = type_scalar(cx, SCALAR_I32), *one = core_int(cx, i32, 1);
    Node *cell = core_new(cx, core_array(cx, i32, 2, (Node *[]){one, one}));
    Node *p = core_var(cx, 0, cell->type), *shared = core_borrow(cx, p);
    assert_string_equal(type_show(cx, shared->type), "&[2]i32");
    assert_ptr_equal(core_borrow(cx, shared), shared);
    Node *slice = core_ref_slice(cx, nat_const(cx, 1), nat_const(cx, 1), p);
    assert_string_equal(type_show(cx, slice->type), "&mut [1]i32");
    Node *at = core_ref_at(
        cx, p, core_to_idx(cx, core_size(cx, nat_const(cx, 1)), nat_const(cx, 2), NO_SPAN));
    // Parts of the place of a lane are places of that lane in the parts.
    Node *vectors = type_array(cx, nat_const(cx, 2), type_vec(cx, 4, i32));
    Node *lane = core_ref_lane(cx, core_var(cx, 1, type_ref(cx, vectors, true, SPACE_GENERIC)),
                               core_var(cx, 0, type_idx(cx, nat_const(cx, 4))));
    assert_string_equal(type_show(cx, lane->type), "&mut [2]i32");
    assert_string_equal(text_of(core_ref_at(cx, lane, at->op[1])),
                        "(ref_at (ref_at (var 1 : &mut [2]vec[4]i32) (to_idx (size 1) : idx[2]))"
                        " (var 0 : idx[4]))");
    assert_string_equal(text_of(core_ref_slice(cx, nat_const(cx, 1), nat_const(cx, 1), lane)),
                        "(ref_lane (ref_slice 1 1 (var 1 : &mut [2]vec[4]i32)) (var 0 : idx[4]))");
    // The second part of a sequence keeps its variables.
    Node *seq = core_let(cx, session_sym(cx, "p"), cell,
                         core_seq(cx, core_set(cx, at, one), core_get(cx, p)));
    assert_string_equal(text_of(seq),
                        "(let p (cell (array 1 1)) (let _ (put (ref_at p (to_idx (size 1)"
                        " : idx[2])) 1) (get p)))");

    Node *unit = core_unit(cx)->type, *leave = type_continuation(cx, unit);
    assert_string_equal(type_show(cx, leave), "fn() -> !");
    Node *jump = core_pattern(cx, CORE_JUMP, 0, 1, (Node *[]){core_var(cx, 0, leave)});
    Node *loop = core_label(cx, session_sym(cx, "brk"), unit, core_forever(cx, jump));
    assert_string_equal(text_of(loop), "(label brk () (forever (jump brk)))");
    assert_int_equal(loop->loose, 0);
    assert_string_equal(type_show(cx, type_continuation(cx, i32)), "fn(i32) -> !");
    assert_ptr_equal(core_label(cx, NULL, NULL, one)->type, i32);

    Node *body = core_lam(cx, 1, &i32, NULL, core_unit(cx));
    assert_string_equal(text_of(core_range(cx, one, one, body)),
                        "(range 1 1 (lam (x: i32) (tuple)))");
    assert_ptr_equal(core_pattern(cx, CORE_PARALLEL, 0, 4, (Node *[]){one, one, one, body})->type,
                     unit);
    assert_ptr_equal(core_vectorize(cx, one, one, one, body)->type, unit);
    assert_string_equal(text_of(core_call(cx, session_sym(cx, "f"), 1, &one, i32)),
                        "(call f 1 : i32)");
    assert_string_equal(
        text_of(core_tuple(cx, 2, (Node *[]){core_known(cx, one), core_hide(cx, one)}, NULL)),
        "(tuple (known 1) (hide 1))");
    Node *pair = core_new(cx, core_tuple(cx, 2, (Node *[]){one, one}, NULL));
    assert_string_equal(type_show(cx, core_ref_proj(cx, pair, 1)->type), "&mut i32");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rules_give_types, setup, teardown),
        cmocka_unit_test_setup_teardown(every_kind_has_a_row, setup, teardown),
        cmocka_unit_test_setup_teardown(sizes_count_when_strict, setup, teardown),
        cmocka_unit_test_setup_teardown(builders_make_literals, setup, teardown),
        cmocka_unit_test_setup_teardown(places_are_no_identity, setup, teardown),
        cmocka_unit_test_setup_teardown(builders_build, setup, teardown),
        cmocka_unit_test_setup_teardown(builders_build_state_and_control, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
