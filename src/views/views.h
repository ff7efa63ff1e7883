// One table of views: what a view gives and takes (type), where an element of the result is read
// from (get), where an element of an argument is written to (put), which view reads that back
// (back), and what the lowering has to know. A row is all that the compiler knows of a view; the
// kinds and what programs may say are in ir/view.def. Pure functions: a path into the view becomes
// a path into its argument. Composition of views is composition of these functions.
//
// Indices are sizes, numbers, or unknown: so the one row is the meaning (core/ and dpia/ run it on
// numbers), the check (dpia/ asks which scalars a path may lead to, whatever its indices are) and
// the translation (dpia/ asks get for views of arrays that exist only as functions, loops/ asks get
// and put for those of memory, and so turns every access into a position in a buffer).
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

/// An index of a path: a size, or NULL where it is not known; a number where the context has
/// numbers.
typedef union {
    Node *size;
    int64_t number;
} Index;

/// An access path into a value of some type, outermost first: array indices and tuple components.
typedef struct {
    bool is_component;
    int component;
    union { // when not is_component
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

/// For answers in numbers: what sizes are, and room for the steps of one answer.
enum { VIEW_ROOM = 6, VIEW_SIZES = 6 };
typedef struct {
    bool (*size)(void *env, Node *size, int64_t *n); // false: it has no value
    void *env;
    bool failed; // since then nothing is right; also by a division by zero
    int used, nknown;
    struct Path room[VIEW_ROOM];
    struct {
        Node *size;
        int64_t n;
    } known[VIEW_SIZES];
} ViewNumbers;

/// What an answer is made with.
typedef struct {
    Session *cx;
    Arena *arena;
    const Facts *facts; // what is known about sizes and indices; may be NULL
    /// Gives a size that stands for `index` and is cheap to repeat: `index` itself, or a local
    /// bound to it. Called on every index that an answer mentions more than once, so that nested
    /// views never grow exponentially. NULL: indices may be repeated as they are.
    Node *(*share)(void *env, Node *index);
    void *env;
    Index shift;          // the integer that a view or acceptor has as an operand (ROLE_NUMBER)
    ViewNumbers *numbers; // NULL: indices are sizes or unknown
} ViewContext;

typedef enum {
    STEP_SHORT,   // the path does not reach far enough into the view for an answer
    STEP_PLACE,   // `inside`
    STEP_WINDOW,  // `inside` when lo <= index < hi, else `outside`
    STEP_THROUGH, // `inside`, whose first index is to be the value at `index` of operand `through`
    STEP_NONE     // this view cannot be accessed so
} StepKind;

/// A path into an operand of the view. operand -1: nowhere (nothing is written).
typedef struct {
    int operand;
    Path *path;
} ViewPlace;

typedef struct {
    StepKind kind;
    ViewPlace inside, outside;
    Index index, lo, hi; // WINDOW: THROUGH: index alone
    bool has_lo, has_hi; // else nothing is to be compared there
    int through;         // the operand of the view that holds the indices
    // not 0: `through` is a function, and this operand takes what it gives back to `index` (E0611)
    int inverse;
    Sym bound; // acc_map: the name in the operand that stands for `index`; else NULL
} ViewStep;

/// What an operand is to a view.
typedef enum {
    ROLE_SIZE,
    ROLE_DATA, // what is rearranged, and what is written where the view is
    // an integer that indices depend on, modulo the length of the result: ViewContext.shift
    ROLE_NUMBER,
    ROLE_VALUE,    // a value of its own, computed once
    ROLE_INDICES,  // an array of indices
    ROLE_FUNCTION, // one of indices
} ViewRole;

/// What is read of the rearranged array where the elements of the view are: what demands and costs
/// of its levels are.
typedef enum {
    LEVELS_SAME,
    LEVELS_SPLIT,   // one level becomes two
    LEVELS_WINDOWS, // the same, and the windows may overlap
    LEVELS_JOIN,    // two become one
    LEVELS_SWAP,    // the first two are exchanged
    LEVELS_REPEAT,  // one more, the same each time
    LEVELS_MANY     // elements may be read any number of times
} ViewLevels;

/// What is written when the view is given a destination.
typedef enum {
    WRITES_NOTHING, // it is read and copied
    WRITES_DATA,    // each rearranged array, to where put says
    WRITES_PART,    // the same, of which some goes nowhere
    WRITES_BORDER,  // the same, then the border
    WRITES_COPIES,  // the first element, then copies of it
    WRITES_PERMUTED // the same by the inverse of a function
} ViewWrites;

/// How an array that was written through the put of a view is read: as the view `kind` over ops
/// and, last, the destination.
typedef struct {
    Kind kind;
    int nops;      // the destination included
    Node *ops[2];  // the others
    bool parts;    // the operands are the components of the destination instead
    int component; // this component of that, or -1
    bool
        // the type of that may be another one than of what was written: a length by a division
        is_divided;
} ViewBack;

/// One row of the table. `get` and `put` are called with a path that has the steps the view looks
/// at.
typedef struct {
    Node *(*type)(Rule *r); // NULL: the rule is that of the pattern
    /// What the path must begin with: 'i' an index, 'c' a component.
    const char *get_steps, *put_steps;
    ViewStep (*get)(const ViewContext *v, Node *view, Path *path);
    /// From operand k; the destination is operand 0 of the answer.
    ViewStep (*put)(const ViewContext *v, Node *view, int k, Path *path);
    /// What reads back what was written from operand k: a view without operands of its own, or what
    /// `back` says; neither: some of it is lost. `shift` is the view's integer as a size; NULL: it
    /// is not known, then the kind may be KIND_NONE.
    Kind undone_by;
    ViewBack (*back)(Session *cx, Node *view, int k, Node *shift);
    /// Why sizes do not fit, in numbers; NULL: they do.
    const char *(*misfit)(const ViewContext *v, Node *view);
    const char *
        // of the operands that are no sizes, the last one's last (see view_role); NULL: all are
        // rearranged
        roles;
    bool adds; // the last index is added to one of the array: elements side by side are so there
    ViewLevels levels;
    ViewWrites writes;
    /// Why the array is written in any case, for `adze explain`; NULL: where it has to be in memory
    /// anyway.
    const char *why;
    bool alone; // not in functions of map.dst, and not copied by schedules
} ViewRow;

/// The row of a view, or of the scatter whose put there is; NULL: none.
const ViewRow *view_row(Kind kind);
bool kind_is_view(Kind kind);
/// What operand k is to a view, or to another term (CORE_INDEX has an index; all else is data).
ViewRole view_role(Node *e, int k);
/// What reads back what was written through operand k of a view; KIND_NONE: nothing. See ViewRow.
ViewBack view_back(Session *cx, Node *view, int k, Node *shift);
/// Which operand of a view is ROLE_NUMBER; -1: none.
int view_number(Node *view);

/// Where the element of `view` at `path` is read. `view` is a VIEW_* node; of its operands only
/// types and sizes are looked at.
ViewStep view_get(const ViewContext *v, Node *view, Path *path);

/// Where an element written at `path` into the acceptor `acc` (an ACC_* node with an acceptor as
/// an operand) goes in that operand. THROUGH: `through` is an operand of the acceptor's view.
ViewStep view_put(const ViewContext *v, Node *acc, Path *path);

/// The integer that an acceptor's indices depend on, as an expression: ViewContext.shift. NULL:
/// none.
Node *acceptor_number(Node *acc);
/// The operand of an acceptor that is one; NULL: it has none, or several.
Node *acceptor_inner(Node *acc);

/// In numbers: which of the two places of a STEP_WINDOW or STEP_PLACE it is.
ViewPlace view_settled(const ViewStep *s);

#endif
