// One table of views (DESIGN 4.3): where element i of the result is read from (get), where element i of the argument is written to (put).
// Pure functions over sizes: a path of indices into the view becomes a path into its argument.
#ifndef ADZE_VIEWS_VIEWS_H
#define ADZE_VIEWS_VIEWS_H

#include "ir/node.h"
#include "nat/nat.h"

/// An access path into a value of some type, outermost first: array indices and tuple components.
typedef struct {
    bool is_component;
    Node *index;   // size expression, when not is_component
    int component;
} PathStep;

/// A path as a persistent list, so that prefixes are shared.
typedef const struct Path Path;
struct Path {
    PathStep step;
    Path *rest;
};

Path *path_index(Arena *a, Node *index, Path *rest);
Path *path_component(Arena *a, int component, Path *rest);

#endif
