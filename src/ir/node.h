// One node type for all levels. Sizes, types, Core, DPIA and Loop IR all consist of `Node`s: a
// kind, a small attribute, and operands. Nodes are immutable and hash-consed per session. Equal
// terms are therefore the same pointer (`==` is equality), memo tables are keyed by node, and
// traversals, substitution, printing and reading are written only once, as loops over `op[]`. The
// kinds are listed in the *.def tables in this folder, one row per kind.
//
// Binders. Core terms use de Bruijn indices: CORE_VAR i refers to the i-th enclosing bound
// variable, counted from the innermost (0). A row of core.def says what each operand is and how
// many variables are bound in it. If a node binds several variables, like a lambda |x, y|, the last
// one has index 0. `loose` is 1 + the greatest free index in the node (0 = closed); it lets
// shifting skip closed subterms. Size variables, and all variables of DPIA and Loop IR, have unique
// names (Sym) instead, since these levels are built by continuations and never compared modulo
// renaming.
//
// A node is identified by its kind, variant, attr, type and operands. A call is also identified by
// its origin, since each call is evaluated and messages name its position. For all other nodes, the
// origin does not matter (a node keeps the one it was created with; see node_begin), and neither do
// `names`, which are hints for printing bound variables.
#ifndef ADZE_IR_NODE_H
#define ADZE_IR_NODE_H

#include "base/session.h"

typedef enum {
    KIND_NONE,
#define NODE(kind, text, nops, attr, under, levels) kind,
#include "ir/kinds.def"
#undef NODE
    KIND_COUNT
} Kind;

/// What the 64-bit attribute of a kind holds.
typedef enum {
    ATTR_NONE,
    ATTR_INT,
    ATTR_SYM,
    ATTR_SCALAR,
    ATTR_PRIM,
    ATTR_BITS,
    ATTR_MODE
} AttrKind;

typedef union {
    int64_t i;
    // The bits of a literal: two's complement, 0/1, or those of a double (also for f16 and f32).
    uint64_t bits;
    Sym sym;
} Attr;

/// The low-level variant of a pattern or the side of a view. ANY means that none has been chosen
/// yet.
typedef enum {
    VARIANT_ANY,
#define VARIANT(name, text) name,
#include "ir/variant.def"
#undef VARIANT
    VARIANT_COUNT
} Variant;

/// The spelling of each variant after the dot; "" for ANY.
extern const char *const variant_text[VARIANT_COUNT];

typedef const struct Node Node;
struct Node {
    uint16_t kind;    // Kind
    uint16_t variant; // Variant
    uint32_t nops;
    uint32_t id; // consecutive in a session, in order of creation; indexes side tables
    uint32_t hash;
    uint32_t loose; // 1 + the greatest free de Bruijn index, 0 = closed
    Span origin;
    Node *type; // NULL for sizes, types, commands and statements
    Attr attr;
    const Sym *names; // a name hint for each variable that the node binds, or NULL
    Node *op[];
};

/// The levels at which a kind may occur, for the checkers.
enum {
    LEVEL_NAT = 1,
    LEVEL_TYPE = 2,
    LEVEL_CORE = 4,
    LEVEL_LOW = 8,
    LEVEL_DPIA = 16,
    LEVEL_LOOP = 32
};

typedef struct {
    const char *text; // its spelling in the textual form
    int nops;         // -1 for any number
    AttrKind attr;
    // One letter per operand; see Sort. The last letter also stands for all further operands. ""
    // means that all operands are terms.
    const char *under;
    int levels; // mask of LEVEL_*
} KindInfo;

extern const KindInfo kind_info[KIND_COUNT];

/// Whether the node is a size or a type. Walks over terms may skip these, as they contain no terms.
#define node_is_size_or_type(n) ((kind_info[(n)->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) != 0)

/// The sort of an operand. The letters in the column `under` are '0'..'9' for a term under this
/// many variables, 'n' for a term under attr.i variables, 'f' for a term of function type (in flat
/// Core, a literal lambda), 's' for a size, 't' for a type, 'g' for a size or a type, and 'a' for
/// an acceptor.
typedef enum { SORT_TERM, SORT_FUN, SORT_SIZE, SORT_TYPE, SORT_GENERIC, SORT_ACCEPTOR } Sort;
Sort kind_sort(Kind kind, int k);

/// The scalar types: the rows SCALAR(enum, text, bytes, class, C type) of scalar.def.
typedef enum {
#define SCALAR(name, text, size, class, ctype) name,
#include "ir/scalar.def"
#undef SCALAR
    SCALAR_COUNT
} Scalar;
typedef enum { CLASS_BOOL, CLASS_INT, CLASS_UINT, CLASS_FLOAT } ScalarClass;
typedef struct {
    const char *text;
    int size;
    ScalarClass class;
    const char *ctype;
} ScalarInfo;
extern const ScalarInfo scalar_info[SCALAR_COUNT];

/// Wraps an integer to the width of the type `s` and extends it to 64 bits (0 or 1 for bool), which
/// is the form that the attribute of a literal requires.
uint64_t scalar_wrap(Scalar s, uint64_t bits);
/// Rounds `value` to the float type `s`, ties to even.
double scalar_round(Scalar s, double value);

/// The scalar operators: the rows of prim.def.
typedef enum {
#define PRIM(name, ...) name,
#include "ir/prim.def"
#undef PRIM
    PRIM_COUNT
} Prim;
/// The scalar types that an operator accepts. ON_LOGIC means bool or integers, ON_BITS the unsigned
/// integers that are as large as a float.
typedef enum { ON_ANY, ON_BOOL, ON_INT, ON_FLOAT, ON_NUM, ON_LOGIC, ON_BITS } PrimOperands;
/// The type of the result: that of the operands, bool, or the unsigned integer or the float of the
/// same size.
typedef enum { GIVES_SAME, GIVES_BOOL, GIVES_UNSIGNED, GIVES_FLOAT } PrimResult;
/// How an operator is written in C where C gives it the same meaning: as an infix operator of the
/// named precedence, as a prefix, or as a call. LIBRARY marks a call to a function such as exp, for
/// which machines have no instruction.
typedef enum {
    SPELT_SUM,
    SPELT_PRODUCT,
    SPELT_SHIFT,
    SPELT_ORDER,
    SPELT_EQUALITY,
    SPELT_BITAND,
    SPELT_BITXOR,
    SPELT_BITOR,
    SPELT_PREFIX,
    SPELT_CALL,
    SPELT_LIBRARY
} PrimSpelling;
typedef enum { WORK_SHORT, WORK_LONG } PrimWork;
typedef struct {
    const char *text; // as written in programs: "+" or "sqrt"
    int arity;
    PrimOperands operands;
    PrimResult result;
    const char *c; // the C operator, or the name of the C function without a type suffix
    PrimSpelling spelling;
    PrimWork work;
} PrimInfo;
extern const PrimInfo prim_info[PRIM_COUNT];
enum { PRIM_OPERANDS = 3 }; // the maximum number of operands

/// Whether the operator accepts operands of this scalar type.
bool prim_takes(Prim op, Scalar s);

/// The scalar type of the operator's result for operands of type `s`, which it accepts.
Scalar prim_result(Prim op, Scalar s);

/// Whether the operator is `likely` or `unlikely`, whose value is that of their operand.
bool prim_is_hint(Prim op);

/// Whether the operator counts bits, so that its result is at least 0 and at most the width.
bool prim_counts_bits(Prim op);

/// The unsigned integer type of the same size.
Scalar scalar_unsigned(Scalar s);
/// The float type of the same size, which is not one byte.
Scalar scalar_float(Scalar s);

/// Whether the operator is a function of the C library (SPELT_LIBRARY).
bool prim_is_function(Prim op);

/// Whether a vector version of the operator from glibc's libmvec, with an error of at most 4 ULP,
/// may be used: the session's processor has one, and exact_math is not set.
bool prim_in_library(const Session *cx, Prim op);

/// Border modes of pad.
typedef enum { PAD_CLAMP, PAD_MIRROR, PAD_WRAP, PAD_CONST, PAD_MODE_COUNT } PadMode;
extern const char *const pad_mode_text[PAD_MODE_COUNT];

/// Everything that identifies a node, as passed to node_make. `ops` is copied.
typedef struct {
    Kind kind;
    Variant variant;
    Attr attr;
    Node *type;
    int nops;
    Node *const *ops;
    Span origin;
    const Sym *names; // copied by pointer: must live as long as the session
} NodeSpec;

/// Begins a new function. Terms made from now on are new nodes even if an earlier function contains
/// equal ones, so that they have their own origins and hints. Sizes, types, variables, globals and
/// literals are shared by all functions.
void node_begin(Session *cx);

/// Returns the unique node equal to `spec`, creating it if needed. Checks the number of operands
/// against the table. An existing node without an origin takes that of `spec`.
Node *node_make(Session *cx, const NodeSpec *spec);

/// The spec of `e`: everything that identifies it, its origin and its hints.
NodeSpec node_spec(Node *e);

/// `e` with other operands but the same kind, variant, attr, type, origin and names. Returns `e`
/// itself if nothing changed.
Node *node_with_ops(Session *cx, Node *e, Node *const *ops);

/// `e` with another type, variant or operand k.
Node *node_with_type(Session *cx, Node *e, Node *type);
Node *node_with_variant(Session *cx, Node *e, Variant v);
Node *node_with_op(Session *cx, Node *e, int k, Node *op);

/// `e`, whose attribute must be a name, with `name` in its place.
Node *node_with_name(Session *cx, Node *e, Sym name);

/// The number of operands of a pattern or loop with the variant `v`, where `n` is its number of
/// operands without a variant. vec and aosoa add one operand, the number of lanes.
int variant_operands(Variant v, int n);

/// The space that a variant of to_mem selects: VARIANT_STACK, VARIANT_HEAP, VARIANT_SHARED,
/// or VARIANT_ANY if it selects none.
Variant variant_space(Variant v);
/// The layout that a variant of to_mem selects: VARIANT_SOA, VARIANT_AOS, VARIANT_AOSOA, or
/// VARIANT_ANY if it selects none.
Variant variant_layout(Variant v);

/// Returns the size that vec and aosoa add as the last operand: the number of lanes of a pattern or
/// loop, or the number of elements in a block.
Node *node_lanes(Node *e);

/// The number of variables that `e` binds in operand k.
int node_binds(Node *e, int k);

/// The number of nodes created in the session so far. All ids are below it.
uint32_t node_count(const Session *cx);

/// Returns the unique copy of this list of names, which lives as long as the session.
const Sym *node_names(Session *cx, const Sym *names, int n);

/// Frees the terms with an id of at least `from` that are not reachable from `roots`; a root may be
/// NULL. Later nodes reuse the memory, so nothing else may refer to freed terms. Sizes and types
/// are not freed. Returns the number of terms with an id of at least `from` that are left.
uint32_t node_collect(Session *cx, uint32_t from, Node *const *roots, int nroots);

/// Rebuilds `e` from the results of `visit` for its operands and its type. `visit` is called with
/// the number of de Bruijn variables above an operand, counting from `depth`, and with depth 0 for
/// the type, since types contain no term variables. Returns `e` itself if nothing changed.
typedef Node *NodeVisit(Session *cx, Node *e, int depth, void *env);
Node *node_map(Session *cx, Node *e, int depth, NodeVisit *visit, void *env);

/// Shifts a Core term: adds `by` to every free de Bruijn index >= `cutoff`.
Node *node_shift(Session *cx, Node *e, int by, int cutoff);

/// Substitutes the arguments in a body under n variables, as in beta reduction: replaces index i <
/// n with args[n - 1 - i] (so args are in binding order), and lowers the other free indices by n.
Node *node_instantiate(Session *cx, Node *body, Node *const *args, int n);

typedef struct {
    Sym name;
    Node *value;
} NodeBinding;
/// Replaces size and type variables (NAT_VAR and TYPE_VAR, by name) throughout `e`, including its
/// types and size operands. Sizes are normalised again (see NatRebuild). Takes time linear in the
/// number of distinct nodes.
Node *node_replace_names(Session *cx, Node *e, const NodeBinding *with, int n);

/// Rebuilds a size node from new operands, in normal form. Since ir/ must not depend on nat/, nat/
/// sets this function when the session starts to use sizes.
typedef Node *NatRebuild(Session *cx, Node *e, Node *const *ops);
void node_set_nat_rebuild(Session *cx, NatRebuild *rebuild);

/// Whether de Bruijn variable `index` occurs free in `e`.
bool node_uses(Node *e, int index);
/// The number of free occurrences of de Bruijn variable `index` in `e`; 2 means two or more.
int node_count_uses(Node *e, int index);

#endif
