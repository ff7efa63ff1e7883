// Prints terms. A term becomes a tree of documents (Doc), which layout.c breaks into lines.
#include "term/internal.h"

typedef struct {
    Session *cx;
    Arena *arena; // holds the documents
    Scope scope;
    TermRule *rule;
} Printer;

static Doc *doc_of(Printer *p, Node *e);

static const char *name_text(Printer *p, Sym name)
{
    Text out = text_new(p->arena);
    type_print_name(&out, name);
    return text_get(&out);
}

static const char *type_text(Printer *p, const char *before, Node *t)
{
    Text out = text_new(p->arena);
    text_put(&out, before);
    if (t)
        type_print_full(&out, t);
    else
        text_put(&out, "none");
    return text_get(&out);
}

static void add_text(Printer *p, Doc *form, const char *text)
{
    doc_add(p->arena, form, doc_text(p->arena, text));
}

static const char *number_text(Printer *p, int64_t i)
{
    return arena_printf(p->arena, "%lld", (long long)i);
}

// --- names of bound variables ------------------------------------------------------------------

static bool is_plain(Sym name)
{
    for (uint32_t i = 0; i < name->len; i++)
        if (!type_is_name_char(name->text[i], i == 0)) return false;
    return name->len > 0 && strcmp(name->text, "true") != 0 && strcmp(name->text, "false") != 0;
}

// The position of the innermost bound variable with this name, or -1 if there is none.
static int find_bound(Printer *p, Sym name)
{
    for (int i = p->scope.bound.len - 1; i >= 0; i--)
        if (p->scope.bound.at[i].name == name) return i;
    return -1;
}

// Brings a variable into scope and returns its name, which is the hint unless that would hide a
// variable that `body` uses. `deeper` is the number of variables bound between this one and the
// body.
static Sym bind(Printer *p, Sym hint, Node *type, Node *body, int deeper)
{
    if (!hint || !is_plain(hint)) hint = session_sym(p->cx, "x");
    Sym name = hint;
    int hidden = find_bound(p, name);
    if (hidden >= 0 && node_uses(body, p->scope.bound.len + deeper - hidden))
        for (int k = 1; find_bound(p, name) >= 0; k++)
            name = session_sym(p->cx, arena_printf(p->arena, "%s%d", hint->text, k));
    vec_push(p->scope.arena, &p->scope.bound, ((ScopeVar){name, type}));
    return name;
}

// --- variables and literals --------------------------------------------------------------------

// The name that denotes the variable in this scope, or NULL if there is none.
static Sym visible_name(Printer *p, Node *e)
{
    if (e->kind == CORE_VAR) {
        int64_t at = p->scope.bound.len - 1 - e->attr.i;
        if (at < 0 || find_bound(p, p->scope.bound.at[at].name) != at) return NULL;
        Node *type = p->scope.bound.at[at].type;
        return type && type != e->type ? NULL : p->scope.bound.at[at].name;
    }
    const ScopeVar *v = scope_named(&p->scope, e->attr.sym);
    if (p->rule && !(v && v->type)) return NULL;
    if (!is_plain(e->attr.sym)) return NULL;
    return v && v->type && v->type != e->type ? NULL : e->attr.sym;
}

// A variable as a form, for when its name alone is ambiguous.
static Doc *doc_of_named(Printer *p, Node *e)
{
    Doc *form = doc_form(p->arena);
    add_text(p, form, kind_info[e->kind].text);
    add_text(p, form, e->kind == CORE_VAR ? number_text(p, e->attr.i) : name_text(p, e->attr.sym));
    add_text(p, form, type_text(p, ": ", e->type));
    return form;
}

static Doc *doc_of_variable(Printer *p, Node *e)
{
    Sym name = visible_name(p, e);
    return name ? doc_text(p->arena, name->text) : doc_of_named(p, e);
}

static Doc *doc_of_literal(Printer *p, Node *e)
{
    const char *atom = literal_atom(p->arena, e);
    if (atom) return doc_text(p->arena, atom);
    Doc *form = doc_form(p->arena);
    add_text(p, form, "lit");
    add_text(p, form, literal_text(p->arena, e));
    add_text(p, form, type_text(p, ": ", e->type));
    return form;
}

// --- forms -------------------------------------------------------------------------------------

// Whether e is a lambda whose type is a function with the same number of parameters. A lambda with
// any other type is an internal error, which the printed text must reveal.
static bool is_lambda(Node *e)
{
    return e->kind == CORE_LAM && e->type && e->type->kind == TYPE_FUN &&
           type_nparams(e->type) == e->attr.i;
}

// Whether the type must be written because neither the rule nor the form determines it.
static bool needs_type(Printer *p, Node *e)
{
    switch (e->kind) {
    case CORE_LAM: return !is_lambda(e) || type_result(e->type) != e->op[0]->type;
    case CORE_GLOBAL:
    case CORE_CALL: return true;
    case CORE_LABEL: return false;
    case LOOP_LOAD: {
        const ScopeVar *v = scope_named(&p->scope, e->attr.sym);
        return v && v->type ? v->type != e->type : p->rule != NULL;
    }
    default: break;
    }
    if (p->rule) {
        NodeSpec s = node_spec(e);
        s.type = NULL;
        const char *why = NULL;
        return p->rule(p->cx, &s, &why) != e->type;
    }
    switch (e->kind) {
    case CORE_CAST:
    case CORE_TO_IDX: return true;
    case CORE_ARRAY: return e->nops == 0;
    case CORE_TUPLE: return e->type && e->type->kind == TYPE_STRUCT;
    case CORE_NAT: return e->type && e->type->kind == TYPE_IDX;
    default: return false;
    }
}

static const char *string_text(Printer *p, const char *text)
{
    Text out = text_new(p->arena);
    term_print_string(&out, text);
    return text_get(&out);
}

// Adds the head of a form: the kind, the variant and the attribute. An operator without a variant
// is a head by itself.
static void add_head(Printer *p, Doc *form, Node *e)
{
    const char *kind = kind_info[e->kind].text;
    if (e->kind == CORE_PRIM && e->variant == VARIANT_ANY) {
        add_text(p, form, prim_info[e->attr.i].text);
        return;
    }
    add_text(p, form,
             e->variant ? arena_printf(p->arena, "%s.%s", kind, variant_text[e->variant]) : kind);
    if (is_lambda(e)) return; // the names show the number of parameters
    switch (kind_info[e->kind].attr) {
    case ATTR_NONE: return;
    case ATTR_SYM:
        add_text(p, form,
                 e->kind == CORE_TEXT ? string_text(p, e->attr.sym->text)
                                      : name_text(p, e->attr.sym));
        return;
    case ATTR_INT:
        if (e->kind == COM_CHECK || e->kind == LOOP_CHECK)
            add_text(p, form, diag_name((DiagCode)e->attr.i));
        else
            add_text(p, form, number_text(p, e->attr.i));
        return;
    case ATTR_PRIM: add_text(p, form, prim_info[e->attr.i].text); return;
    case ATTR_MODE: add_text(p, form, pad_mode_text[e->attr.i]); return;
    case ATTR_SCALAR:
    case ATTR_BITS: return;
    }
}

static Doc *doc_of_operand(Printer *p, Node *e, Sort sort)
{
    int levels = kind_info[e->kind].levels;
    if (levels & LEVEL_NAT) {
        Text out = text_new(p->arena);
        nat_print(&out, e, 1);
        return doc_text(p->arena, text_get(&out));
    }
    if (e->kind == ACC_VAR && sort != SORT_ACCEPTOR) return doc_of_named(p, e);
    if (!(levels & LEVEL_TYPE)) return doc_of(p, e);
    if (sort != SORT_GENERIC) return doc_text(p->arena, type_text(p, "", e));
    return doc_text(p->arena, arena_printf(p->arena, "%s)", type_text(p, "(type ", e)));
}

static void add_lambda(Printer *p, Doc *form, Node *e)
{
    Text out = text_new(p->arena);
    int n = (int)e->attr.i;
    text_char(&out, '(');
    for (int k = 0; k < n; k++) {
        Node *type = type_param(e->type, k);
        Sym name = bind(p, e->names ? e->names[k] : NULL, type, e->op[0], n - 1 - k);
        text_printf(&out, "%s%s: ", k ? ", " : "", name->text);
        type_print_full(&out, type);
    }
    text_char(&out, ')');
    add_text(p, form, text_get(&out));
    doc_add(p->arena, form, doc_of(p, e->op[0]));
    p->scope.bound.len -= n;
}

// The name hint of a let. A let that binds an unused () and has no name is a sequence:
// `(let _ first second)`.
static Sym let_hint(Printer *p, Node *e)
{
    if (e->names) return e->names[0];
    Node *type = e->op[0]->type;
    bool sequence = type && type_is_unit(type) && !node_uses(e->op[1], 0);
    return sequence ? session_sym(p->cx, "_") : NULL;
}

static void add_let(Printer *p, Doc *form, Node *e)
{
    Doc *value = doc_of(p, e->op[0]);
    add_text(p, form, bind(p, let_hint(p, e), e->op[0]->type, e->op[1], 0)->text);
    doc_add(p->arena, form, value);
    doc_add(p->arena, form, doc_of(p, e->op[1]));
    p->scope.bound.len--;
}

// Adds a label: its name, the type of its value (which determines the type of the name in the
// body), and the body.
static void add_label(Printer *p, Doc *form, Node *e)
{
    Sym hint = e->names ? e->names[0] : session_sym(p->cx, "k");
    Sym name = bind(p, hint, type_continuation(p->cx, e->type), e->op[0], 0);
    add_text(p, form, name->text);
    add_text(p, form, type_text(p, "", e->type));
    doc_add(p->arena, form, doc_of(p, e->op[0]));
    p->scope.bound.len--;
}

static void add_operands(Printer *p, Doc *form, Node *e)
{
    int first = -1, outer = p->scope.named.len;
    bool binds = scope_binder((Kind)e->kind, &first);
    for (uint32_t k = 0; k <= e->nops; k++) {
        if (binds && (int)k == first) {
            Node *type = scope_binder_type(p->cx, (Kind)e->kind, e->op);
            vec_push(p->scope.arena, &p->scope.named, ((ScopeVar){e->attr.sym, type}));
        }
        if (k < e->nops)
            doc_add(p->arena, form, doc_of_operand(p, e->op[k], kind_sort((Kind)e->kind, (int)k)));
    }
    if (!scope_stays((Kind)e->kind)) p->scope.named.len = outer;
}

static Doc *doc_of(Printer *p, Node *e)
{
    switch (e->kind) {
    case CORE_VAR:
    case PH_VAR:
    case ACC_VAR:
    case LOOP_VAR: return doc_of_variable(p, e);
    case CORE_LIT: return doc_of_literal(p, e);
    default: break;
    }
    Doc *form = doc_form(p->arena);
    add_head(p, form, e);
    form->from = e->origin;
    form->chain =
        e->kind == CORE_LET || e->kind == CORE_LABEL || e->kind == COM_LET || e->kind == COM_NEW;
    if (is_lambda(e))
        add_lambda(p, form, e);
    else if (e->kind == CORE_LET)
        add_let(p, form, e);
    else if (e->kind == CORE_LABEL && e->type)
        add_label(p, form, e);
    else
        add_operands(p, form, e);
    if (needs_type(p, e)) add_text(p, form, type_text(p, ": ", e->type));
    return form;
}

void term_print_in(Session *cx, Text *out, Node *e, const TermScope *scope, int indent, int width)
{
    Arena *arena = arena_new_beside(cx->arena);
    Printer p = {.cx = cx, .arena = arena, .scope = scope_new(arena, scope), .rule = scope->rule};
    doc_write(cx, out, doc_of_operand(&p, e, SORT_TERM), indent, width);
    arena_delete(arena);
}

void term_print(Session *cx, Text *out, Node *e, const Sym *free_names, int nfree, int width)
{
    term_print_in(cx, out, e, &(TermScope){.names = free_names, .n = nfree}, 0, width);
}

const char *term_show(Session *cx, Node *e, const Sym *free_names, int nfree)
{
    Text out = text_new(cx->arena);
    term_print(cx, &out, e, free_names, nfree, 0);
    return text_get(&out);
}
