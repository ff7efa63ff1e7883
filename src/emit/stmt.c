// Statements of an entry's body.
#include "emit/internal.h"

#include <string.h>

void emit_indent(Emitter *e)
{
    for (int i = 0; i < e->indent; i++) text_put(e->out, "    ");
}

void emit_line(Emitter *e, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    emit_indent(e);
    text_put(e->out, arena_vprintf(e->arena, format, args));
    text_char(e->out, '\n');
    va_end(args);
}

int emit_fault(Emitter *e, DiagCode code, Span span, const char *text)
{
    for (int i = 0; i < e->faults.len; i++) { // one number for one place and reason
        const Fault *f = &e->faults.at[i];
        if (f->code == code && memcmp(&f->span, &span, sizeof span) == 0 &&
            strcmp(f->text, text) == 0)
            return i + 1;
    }
    Fault f = {.code = code, .span = span, .text = text};
    vec_push(e->arena, &e->faults, f);
    return e->faults.len;
}

// if (CONDITION) { fail }
static void fail_if(Emitter *e, const char *condition, int status)
{
    if (e->heap.len == 0) {
        emit_line(e, "if (%s) return %d;", condition, status);
        return;
    }
    emit_line(e, "if (%s) {", condition);
    e->indent++;
    emit_line(e, "status = %d;", status);
    emit_line(e, "goto done;");
    e->indent--;
    emit_line(e, "}");
}

// The text of an expression on its own.
static const char *expr_text(Emitter *e, Node *x, int min)
{
    Text text = text_new(e->arena), *out = e->out;
    e->out = &text;
    emit_expr(e, x, min);
    e->out = out;
    return text_get(&text);
}

static const char *size_text(Emitter *e, Node *n, int min)
{
    Text text = text_new(e->arena), *out = e->out;
    e->out = &text;
    emit_size(e, n, min);
    e->out = out;
    return text_get(&text);
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Where an outermost loop comes from.
static void source_comment(Emitter *e, Node *s)
{
    Span at = s->origin;
    if (!e->options->source_comments || e->loop_depth > 0 || at.file == 0) return;
    int line, column;
    session_position(e->cx, at.file, at.lo, &line, &column);
    emit_line(e, "// %s:%d", file_name(e->cx->sources.at[at.file - 1]->path), line);
}

static void block(Emitter *e, Node *s);

static void loop(Emitter *e, Node *s)
{
    source_comment(e, s);
    const char *from = size_text(e, s->op[0], PREC_ANY), *to = size_text(e, s->op[1], PREC_ADD);
    const char *i = names_declare(e, s->attr.sym, true);
    emit_line(e, "for (int64_t %s = %s; %s < %s; %s++) {", i, from, i, to, i);
    Facts *outer = e->facts;
    e->facts = facts_new(e->cx, e->arena, outer);
    facts_range(e->facts, s->attr.sym, s->op[0], s->op[1]);
    e->loop_depth++;
    block(e, s->op[2]);
    e->loop_depth--;
    e->facts = outer;
    emit_line(e, "}");
    names_forget(e, s->attr.sym);
}

static bool is_nothing(Node *x)
{
    return x->kind == CORE_TUPLE && x->nops == 0;
}

// A local that is never set again could be const; leaving that out keeps lines short.
static void declaration(Emitter *e, Node *s)
{
    Node *type = s->op[0];
    const char *value = is_nothing(s->op[1]) ? NULL : expr_text(e, s->op[1], PREC_TERNARY);
    const char *name = names_declare(e, s->attr.sym, true);
    Node *size = s->op[1]->kind == CORE_NAT ? s->op[1]->op[0] : NULL;
    if (type->kind == TYPE_IDX)
        facts_range(e->facts, s->attr.sym, nat_const(e->cx, 0), type->op[0]);
    else if (emit_scalar_of(type) == SCALAR_I64 &&
             !(size && nat_ge0(e->cx, e->facts, size) == TRUTH_YES))
        facts_range(e->facts, s->attr.sym, nat_const(e->cx, INT64_MIN / 4), NULL);
    const char *ctype = emit_ctype(e, emit_scalar_of(type));
    if (value)
        emit_line(e, "%s %s = %s;", ctype, name, value);
    else
        emit_line(e, "%s %s;", ctype, name);
}

// x += y where the value has that form and C's operator means the same.
static bool update(Emitter *e, const char *target, Node *value, bool (*reads)(Node *, Node *),
                   Node *place)
{
    if (value->kind != CORE_PRIM || value->nops != 2 || !reads(value->op[0], place)) return false;
    Scalar s = emit_scalar_of(value->type);
    Prim op = (Prim)value->attr.i;
    bool arithmetic = op == PRIM_ADD || op == PRIM_SUB || op == PRIM_MUL || op == PRIM_DIV;
    bool plain = scalar_info[s].class == CLASS_FLOAT
                     ? !e->options->field && s != SCALAR_F16
                     : scalar_info[s].class == CLASS_UINT && op != PRIM_DIV;
    if (!arithmetic || !plain) return false;
    emit_line(e, "%s %s= %s;", target, prim_info[op].c, expr_text(e, value->op[1], PREC_TERNARY));
    return true;
}

static bool reads_local(Node *x, Node *s)
{
    return x->kind == LOOP_VAR && x->attr.sym == s->attr.sym;
}

static bool reads_element(Node *x, Node *s)
{
    return x->kind == LOOP_LOAD && x->attr.sym == s->attr.sym && x->op[0] == s->op[0];
}

static void set(Emitter *e, Node *s)
{
    const char *name = names_use(e, s->attr.sym);
    if (update(e, name, s->op[0], reads_local, s)) return;
    emit_line(e, "%s = %s;", name, expr_text(e, s->op[0], PREC_TERNARY));
}

static void store(Emitter *e, Node *s)
{
    const LoopParam *p = map_get(&e->params, MAP_KEY(s->attr.sym));
    const char *name = names_use(e, s->attr.sym);
    const char *target = p && p->rank == 0 ? arena_printf(e->arena, "*%s", name)
                                           : arena_printf(e->arena, "%s[%s]", name,
                                                          size_text(e, s->op[0], PREC_ANY));
    if (update(e, target, s->op[1], reads_element, s)) return;
    emit_line(e, "%s = %s;", target, expr_text(e, s->op[1], PREC_TERNARY));
}

static void allocation(Emitter *e, Node *s)
{
    const char *ctype = emit_ctype(e, emit_scalar_of(s->op[0]));
    if (s->variant == VARIANT_STACK) {
        int64_t count = 1;
        CHECK(e->cx, nat_is_const(s->op[1], &count), "a stack array of unknown size");
        emit_line(e, "%s %s[%lld];", ctype, names_declare(e, s->attr.sym, true),
                  (long long)(count > 0 ? count : 1));
        return;
    }
    support_need(e, "alloc");
    const char *name = names_use(e, s->attr.sym);
    Text count = text_new(e->arena), *out = e->out;
    e->out = &count;
    emit_saturating_size(e, s->op[1]);
    e->out = out;
    emit_line(e, "%s = adze_alloc(%s, sizeof *%s);", name, text_get(&count), name);
    int status = emit_fault(e, E0606, s->origin, "not enough memory for a temporary array");
    fail_if(e, arena_printf(e->arena, "!%s", name), status);
}

static void branch(Emitter *e, Node *s)
{
    emit_line(e, "if (%s) {", expr_text(e, s->op[0], PREC_ANY));
    block(e, s->op[1]);
    bool otherwise = !(s->op[2]->kind == LOOP_BLOCK && s->op[2]->nops == 0);
    if (otherwise) {
        emit_line(e, "} else {");
        block(e, s->op[2]);
    }
    emit_line(e, "}");
}

static const char *fault_text(DiagCode code)
{
    switch (code) {
    case E0601: return "index out of bounds";
    case E0602: return "integer division by zero";
    case E0603: return "scatter writes an element twice";
    default: return diag_title(code);
    }
}

static void check(Emitter *e, Node *s)
{
    int status = emit_fault(e, (DiagCode)s->attr.i, s->origin, fault_text((DiagCode)s->attr.i));
    Text condition = text_new(e->arena), *out = e->out;
    e->out = &condition;
    emit_negated(e, s->op[0]);
    e->out = out;
    fail_if(e, text_get(&condition), status);
}

// Names and buffers of a block end with it. Buffers of the outermost block are freed at the end of
// the entry.
static void leave(Emitter *e, Node *s)
{
    for (uint32_t i = s->nops; i-- > 0;) {
        Node *inner = s->op[i];
        if (inner->kind == LOOP_ALLOC && inner->variant != VARIANT_STACK) {
            if (e->indent == 1) continue;
            const char *name = names_use(e, inner->attr.sym);
            emit_line(e, "free(%s);", name);
            emit_line(e, "%s = NULL;", name);
        } else if (inner->kind == LOOP_DECL || inner->kind == LOOP_ALLOC) {
            names_forget(e, inner->attr.sym);
        }
    }
}

// Whether a block declares nothing, so that it needs no braces of its own.
static bool declares(Node *s)
{
    for (uint32_t i = 0; i < s->nops; i++)
        if (s->op[i]->kind == LOOP_DECL || s->op[i]->kind == LOOP_ALLOC) return true;
    return false;
}

static bool stores_after(Node *s, uint32_t from, Sym name)
{
    for (uint32_t i = from; i < s->nops; i++) {
        Node *inner = s->op[i];
        if (inner->kind == LOOP_STORE && inner->attr.sym == name) return true;
        if (inner->kind >= LOOP_BLOCK && stores_after(inner, 0, name)) return true;
    }
    return false;
}

// `t[0] = a; t[1] = b;` right after the declaration of t[2], with literals only, and no store to t
// later: a constant table. Gives how many statements it stands for, 0 when it is none.
static uint32_t table(Emitter *e, Node *s, uint32_t at)
{
    Node *alloc = s->op[at];
    int64_t count, position;
    if (alloc->kind != LOOP_ALLOC || alloc->variant != VARIANT_STACK) return 0;
    if (!nat_is_const(alloc->op[1], &count) || count < 1 || count >= s->nops - at) return 0;
    for (uint32_t k = 1; k <= count; k++) {
        Node *store = s->op[at + k];
        if (store->kind != LOOP_STORE || store->attr.sym != alloc->attr.sym) return 0;
        if (!nat_is_const(store->op[0], &position) || position != k - 1) return 0;
        if (store->op[1]->kind != CORE_LIT) return 0;
    }
    if (stores_after(s, at + 1 + (uint32_t)count, alloc->attr.sym)) return 0;
    Text values = text_new(e->arena);
    for (uint32_t k = 1; k <= count; k++)
        text_printf(&values, "%s%s", k > 1 ? ", " : "",
                    expr_text(e, s->op[at + k]->op[1], PREC_TERNARY));
    const char *name = names_declare(e, alloc->attr.sym, true);
    if (e->options->field ||
        emit_scalar_of(alloc->op[0]) == SCALAR_F16) // its literals may be calls
        emit_line(e, "const %s %s[] = {%s};", emit_ctype(e, emit_scalar_of(alloc->op[0])), name,
                  text_get(&values));
    else
        emit_line(e, "static const %s %s[] = {%s};", emit_ctype(e, emit_scalar_of(alloc->op[0])),
                  name, text_get(&values));
    return (uint32_t)count + 1;
}

// The statements of a block, one level deeper (the braces are the caller's).
static void block(Emitter *e, Node *s)
{
    e->indent++;
    if (s->kind == LOOP_BLOCK) {
        Facts *outer = e->facts;
        e->facts = facts_new(e->cx, e->arena, outer);
        for (uint32_t i = 0; i < s->nops;) {
            uint32_t entries = table(e, s, i);
            if (entries == 0) emit_stmt(e, s->op[i]);
            i += entries ? entries : 1;
        }
        leave(e, s);
        e->facts = outer;
    } else {
        emit_stmt(e, s);
    }
    e->indent--;
}

void emit_stmt(Emitter *e, Node *s)
{
    switch (s->kind) {
    case LOOP_BLOCK:
        if (e->indent == 0) { // the body of the entry: its braces are there
            block(e, s);
        } else if (!declares(s)) {
            e->indent--;
            block(e, s);
            e->indent++;
        } else {
            emit_line(e, "{");
            block(e, s);
            emit_line(e, "}");
        }
        return;
    case LOOP_FOR: loop(e, s); return;
    case LOOP_DECL: declaration(e, s); return;
    case LOOP_SET: set(e, s); return;
    case LOOP_STORE: store(e, s); return;
    case LOOP_ALLOC: allocation(e, s); return;
    case LOOP_IF: branch(e, s); return;
    case LOOP_CHECK: check(e, s); return;
    default: CHECK(e->cx, false, "%s is not a statement of Loop IR", kind_info[s->kind].text);
    }
}
