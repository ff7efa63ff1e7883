// One node for every level. Sizes, types, Core, DPIA and Loop IR are all made of `Node`: a kind, a
// small attribute, and operands. Nodes are immutable and hash-consed per session, so equal terms
// are one pointer (`==` is equality), memo tables are keyed by node, and traversals, substitution,
// printing and reading are written once as loops over `op[]`. The vocabularies are the tables *.def
// in this folder, with one row per kind.
//
// Binders. Core terms use de Bruijn indices: CORE_VAR i refers to the i-th enclosing bound
// variable, counted from the innermost (0). A row of core.def says what an operand is and how many
// variables it is under. When one node binds several (a lambda |x, y|), the last one has index 0.
// `loose` is 1 + the greatest index free in the node (0 = closed), so closed subterms skip
// shifting. Size variables, and all variables of DPIA and Loop IR, have unique names (Sym) instead:
// these levels are built by continuations and never compared modulo renaming.
//
// A node is identified by its kind, variant, attr, type and operands; a call also by its origin,
// since each call is evaluated and messages name its position. Other origins (a node keeps that of
// its first maker, see node_begin) and `names` (hints for printing bound variables) do not count.
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
    // A literal: two's complement, 0/1, or the bits of a double (also for f16 and f32).
    uint64_t bits;
    Sym sym;
} Attr;

/// The low-level variant of a pattern or the side of a view. ANY means that no choice was made yet.
typedef enum {
    VARIANT_ANY,
#define VARIANT(name, text) name,
#include "ir/variant.def"
#undef VARIANT
    VARIANT_COUNT
} Variant;

/// How a variant is spelled after the dot; "" for ANY.
extern const char *const variant_text[VARIANT_COUNT];

typedef const struct Node Node;
struct Node {
    uint16_t kind;    // Kind
    uint16_t variant; // Variant
    uint32_t nops;
    uint32_t id; // dense per session, in order of creation: an index for side tables
    uint32_t hash;
    uint32_t loose; // 1 + greatest free de Bruijn index, 0 = closed
    Span origin;
    Node *type; // NULL for sizes, types, commands and statements
    Attr attr;
    const Sym *names; // hints for the variables this node binds (as many as it binds), or NULL
    Node *op[];
};

/// Levels a kind may occur at, for the checkers.
enum {
    LEVEL_NAT = 1,
    LEVEL_TYPE = 2,
    LEVEL_CORE = 4,
    LEVEL_LOW = 8,
    LEVEL_DPIA = 16,
    LEVEL_LOOP = 32
};

typedef struct {
    const char *text; // spelling in the textual form
    int nops;         // -1 for any number
    AttrKind attr;
    // A letter per operand, see Sort; the last letter stands for all further operands; "" means
    // terms.
    const char *under;
    int levels; // mask of LEVEL_*
} KindInfo;

extern const KindInfo kind_info[KIND_COUNT];

/// Whether walks over terms may skip the node, since sizes and types contain no terms.
#define node_is_size_or_type(n) ((kind_info[(n)->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) != 0)

/// What an operand is. In the column `under`: '0'..'9' a term under this many variables, 'n' a term
/// under attr.i variables, 'f' a term of function type (in flat Core a literal lambda), 's' a size,
/// 't' a type, 'g' a size or a type, 'a' an acceptor.
typedef enum { SORT_TERM, SORT_FUN, SORT_SIZE, SORT_TYPE, SORT_GENERIC, SORT_ACCEPTOR } Sort;
Sort kind_sort(Kind kind, int k);

/// Scalars: the element types. SCALAR(enum, text, bytes, class, C type) in scalar.def.
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

/// The attribute of a literal: an integer wrapped to the width of its type and extended to 64 bits
/// (0 or 1 for bool); a double rounded to its float type (ties to even).
uint64_t scalar_wrap(Scalar s, uint64_t bits);
double scalar_round(Scalar s, double value);

/// Scalar operators: the rows of prim.def.
typedef enum {
#define PRIM(name, ...) name,
#include "ir/prim.def"
#undef PRIM
    PRIM_COUNT
} Prim;
/// The scalars that an operator takes, and its result.
typedef enum {
    ON_ANY,
    ON_BOOL,
    ON_INT,
    ON_FLOAT,
    ON_NUM,
    ON_LOGIC
} PrimOperands; // LOGIC: bool or integer
typedef enum { GIVES_SAME, GIVES_BOOL } PrimResult;
/// How C writes an operator if C's meaning is the same: infix with a precedence, before its
/// operand, or as a call. LIBRARY is a call of a function such as exp, for which machines have no
/// instruction.
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
    const char *text; // as written: "+" or "sqrt"
    int arity;
    PrimOperands operands;
    PrimResult result;
    const char *c; // an operator, or a function name without type suffix
    PrimSpelling spelling;
    PrimWork work;
} PrimInfo;
extern const PrimInfo prim_info[PRIM_COUNT];
enum { PRIM_OPERANDS = 3 }; // maximum number of operands

/// Whether the operator is a function of C's library (SPELT_LIBRARY).
bool prim_is_function(Prim op);

/// Whether glibc's libmvec has a vector version of the operator for the session's processor, with
/// an error of at most 4 ULP.
bool prim_in_library(const Session *cx, Prim op);

/// Border modes of pad.
typedef enum { PAD_CLAMP, PAD_MIRROR, PAD_WRAP, PAD_CONST, PAD_MODE_COUNT } PadMode;
extern const char *const pad_mode_text[PAD_MODE_COUNT];

/// Everything that identifies a node, as given to node_make. `ops` is copied.
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

/// Begins another function. Its terms become new nodes, so that they have origins and hints of
/// their own. Sizes, types, names and numbers are shared by all functions.
void node_begin(Session *cx);

/// The one node equal to `spec`, made if needed. Checks the number of operands against the table. A
/// node without an origin takes the spec's origin.
Node *node_make(Session *cx, const NodeSpec *spec);

/// The spec of `e`: all that identifies it, its origin and its hints.
NodeSpec node_spec(Node *e);

/// `e` with other operands (same kind, variant, attr, origin, names), or `e` itself if nothing
/// changed.
Node *node_with_ops(Session *cx, Node *e, Node *const *ops);

/// `e` with another type / variant / operand k.
Node *node_with_type(Session *cx, Node *e, Node *type);
Node *node_with_variant(Session *cx, Node *e, Variant v);
Node *node_with_op(Session *cx, Node *e, int k, Node *op);

/// `e`, whose attribute is a name, with another name.
Node *node_with_name(Session *cx, Node *e, Sym name);

/// The number of operands of a pattern or loop that takes `n` without a variant; vec and aosoa take
/// one more, the number of lanes.
int variant_operands(Variant v, int n);

/// The space of a variant of to_mem, VARIANT_STACK or VARIANT_HEAP, and its layout, VARIANT_SOA,
/// VARIANT_AOS or VARIANT_AOSOA; VARIANT_ANY if it has none.
Variant variant_space(Variant v);
Variant variant_layout(Variant v);

/// The number of lanes of a pattern or loop with vec, or of elements in a block with aosoa: a size.
Node *node_lanes(Node *e);

/// The number of variables that `e` binds in operand k.
int node_binds(Node *e, int k);

/// The number of nodes that the session has made; all ids are below it.
uint32_t node_count(const Session *cx);

/// The unique list of these names, which lives as long as the session.
const Sym *node_names(Session *cx, const Sym *names, int n);

/// Frees the terms with an id of at least `from` that are not reachable from `roots` (NULL for no
/// roots); later nodes reuse their memory. Nothing else may refer to freed terms; sizes and types
/// stay. Returns the number of terms from `from` on that are left.
uint32_t node_collect(Session *cx, uint32_t from, Node *const *roots, int nroots);

/// A rebuild: `visit` is called on every operand with the number of de Bruijn variables above it,
/// the node's type is passed through `visit` too (types contain no term variables; depth 0). Gives
/// `e` if nothing changed.
typedef Node *NodeVisit(Session *cx, Node *e, int depth, void *env);
Node *node_map(Session *cx, Node *e, int depth, NodeVisit *visit, void *env);

/// De Bruijn machinery (Core): adds `by` to every free index >= `cutoff`.
Node *node_shift(Session *cx, Node *e, int by, int cutoff);

/// Beta reduction of a body under n variables: index i (i < n) replaced by args[n - 1 - i] (so args
/// are in binding order), the other free indices lowered by n.
Node *node_instantiate(Session *cx, Node *body, Node *const *args, int n);

/// Replaces size and type variables (NAT_VAR, TYPE_VAR by name) throughout `e`, its types and size
/// operands. Sizes are renormalised through `nat_rebuild`, see below. Memoised per call, linear in
/// distinct nodes.
typedef struct {
    Sym name;
    Node *value;
} NodeBinding;
Node *node_replace_names(Session *cx, Node *e, const NodeBinding *with, int n);

/// Rebuilds a size node from new operands in normal form. nat/, which is above ir/, sets it when
/// the session starts to use sizes.
typedef Node *NatRebuild(Session *cx, Node *e, Node *const *ops);
void node_set_nat_rebuild(Session *cx, NatRebuild *rebuild);

/// Whether de Bruijn variable `index` occurs free in `e`; the number of occurrences (2 for 2 or
/// more).
bool node_uses(Node *e, int index);
int node_count_uses(Node *e, int index);

#endif
