// Prints sizes in Adze syntax. The printed text reads back, through the builders, as the same node.
#include "nat/internal.h"

enum { NO_PAREN = 0, IN_SUM = 1, IN_PRODUCT = 2, MAX_REPEATED = 3 };

// Prints a factor, with n*n and n*n*n rather than pow(n, 2) and pow(n, 3).
static void print_factor(Text *out, Node *factor)
{
    int64_t k;
    if (factor->kind == NAT_POW && nat_is_const(factor->op[1], &k) && k <= MAX_REPEATED) {
        for (int64_t i = 0; i < k; i++) {
            if (i > 0) text_char(out, '*');
            nat_print(out, factor->op[0], IN_PRODUCT);
        }
    } else {
        nat_print(out, factor, IN_PRODUCT);
    }
}

static int64_t coefficient(Node *term)
{
    return term->kind == NAT_CONST || term->kind == NAT_PRODUCT ? term->attr.i : 1;
}

// Prints the term without its sign.
static void print_term(Text *out, Node *term)
{
    int64_t c = coefficient(term);
    uint64_t size = c < 0 ? -(uint64_t)c : (uint64_t)c;
    if (term->kind == NAT_CONST) {
        text_printf(out, "%llu", (unsigned long long)size);
    } else if (term->kind == NAT_PRODUCT) {
        if (size != 1) text_printf(out, "%llu*", (unsigned long long)size);
        for (uint32_t k = 0; k < term->nops; k++) {
            if (k > 0) text_char(out, '*');
            print_factor(out, term->op[k]);
        }
    } else {
        nat_print(out, term, IN_SUM);
    }
}

// Prints positive terms first, so that a difference does not begin with a sign if it need not.
static void print_sum(Text *out, Node *e)
{
    bool first = true;
    for (int negative = 0; negative <= 1; negative++) {
        for (uint32_t k = 0; k < e->nops; k++) {
            if ((coefficient(e->op[k]) < 0) != (negative == 1)) continue;
            if (first)
                text_put(out, negative ? "-" : "");
            else
                text_put(out, negative ? " - " : " + ");
            print_term(out, e->op[k]);
            first = false;
        }
    }
}

static void print_call(Text *out, Node *e)
{
    text_printf(out, "%s(", kind_info[e->kind].text);
    nat_print(out, e->op[0], NO_PAREN);
    text_put(out, ", ");
    nat_print(out, e->op[1], NO_PAREN);
    text_char(out, ')');
}

// Dividends that are products need no parentheses: n*m/k is (n*m)/k.
static void print_quotient(Text *out, Node *e)
{
    Node *a = e->op[0];
    if (a->kind == NAT_PRODUCT && a->attr.i > 0)
        print_term(out, a);
    else if (a->kind == NAT_POW)
        print_factor(out, a);
    else
        nat_print(out, a, IN_PRODUCT);
    text_put(out, e->kind == NAT_DIV ? "/" : " % ");
    nat_print(out, e->op[1], IN_PRODUCT);
}

static bool needs_parentheses(Node *e, int level)
{
    int64_t k;
    switch (e->kind) {
    case NAT_SUM: return level >= IN_SUM;
    case NAT_DIV:
    case NAT_MOD: return level >= IN_PRODUCT;
    case NAT_CONST: return level >= IN_SUM && e->attr.i < 0;
    case NAT_PRODUCT: return level >= IN_PRODUCT || (level >= IN_SUM && e->attr.i < 0);
    case NAT_POW: return level >= IN_PRODUCT && nat_is_const(e->op[1], &k) && k <= MAX_REPEATED;
    default: return false;
    }
}

static void print_bare(Text *out, Node *e)
{
    switch (e->kind) {
    case NAT_VAR: text_add(out, e->attr.sym->text, e->attr.sym->len); return;
    case NAT_META: text_printf(out, "?%lld", (long long)e->attr.i); return;
    case NAT_SUM: print_sum(out, e); return;
    case NAT_CONST:
    case NAT_PRODUCT:
        if (e->attr.i < 0) text_char(out, '-');
        print_term(out, e);
        return;
    case NAT_DIV:
    case NAT_MOD: print_quotient(out, e); return;
    case NAT_POW: {
        int64_t k;
        if (nat_is_const(e->op[1], &k) && k <= MAX_REPEATED)
            print_factor(out, e);
        else
            print_call(out, e);
        return;
    }
    case NAT_MIN:
    case NAT_MAX: print_call(out, e); return;
    default: text_put(out, kind_info[e->kind].text);
    }
}

void nat_print(Text *out, Node *e, int level)
{
    bool parentheses = needs_parentheses(e, level);
    if (parentheses) text_char(out, '(');
    print_bare(out, e);
    if (parentheses) text_char(out, ')');
}

const char *nat_show(Session *cx, Node *e)
{
    Text out = text_new(cx->arena);
    nat_print(&out, e, NO_PAREN);
    return text_get(&out);
}

typedef struct {
    Session *cx;
    Map names; // the set of names, as written, seen so far
    bool equal;
} Written;

static void note_written(Node *atom, void *env)
{
    Written *w = env;
    if (atom->kind != NAT_VAR) return;
    Sym name = atom->attr.sym->written;
    w->equal |= map_get(&w->names, MAP_KEY(name)) != NULL;
    map_put(&w->names, MAP_KEY(name), w);
}

static Node *as_written(Node *atom, void *env)
{
    const Written *w = env;
    return atom->kind == NAT_VAR ? nat_var(w->cx, atom->attr.sym->written) : NULL;
}

const char *nat_show_written(Session *cx, Node *e)
{
    Written w = {.cx = cx, .names = map_new(cx->arena)};
    nat_atoms(cx, e, note_written, &w);
    return nat_show(cx, w.equal ? e : nat_replace(cx, e, as_written, &w));
}
