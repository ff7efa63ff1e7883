// Variables in scope, innermost first; finding the one with a given index takes logarithmic time
// (Myers, "An applicative random-access stack", 1983). Scopes share their outer scopes. A Link is
// the first member of a struct that describes a variable.
#ifndef ADZE_BASE_LINK_H
#define ADZE_BASE_LINK_H

#include <stddef.h>
#include <stdint.h>

typedef struct Link Link;
struct Link {
    const Link *outer, *jump; // outer is the next variable outwards, jump a variable at least as
                              // far out
    int depth;                // number of variables, including this one
};

/// Prepends a link for a new variable to the chain `outer`, which may be NULL.
static inline Link link_before(const Link *outer)
{
    const Link *jump = outer ? outer->jump : NULL;
    int skipped = jump ? outer->depth - jump->depth : 0;
    int next = jump && jump->jump ? jump->depth - jump->jump->depth : -1;
    return (Link){outer, next == skipped ? jump->jump : outer, outer ? outer->depth + 1 : 1};
}

/// The variable at `index`, where 0 is the innermost, or NULL if there are not that many.
static inline const Link *link_at(const Link *link, int64_t index)
{
    int64_t depth = link ? link->depth - index : 0;
    while (link && link->depth > depth)
        link = link->jump && link->jump->depth >= depth ? link->jump : link->outer;
    return link;
}

#endif
