// The table of views. The row of a view consists of its typing rule (type), the place from which an
// element of the result is read (get), the place to which an element of an argument is written
// (put), the view that reads a written argument back (back), and properties for the lowering. Apart
// from the kind and its variants in ir/view.def, this is the complete definition of a view. get and
// put are pure functions: get maps a path in the result to a path in an argument, and put does the
// reverse. Composing views means composing these functions.
//
// Indices are sizes, numbers, or unknown. The same row can therefore serve as the semantics (core/
// and dpia/ interpret it on numbers), as the check (dpia/ finds the scalars of a path with any
// indices) and as the translation (dpia/ applies get to views of delayed arrays; loops/ applies get
// and put to views of memory, which turns every access into an index of a buffer).
//
// clang-format off
//   view       get: element of the result reads       put: element of the argument goes to
//   zip k      [i].k..   arg k [i]..                  [i].. of argument k: [i].k..
//   unzip      .k[i]..   [i].k..                      [i].k..: .k[i]..
//   split m    [i][j]    [i*m + j]                    [k]: [k/m][k%m]
//   join m     [k]       [k/m][k%m]                   [i][j]: [i*m + j]
//   as_vector L, as_scalar   like split and join: lane j of a vector is its index [j]
//   transpose  [i][j]    [j][i]                       [i][j]: [j][i]
//   slide s t  [i][j]    [i*t + j]                    none
//   pad l r    [i]       by mode; const: inside only  [i]: [l + i]; border written separately
//   concat     [i]       i < n ? a[i] : b[i - n]      [i] of a: [i]; of b: [n + i]
//   repeat     [i]..     ..                           [0]; the other elements are copies of it
//   slice o m  [i]       [o + i]                      [k]: [k - o] if o <= k < o + m, else nowhere
//   stride k   [i]       [i*k]                        [i]: [i/k] if i % k == 0, else nowhere
//   reverse    [i]       [n - 1 - i]                  the same
//   rotate k   [i]       [(i - k) mod n]              [i]: [(i + k) mod n]
//   gather     [i]       xs[idx[i]]                   none
//   circular   ..        ..                           none
//   permute    [i]       xs[p(i)]                     that of a scatter with q(0), q(1), .. as idx
//   scatter    none                                   [i]: [idx[i]]
//   tuple      .k..      arg k ..                     of argument k: .k..
//   proj k     ..        .k..                         .k..: ..; others nowhere (acc_tuple)
//   at k       ..        [k]..                        [k]..: ..; others nowhere (acc_element)
//   map f      f's get under [i]                      f's put under [i] (acc_map, whose name is i)
// clang-format on
#ifndef ADZE_VIEWS_VIEWS_H
#define ADZE_VIEWS_VIEWS_H

#include "types/typing.h"

/// An index in a path: a number if ViewContext.numbers is set; otherwise a size, or NULL if the
/// index is not known.
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

/// A path as a persistent list, so that paths can share their tails. NULL is the empty path.
typedef const struct Path Path;
struct Path {
    PathStep step;
    Path *rest;
};

Path *path_index(Arena *a, Node *index, Path *rest);
Path *path_component(Arena *a, int component, Path *rest);
/// `prefix` followed by `rest`.
Path *path_append(Arena *a, Path *prefix, Path *rest);

/// What get and put need if indices are numbers: the values of sizes, and room for the steps of one
/// result.
enum { VIEW_ROOM = 6, VIEW_SIZES = 6 };
typedef struct {
    bool (*size)(void *env, Node *size, int64_t *n); // false if the size has no value
    void *env;
    bool failed; // a size had no value or a divisor was not positive, so the result is invalid
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
    const Facts *facts; // facts about sizes and indices; may be NULL
    /// Returns a size equal to `index` that is cheap to repeat: `index` itself, or a local that
    /// holds it. Called for every index that a result uses more than once, so that the indices of
    /// nested views do not grow exponentially. If `share` is NULL, indices are repeated.
    Node *(*share)(void *env, Node *index);
    void *env;
    Index shift;          // the integer operand of the view or acceptor (ROLE_NUMBER)
    ViewNumbers *numbers; // NULL if indices are sizes or unknown
} ViewContext;

typedef enum {
    STEP_SHORT,   // the path has too few steps
    STEP_PLACE,   // the place is `inside`
    STEP_WINDOW,  // the place is `inside` if lo <= index < hi, else `outside`
    STEP_THROUGH, // the place is `inside`, with its first index replaced by element `index` of
                  // operand `through`
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
    Index index, lo, hi; // for STEP_WINDOW; STEP_THROUGH only has an index
    bool has_lo, has_hi; // whether there is a lower and an upper bound
    int through;         // the operand of the view that holds the indices
    // if not 0, `through` is a function, and this operand is its inverse (E0611)
    int inverse;
    Sym bound; // for acc_map, the name in the operand whose value is `index`; otherwise NULL
} ViewStep;

/// The role of an operand of a view.
typedef enum {
    ROLE_SIZE,
    ROLE_DATA,     // an array that is rearranged
    ROLE_NUMBER,   // an integer, taken modulo the length of the result: ViewContext.shift
    ROLE_VALUE,    // a single element, computed once
    ROLE_INDICES,  // an array of indices
    ROLE_FUNCTION, // a function of indices
} ViewRole;

/// How the nesting levels of the view correspond to those of the array that it rearranges. Used to
/// compute demands and costs.
typedef enum {
    LEVELS_SAME,
    LEVELS_SPLIT,   // one level becomes two
    LEVELS_WINDOWS, // one level becomes two, with windows that may overlap
    LEVELS_JOIN,    // two levels become one
    LEVELS_SWAP,    // the first two levels are swapped
    LEVELS_REPEAT,  // one more level, whose elements are all equal
    LEVELS_MANY     // elements may be read any number of times
} ViewLevels;

/// What is written when a view has a destination.
typedef enum {
    WRITES_NOTHING, // nothing; the view is read and copied
    WRITES_DATA,    // every element of each rearranged array, at the place that view_put returns
    WRITES_PART,    // the same, except that elements without a place are discarded
    WRITES_BORDER,  // as with WRITES_DATA, and then the border
    WRITES_COPIES,  // the first element, then copies of it
    WRITES_PERMUTED // every element of the array, at the index that the inverse function returns
} ViewWrites;

/// How an array that was written through the put of a view is read back: as a view of this kind,
/// whose operands are `ops` and, last, the destination.
typedef struct {
    Kind kind;
    int nops;      // number of operands, including the destination
    Node *ops[2];  // the operands before the destination
    bool parts;    // whether the operands are the components of the destination instead
    int component; // the component of that view that equals the array, or -1 if the whole view does
    /// Whether the length of this view is a quotient, so that its type may differ from that of the
    /// written array.
    bool is_divided;
} ViewBack;

/// One row of the table. `get` is called with a path that begins with get_steps, and `put` with one
/// that begins with put_steps.
typedef struct {
    Node *(*type)(Rule *r); // NULL for scatter, whose typing rule is one of the pattern rules
    /// The first steps of the path: 'i' is an index, 'c' a component.
    const char *get_steps, *put_steps;
    ViewStep (*get)(const ViewContext *v, Node *view, Path *path);
    /// Maps a path in operand k to a path in the destination, which is operand 0 in the returned
    /// ViewStep.
    ViewStep (*put)(const ViewContext *v, Node *view, int k, Path *path);
    /// The view that reads operand k back is `undone_by` if it has only one operand, and is
    /// otherwise returned by `back`. If neither is set, the operand cannot be read back. `shift` is
    /// the integer operand of the view as a size. If it is NULL (not known), the kind may be
    /// KIND_NONE.
    Kind undone_by;
    ViewBack (*back)(Session *cx, Node *view, int k, Node *shift);
    /// Returns a phrase that says why the sizes do not fit, or NULL if they fit. Indices must be
    /// numbers.
    const char *(*misfit)(const ViewContext *v, Node *view);
    /// The roles of the last operands, with one letter each (see view_role); NULL if all are
    /// ROLE_DATA.
    const char *roles;
    /// Whether get returns an array index to which the last index of the view is added, so that
    /// adjacent elements of the view are adjacent in the array.
    bool adds;
    /// Whether a dense, row-major array stays dense and row-major in the view: adjacent elements
    /// stay adjacent, in the same order.
    bool dense;
    ViewLevels levels;
    ViewWrites writes;
    /// The reason why the view is always written to its destination, for `adze explain`; NULL if it
    /// is written only when it must be in memory.
    const char *why;
    bool alone; // not allowed in functions passed to map.dst, and never duplicated by schedules
} ViewRow;

/// The row of a view, or of scatter, which only has a put. Returns NULL for other kinds.
const ViewRow *view_row(Kind kind);
bool kind_is_view(Kind kind);
/// The role of operand k of a view or another term. The index of CORE_INDEX is ROLE_INDICES; all
/// non-size operands of other terms are ROLE_DATA.
ViewRole view_role(Node *e, int k);
/// The view that reads back operand k of a view (see ViewRow), or KIND_NONE if there is none.
ViewBack view_back(Session *cx, Node *view, int k, Node *shift);
/// The index of the operand of a view that is ROLE_NUMBER, or -1 if there is none.
int view_number(Node *view);
/// If `e` is a part of an array, tuple or struct and is dense and row-major whenever the whole is,
/// returns the whole; otherwise returns NULL. Such parts are elements, components, slices, windows,
/// and arrays that are split or joined. `e` may be an acceptor.
Node *view_dense_array(Node *e);

/// The place from which the element of `view` at `path` is read. `view` is a VIEW_* node; only its
/// sizes and the types of its operands matter.
ViewStep view_get(const ViewContext *v, Node *view, Path *path);

/// The place in an operand of the acceptor `acc` to which the element at `path` is written. `acc`
/// is an ACC_* node that has acceptors as operands. For STEP_THROUGH, `through` is an operand of
/// the acceptor's view.
ViewStep view_put(const ViewContext *v, Node *acc, Path *path);

/// The integer operand of an acceptor (ViewContext.shift) as an expression, or NULL if it has none.
Node *acceptor_number(Node *acc);
/// The operand of an acceptor that is itself an acceptor, or NULL if there is none or several.
Node *acceptor_inner(Node *acc);

/// Returns the place of a STEP_PLACE, or the place that the condition of a STEP_WINDOW selects.
/// Indices must be numbers.
ViewPlace view_settled(const ViewStep *s);

#endif
