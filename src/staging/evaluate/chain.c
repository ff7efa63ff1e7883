// Chains of calls, and limits on them. The limits stop recursion with growing types or known
// arguments, too many choices of generic arguments, and calls nested too deeply.
#include "staging/values/stage.h"

// Recursive calls nested deeper than this are treated as non-terminating.
enum { MAX_CHAIN = 600 };

// Says which limit a generic argument of the function exceeds, or returns NULL. Without the limits,
// a function that calls itself with ever larger types would be specialised until memory is full.
static const char *excess_of(const Special *special)
{
    for (int i = 0; i < special->function->generics.len; i++) {
        Node *value = special->generics[i].value;
        const char *excess = kind_info[value->kind].levels & LEVEL_TYPE ? type_excess(value) : NULL;
        if (excess) return excess;
    }
    return NULL;
}

static int count_nodes(Node *size, int most)
{
    int n = 1;
    for (uint32_t i = 0; i < size->nops && n < most; i++) n += count_nodes(size->op[i], most - n);
    return n;
}

// Whether a size is a long expression, which each call of a recursion may have made longer.
static bool has_long_size(const Special *special)
{
    enum { MOST_NODES = 400 };
    for (int i = 0; i < special->function->generics.len; i++) {
        Node *value = special->generics[i].value;
        bool size = (kind_info[value->kind].levels & LEVEL_NAT) != 0;
        if (size && count_nodes(value, MOST_NODES) >= MOST_NODES) return true;
    }
    return false;
}

// Whether the last call to the same function on the chain has different generic arguments.
static bool is_at_other_generics(const Special *special, const Chain *chain)
{
    for (; chain; chain = chain->up)
        if (chain->special->function == special->function) return chain->special != special;
    return false;
}

static void help_growth(Stage *s, Diag *d, const Function *f)
{
    const Function *entry = s->entry;
    const Param *p = stage_not_passable(f);
    Sym size = NULL;
    if (p)
        diag_help(s->cx, d,
                  "a function that calls itself at other sizes becomes a C function if its "
                  "parameters are data, or functions of types without its sizes, but `%s` is `%s`",
                  p->name->text, type_show(s->cx, p->type));
    for (int i = entry->generics.len; i-- > 0;)
        if (strcmp(entry->generics.at[i].kind->text, "nat") == 0) size = entry->generics.at[i].name;
    if (size)
        diag_help(s->cx, d,
                  "or compile the entry for known sizes, for which each call becomes code of its "
                  "own: adze build --fix %s=8",
                  size->text);
    if (!p && !size)
        diag_help(s->cx, d,
                  "pass a whole array with a start index instead of a slice, or collect growing "
                  "data in an array of its final size");
}

void stage_never_ends(Stage *s, const Special *special, const Chain *chain, Span call, bool grows,
                      const char *excess)
{
    if (grows && !excess && stage_make_sized(s, special)) return;
    const char *name = special->function->name->text;
    const char *text =
        "specialisation does not terminate: each recursive call has different known arguments";
    if (grows)
        text =
            arena_printf(s->arena,
                         "specialisation does not terminate: each call of `%s` has other sizes or "
                         "types than the one before%s%s",
                         name, excess ? ", and here one of them has " : "", excess ? excess : "");
    else if (excess)
        text = arena_printf(s->arena, "`%s` is called with a type that has %s", name, excess);
    Diag *d = stage_fail_diag(s, E0503, call, chain, text);
    if (d && grows)
        help_growth(s, d, special->function);
    else if (d && !excess)
        diag_help(s->cx, d,
                  "a filter such as `@(?n)` specialises a call for every known `n`: the recursion "
                  "must end for known arguments");
}

// --- functions with many sizes ------------------------------------------------------------------

// Each choice of generic arguments is compiled separately. A program with many calls may need many
// choices, but a chain of functions that each call the next one twice, at different sizes, needs
// exponentially many. The step budget therefore limits the number of choices, unless the program
// has proportionally many calls. Calls to all functions count, because a single call may serve all
// callers of the function that contains it.
enum { STEPS_OF_SPECIAL = 100, SPECIALS_OF_CALL = 16 };

static uint64_t place_key(Span at)
{
    return hash_mix(hash_mix(at.file, at.lo), at.hi) | 1;
}

static bool has_too_many_specials(Stage *s, Special *special, Span call)
{
    uint64_t key = MAP_KEY(special->function);
    uintptr_t specials = (uintptr_t)map_get(&s->counts, key) + !special->entered;
    map_put(&s->calls, place_key(call), s);
    map_put(&s->counts, key, (void *)specials);
    special->entered = true;
    return (int64_t)specials > s->budget / STEPS_OF_SPECIAL &&
           (int64_t)specials > (int64_t)SPECIALS_OF_CALL * s->calls.len;
}

static void fail_for_specials(Stage *s, const Special *special, const Chain *chain, Span call)
{
    if (stage_is_recursive(s, special->function) && stage_make_sized(s, special)) return;
    const char *text = arena_printf(
        s->arena, "`%s` is called with too many different sizes or types, more than %d",
        special->function->name->text, (int)(s->budget / STEPS_OF_SPECIAL));
    Diag *d = stage_fail_diag(s, E0503, call, chain, text);
    if (d)
        diag_help(s->cx, d,
                  "calls with different sizes are compiled separately: give the array its final "
                  "size at the beginning, and fill it in a loop; --stage-budget raises the limit");
}

const Chain *stage_enter(Stage *s, Special *special, const Chain *chain, Span call)
{
    const char *excess = excess_of(special);
    bool recursive = stage_is_recursive(s, special->function);
    bool resized = is_at_other_generics(special, chain); // implies that `chain` is not NULL
    bool is_long = resized && has_long_size(special);
    if (excess || is_long || (recursive && chain && chain->recursive >= MAX_CHAIN)) {
        stage_never_ends(s, special, chain, call, resized, excess);
        return NULL;
    }
    if (has_too_many_specials(s, special, call)) {
        fail_for_specials(s, special, chain, call);
        return NULL;
    }
    if (STACK_IS_DEEP(s->stack_limit)) {
        stage_fail(s, E0503, call, chain, "calls are nested too deeply to be inlined");
        return NULL;
    }
    if (resized) s->resized = special;
    if (resized && chain->recursive >= MAX_OPEN && stage_has_open_size(special) &&
        stage_make_sized(s, special))
        return NULL;
    Chain *c = ARENA_NEW(s->arena, Chain);
    *c = (Chain){.special = special,
                 .call = call,
                 .up = chain,
                 .depth = chain ? chain->depth + 1 : 1,
                 .recursive = (chain ? chain->recursive : 0) + recursive};
    return c;
}
