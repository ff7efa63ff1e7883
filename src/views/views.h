// The table of views. A row has the typing rule of a view (type), the place from which an element
// of the result is read (get), the place to which an element of an argument is written (put), the
// view that reads it back (back), and properties for the lowering. No other part of the compiler
// defines a view; its kind and its variants are in ir/view.def. get and put are pure functions:
// they map a path into the view to a path into its argument. Composition of views is composition of
// these functions.
//
// Indices are sizes, numbers, or unknown. So the same row is the semantics (core/ and dpia/
// interpret it on numbers), the check (dpia/ finds the scalars of a path with any indices) and the
// translation (dpia/ applies get to views of delayed arrays, loops/ applies get and put to views of
// memory, which turns every access into an index of a buffer).
//
// clang-format off
//   view       get: result element reads              put: element of the argument goes to
//   zip k      [i].k..   arg k [i]..                  [i].. of argument k: [i].k..
//   unzip      .k[i]..   [i].k..                      [i].k..: .k[i]..
//   split m    [i][j]    [i*m + j]                    [k]: [k/m][k%m]
//   join m     [k]       [k/m][k%m]                   [i][j]: [i*m + j]
//   as_vector L, as_scalar   as split and join: lane j is the index [j] of a vector
//   transpose  [i][j]    [j][i]                       [i][j]: [j][i]
//   slide s t  [i][j]    [i*t + j]                    none
//   pad l r    [i]       by mode; const: inside only  [i]: [l + i]; the border has writes of its own
//   concat     [i]       i < n ? a[i] : b[i - n]      [i] of a: [i]; of b: [n + i]
//   repeat     [i]..     ..                           [0]; the other elements are copies of it
//   slice o m  [i]       [o + i]                      [k]: [k - o] when o <= k < o + m, else nowhere
//   stride k   [i]       [i*k]                        [i]: [i/k] when i % k == 0, else nowhere
//   reverse    [i]       [n - 1 - i]                  the same
//   rotate k   [i]       [(i - k) mod n]              [i]: [(i + k) mod n]
//   gather     [i]       xs[idx[i]]                   none
//   circular   ..        ..                           none
//   permute    [i]       xs[p(i)]                     that of a scatter over the values of q
//   scatter    none                                   [i]: [idx[i]]
//   tuple      .k..      arg k ..                     of argument k: .k..
//   proj k     ..        .k..                         .k..: .. of the destination, the others nowhere: acc_tuple, acc_none
//   at k       ..        [k]..                        [k]..: .. of the destination, the others nowhere: acc_element
//   map f      f's get under [i]                      f's put under [i]: acc_map, whose name stands for i
// clang-format on
#ifndef ADZE_VIEWS_VIEWS_H
#define ADZE_VIEWS_VIEWS_H

#include "types/typing.h"

/// An index of a path: a size, or NULL if it is not known; a number if the context has numbers.
typedef union {
    Node *size;
    int64_t number;
} Index;

/// An access path into a value of some type, outermost first: array indices and tuple components.
typedef struct {
    bool is_component;
    int component;
    union { // if not is_component
        Node *index;
        Index at;
    };
} PathStep;

/// A path as a persistent list, so that prefixes are shared. NULL is the empty path.
typedef const struct Path Path;
struct Path {
    PathStep step;
    Path *rest;
};

Path *path_index(Arena *a, Node *index, Path *rest);
Path *path_component(Arena *a, int component, Path *rest);
/// `prefix` followed by `rest`.
Path *path_append(Arena *a, Path *prefix, Path *rest);

/// For paths of numbers: the values of sizes, and space for the steps of one result.
enum { VIEW_ROOM = 6, VIEW_SIZES = 6 };
typedef struct {
    bool (*size)(void *env, Node *size, int64_t *n); // false if the size has no value
    void *env;
    bool failed; // a size has no value, or a division by zero: the result is invalid
    int used, nknown;
    struct Path room[VIEW_ROOM];
    struct {
        Node *size;
        int64_t n;
    } known[VIEW_SIZES];
} ViewNumbers;

/// The context of get and put.
typedef struct {
    Session *cx;
    Arena *arena;
    const Facts *facts; // about sizes and indices; may be NULL
    /// Returns a size equal to `index` that is cheap to repeat: `index` itself, or a local bound to
    /// it. Called on every index that a result uses more than once, so that the indices of nested
    /// views do not grow exponentially. If NULL, indices are repeated.
    Node *(*share)(void *env, Node *index);
    void *env;
    Index shift;          // the integer that a view or acceptor has as an operand (ROLE_NUMBER)
    ViewNumbers *numbers; // NULL if indices are sizes or unknown
} ViewContext;

typedef enum {
    STEP_SHORT,   // the path has too few steps
    STEP_PLACE,   // `inside`
    STEP_WINDOW,  // `inside` if lo <= index < hi, else `outside`
    STEP_THROUGH, // `inside` with the value at `index` of operand `through` as its first index
    STEP_NONE     // the view does not support the access
} StepKind;

/// A path into an operand of the view. `operand` is -1 if the value is discarded.
typedef struct {
    int operand;
    Path *path;
} ViewPlace;

typedef struct {
    StepKind kind;
    ViewPlace inside, outside;
    Index index, lo, hi; // for WINDOW; for THROUGH only index
    bool has_lo, has_hi; // whether there is such a bound
    int through;         // the operand of the view that holds the indices
    // if not 0, `through` is a function, and this operand is its inverse (E0611)
    int inverse;
    Sym bound; // for acc_map, the name in the operand that has the value `index`; else NULL
} ViewStep;

/// The role of an operand of a view.
typedef enum {
    ROLE_SIZE,
    ROLE_DATA,     // an array that is rearranged
    ROLE_NUMBER,   // an integer, modulo the length of the result: ViewContext.shift
    ROLE_VALUE,    // an element, computed once
    ROLE_INDICES,  // an array of indices
    ROLE_FUNCTION, // a function of indices
} ViewRole;

/// How a read of the view reads the nesting levels of the rearranged array, for demands and costs.
typedef enum {
    LEVELS_SAME,
    LEVELS_SPLIT,   // one level becomes two
    LEVELS_WINDOWS, // one level becomes two, with windows that may overlap
    LEVELS_JOIN,    // two levels become one
    LEVELS_SWAP,    // the first two levels are exchanged
    LEVELS_REPEAT,  // one more level, whose elements are equal
    LEVELS_MANY     // elements may be read any number of times
} ViewLevels;

/// The writes of a view with a destination.
typedef enum {
    WRITES_NOTHING, // the view is read and copied
    WRITES_DATA,    // each rearranged array, by put
    WRITES_PART,    // each rearranged array, but some elements are discarded
    WRITES_BORDER,  // each rearranged array, then the border
    WRITES_COPIES,  // the first element, then copies of it
    WRITES_PERMUTED // the array, by the inverse of a function
} ViewWrites;

/// How an array that was written through the put of a view is read back: as the view `kind` over
/// ops and, last, the destination.
typedef struct {
    Kind kind;
    int nops;        // number of operands, with the destination
    Node *ops[2];    // the other operands
    bool parts;      // the operands are the components of the destination instead
    int component;   // component of that view, or -1
    bool is_divided; // its length is a quotient, and its type may differ from the written one
} ViewBack;

/// One row of the table. `get` and `put` are called with a path that has get_steps, or put_steps.
typedef struct {
    Node *(*type)(Rule *r); // NULL for the rule of the pattern
    /// The first steps of the path: 'i' an index, 'c' a component.
    const char *get_steps, *put_steps;
    ViewStep (*get)(const ViewContext *v, Node *view, Path *path);
    /// For operand k; the destination is operand 0 of the result.
    ViewStep (*put)(const ViewContext *v, Node *view, int k, Path *path);
    /// The view that reads operand k back: `undone_by`, if it has no operands of its own, or
    /// `back`; without either, elements are lost. `shift` is the view's integer as a size; if it is
    /// NULL (not known), the kind may be KIND_NONE.
    Kind undone_by;
    ViewBack (*back)(Session *cx, Node *view, int k, Node *shift);
    /// Why the sizes, as numbers, do not fit; NULL if they fit.
    const char *(*misfit)(const ViewContext *v, Node *view);
    /// The roles of the last operands (see view_role); NULL if all are ROLE_DATA.
    const char *roles;
    bool
        adds; // the last index is added to an index of the array, so adjacent elements are adjacent
    ViewLevels levels;
    ViewWrites writes;
    /// Why the array is always written, for `adze explain`; NULL if it is only written when it has
    /// to be in memory.
    const char *why;
    bool alone; // not allowed in functions of map.dst, and not duplicated by schedules
} ViewRow;

/// The row of a view, or of scatter, which has a put; NULL for other kinds.
const ViewRow *view_row(Kind kind);
bool kind_is_view(Kind kind);
/// The role of operand k of a view or another term (CORE_INDEX has ROLE_INDICES for its index;
/// other terms only have data).
ViewRole view_role(Node *e, int k);
/// The view that reads back operand k of a view; KIND_NONE if there is none. See ViewRow.
ViewBack view_back(Session *cx, Node *view, int k, Node *shift);
/// The operand of a view that is ROLE_NUMBER; -1 if there is none.
int view_number(Node *view);

/// The place from which the element of `view` at `path` is read. `view` is a VIEW_* node, of which
/// only sizes and the types of operands matter.
ViewStep view_get(const ViewContext *v, Node *view, Path *path);

/// The place in the operand of the acceptor `acc` (an ACC_* node with an acceptor as an operand) to
/// which an element at `path` is written. THROUGH: `through` is an operand of the acceptor's view.
ViewStep view_put(const ViewContext *v, Node *acc, Path *path);

/// The integer of an acceptor (ViewContext.shift) as an expression, or NULL.
Node *acceptor_number(Node *acc);
/// The operand of an acceptor that is an acceptor; NULL if it has none or several.
Node *acceptor_inner(Node *acc);

/// For numbers: the place of a STEP_PLACE, or the place that the condition of a STEP_WINDOW
/// selects.
ViewPlace view_settled(const ViewStep *s);

#endif
