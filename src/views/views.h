// One table of views: where an element of the result is read from (get), where an
// element of the argument is written to (put). Pure functions over sizes: a path into the view
// becomes a path into its argument. Composition of views is composition of these functions.
//
// Two users. dpia/ asks get for views of arrays that exist only as functions (delayed arrays);
// loops/ asks get for views of memory and put for acceptors, and so turns every access into a
// position in a buffer.
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
//   pad l r    [i]       by mode; const: inside only  interior: acc_part; the border has writes of its own
//   concat     [i]       i < n ? a[i] : b[i - n]      acc_part
//   repeat     [i]..     ..                           [0]; the other elements are copies of it
//   slice o m  [i]       [o + i]                      [k]: [k - o] when o <= k < o + m, else nowhere
//   reverse    [i]       [n - 1 - i]                  the same
//   rotate k   [i]       [(i - k) mod n]              [i]: [(i + k) mod n]
//   gather     [i]       xs[idx[i]]                   none
//   circular   ..        ..                           none
//   permute    [i]       xs[p(i)]                     acc_scatter over the values of q
//   scatter    none                                   [i]: [idx[i]]
//   tuple      .k..      arg k ..                     of argument k: .k..
//   proj k     ..        .k..                         .k..: .. of the destination, the others nowhere: acc_tuple, acc_none
//   at k       ..        [k]..                        [k]..: .. of the destination, the others nowhere: acc_element
//   map f      f's get under [i]                      f's put under [i]: acc_map, whose name stands for i
// clang-format on
#ifndef ADZE_VIEWS_VIEWS_H
#define ADZE_VIEWS_VIEWS_H

#include "ir/node.h"
#include "nat/nat.h"

/// An access path into a value of some type, outermost first: array indices and tuple components.
typedef struct {
    bool is_component;
    Node *index; // size expression, when not is_component
    int component;
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

/// What an answer is made with.
typedef struct {
    Session *cx;
    Arena *arena;
    const Facts *facts; // what is known about sizes and indices; may be NULL
    /// Gives a size that stands for `index` and is cheap to repeat: `index` itself, or a local
    /// bound to it. Called on every index that an answer mentions more than once, so that nested
    /// views never grow exponentially.
    Node *(*share)(void *env, Node *index);
    void *env;
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
    Node *index, *lo,
        *hi;     // WINDOW: lo or hi is NULL where nothing is to be compared; THROUGH: index alone
    int through; // gather, scatter: the operand that holds the indices; permute: the function
    Sym bound;   // acc_map: the name in the operand that stands for `index`; else NULL
} ViewStep;

/// Where the element of `view` at `path` is read. `view` is a VIEW_* node; of its operands only
/// types and sizes are looked at. `shift` is the offset of a rotate as a size, else NULL.
ViewStep view_get(const ViewContext *v, Node *view, Path *path, Node *shift);

/// Where an element written at `path` into the acceptor `acc` (an ACC_* node with an acceptor as
/// its last operand, ACC_AT and ACC_PROJ included) goes in that operand.
ViewStep view_put(const ViewContext *v, Node *acc, Path *path, Node *shift);

/// One row of the table: a view and the acceptor that is its put (KIND_NONE: none of its own).
/// `get` and `put` are called with a path that has the steps the view looks at.
typedef struct {
    Kind view, acceptor;
    const char *get_steps,
        *put_steps; // what the path must begin with: 'i' an index, 'c' a component
    ViewStep (*get)(const ViewContext *v, Node *view, Path *path, Node *shift);
    ViewStep (*put)(const ViewContext *v, Node *acc, Path *path, Node *shift);
} ViewRow;

extern const ViewRow view_table[];
extern const int view_table_len;

#endif
