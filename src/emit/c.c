// Files: includes, support functions, one function per entry with its checks, message tables,
// wrappers, and the header.
#include "emit/internal.h"

#include <ctype.h>
#include <string.h>

static Emitter emitter_new(Session *cx, const EmitOptions *options)
{
    Emitter e = {.cx = cx, .arena = cx->arena, .options = options, .needs = map_new(cx->arena)};
    return e;
}

// What the functions beside an entry are called after: its name behind the prefix.
static const char *c_name(Emitter *e, Sym name)
{
    char *id = arena_printf(e->arena, "%s%s", e->options->prefix, name->text);
    for (char *c = id; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_') *c = '_';
    return id;
}

// The function of an entry. Names in Adze do not begin with a digit, so one sets it apart from the
// message functions, wrappers and support functions.
static const char *function_name(Emitter *e, Sym name)
{
    const char *id = c_name(e, name), *stem = id + strlen(e->options->prefix);
    size_t len = strlen(stem);
    bool taken = strncmp(stem, "call_", 5) == 0 || support_has(stem) ||
                 (len > 8 && strcmp(stem + len - 8, "_message") == 0);
    return taken ? arena_printf(e->arena, "%s0%s", e->options->prefix, stem) : id;
}

// --- signature ---------------------------------------------------------------------------------

static void parameter(Emitter *e, Text *out, const LoopParam *p)
{
    const char *type = emit_ctype(e, p->scalar), *name = map_get(&e->spelling, MAP_KEY(p->name));
    if (p->scalar == SCALAR_F16 && !e->options->field) support_need(e, "f16");
    if (p->output)
        text_printf(out, "%s *restrict %s", type, name);
    else if (p->rank == 0)
        text_printf(out, "%s %s", type, name);
    else
        text_printf(out, "const %s *restrict %s", type, name);
}

static void signature(Emitter *e, Text *out, const LoopEntry *entry)
{
    size_t start = out->len;
    text_printf(out, "int %s(", function_name(e, entry->name));
    size_t margin = out->len - start, line = start;
    int count = entry->sizes.len + entry->params.len;
    for (int i = 0; i < count; i++) {
        Text one = text_new(e->arena);
        if (i < entry->sizes.len)
            text_printf(&one, "int64_t %s",
                        (const char *)map_get(&e->spelling, MAP_KEY(entry->sizes.at[i])));
        else
            parameter(e, &one, &entry->params.at[i - entry->sizes.len]);
        if (i) text_put(out, ",");
        if (i && out->len - line + one.len + 2 > 100) {
            text_printf(out, "\n%*s", (int)margin, "");
            line = out->len - margin;
        } else if (i) {
            text_put(out, " ");
        }
        text_put(out, text_get(&one));
    }
    text_put(out, count ? ")" : "void)");
}

// "[n][m]f32" for the comment over a function.
static void shape_comment(Emitter *e, Text *out, const LoopEntry *entry)
{
    for (int i = 0; i < entry->sizes.len; i++)
        text_printf(out, "%s%s", i ? ", " : "//   sizes: ", entry->sizes.at[i]->text);
    if (entry->sizes.len) text_char(out, '\n');
    for (int i = 0; i < entry->nsource; i++)
        text_printf(out, "//   %s: %s\n", entry->source[i].name->text,
                    type_show(e->cx, entry->source[i].type));
    text_printf(out, "//   result: %s\n", type_show(e->cx, entry->result));
}

static void doc_comment(Text *out, const char *doc)
{
    for (const char *line = doc; line && *line;) {
        size_t len = strcspn(line, "\n");
        text_printf(out, "// %.*s\n", (int)len, line);
        line += len + (line[len] == '\n');
    }
}

static void declare_parameters(Emitter *e, const LoopEntry *entry)
{
    names_reset(e);
    e->params = map_new(e->arena);
    for (int i = 0; i < entry->sizes.len; i++) names_declare(e, entry->sizes.at[i], false);
    for (int i = 0; i < entry->params.len; i++) {
        names_declare(e, entry->params.at[i].name, false);
        map_put(&e->params, MAP_KEY(entry->params.at[i].name), &entry->params.at[i]);
    }
}

// --- checks at the door ------------------------------------------------------------------------

static void size_checks(Emitter *e, const LoopEntry *entry)
{
    Text negative = text_new(e->arena);
    for (int i = 0; i < entry->sizes.len; i++)
        text_printf(&negative, "%s%s < 0", i ? " || " : "", names_use(e, entry->sizes.at[i]));
    if (entry->sizes.len)
        emit_line(e, "if (%s) return %d;", text_get(&negative),
                  emit_fault(e, E0604, entry->span, "a size is negative"));
    static const char *const broken[] = {[SIZE_EQ] = "!=", [SIZE_LE] = ">", [SIZE_NE] = "=="};
    static const char *const wanted[] = {[SIZE_EQ] = "==", [SIZE_LE] = "<=", [SIZE_NE] = "!="};
    for (int i = 0; i < entry->checks.len; i++) {
        const SizeCheck *c = &entry->checks.at[i];
        Text text = text_new(e->arena), condition = text_new(e->arena), *out = e->out;
        nat_print(&text, c->left, 0);
        text_printf(&text, " %s ", wanted[c->relation]);
        nat_print(&text, c->right, 0);
        text_put(&text, " does not hold");
        if (c->why) text_printf(&text, " (%s)", c->why);
        e->out = &condition;
        emit_size(e, c->left, PREC_ADD);
        text_printf(&condition, " %s ", broken[c->relation]);
        emit_size(e, c->right, PREC_ADD);
        e->out = out;
        emit_line(e, "if (%s) return %d;", text_get(&condition),
                  emit_fault(e, E0604, c->span, text_get(&text)));
    }
}

// Indices given from outside must be in range: idx[n] inside the program needs no check.
static void index_checks(Emitter *e, const LoopEntry *entry)
{
    for (int k = 0; k < entry->params.len; k++) {
        const LoopParam *p = &entry->params.at[k];
        if (!p->idx || p->output) continue;
        int status =
            emit_fault(e, E0601, entry->span,
                       arena_printf(e->arena, "a value of %s is out of bounds", p->name->text));
        const char *name = names_use(e, p->name);
        Text bound = text_new(e->arena), count = text_new(e->arena), *out = e->out;
        e->out = &bound;
        emit_size(e, p->idx, PREC_ADD);
        e->out = &count;
        if (p->rank) emit_size(e, p->count, PREC_ADD);
        e->out = out;
        if (p->rank == 0) {
            emit_line(e, "if (%s < 0 || %s >= %s) return %d;", name, name, text_get(&bound),
                      status);
            continue;
        }
        Sym index = session_sym(e->cx, "i");
        const char *i = names_declare(e, index, true);
        emit_line(e, "for (int64_t %s = 0; %s < %s; %s++)", i, i, text_get(&count), i);
        emit_line(e, "    if (%s[%s] < 0 || %s[%s] >= %s) return %d;", name, i, name, i,
                  text_get(&bound), status);
        names_forget(e, index);
    }
}

// --- one entry ---------------------------------------------------------------------------------

// Looks ahead: the heap allocations of the body, and the lengths of its rows.
static void look_ahead(Emitter *e, Node *s)
{
    if (s->kind == LOOP_FOR) strides_add(e, s->op[1]);
    if (s->kind == LOOP_ALLOC && s->variant != VARIANT_STACK) vec_push(e->arena, &e->heap, s);
    if (s->kind != LOOP_BLOCK && s->kind != LOOP_FOR && s->kind != LOOP_IF) return;
    for (uint32_t i = 0; i < s->nops; i++)
        if (s->op[i]->type == NULL) look_ahead(e, s->op[i]);
}

static void entry_body(Emitter *e, const LoopEntry *entry)
{
    e->indent = 1;
    size_checks(e, entry);
    index_checks(e, entry);
    for (int i = 0; i < e->heap.len; i++) {
        Node *a = e->heap.at[i];
        emit_line(e, "%s *%s = NULL;", emit_ctype(e, emit_scalar_of(a->op[0])),
                  names_declare(e, a->attr.sym, true));
    }
    if (e->heap.len) emit_line(e, "int status = 0;");
    e->indent = 0;
    emit_stmt(
        e, entry->body->kind == LOOP_BLOCK
               ? entry->body
               : node_make(e->cx, &(NodeSpec){.kind = LOOP_BLOCK, .nops = 1, .ops = &entry->body}));
    e->indent = 1;
    if (e->heap.len) text_put(e->out, "done:\n");
    for (int i = e->heap.len; i-- > 0;)
        emit_line(e, "free(%s);", names_use(e, e->heap.at[i]->attr.sym));
    emit_line(e, e->heap.len ? "return status;" : "return 0;");
}

static void message_function(Emitter *e, Text *out, const LoopEntry *entry)
{
    if (e->faults.len == 0) {
        text_printf(
            out,
            "\nconst char *%s_message(int status)\n{\n    (void)status;\n    return \"\";\n}\n",
            c_name(e, entry->name));
        return;
    }
    text_printf(out,
                "\nconst char *%s_message(int status)\n{\n    static const char *const text[] = "
                "{\n        \"\",\n",
                c_name(e, entry->name));
    for (int i = 0; i < e->faults.len; i++) {
        const Fault *f = &e->faults.at[i];
        Text line = text_new(e->arena);
        if (f->span.file) {
            int row, column;
            session_position(e->cx, f->span.file, f->span.lo, &row, &column);
            text_printf(&line, "%s:%d:%d: ", source_short_path(e->cx->sources.at[f->span.file - 1]),
                        row, column);
        }
        text_printf(&line, "error %s: %s", diag_name(f->code), f->text);
        text_put(out, "        \"");
        for (const char *c = text_get(&line); *c; c++) {
            if (*c == '"' || *c == '\\') text_char(out, '\\');
            text_char(out, (unsigned char)*c < ' ' ? ' ' : *c);
        }
        text_put(out, "\",\n");
    }
    text_printf(out, "    };\n    return status > 0 && status <= %d ? text[status] : text[0];\n}\n",
                e->faults.len);
}

static void wrapper(Emitter *e, Text *out, const LoopEntry *entry)
{
    const char *name = c_name(e, entry->name);
    const char *stem = name + strlen(e->options->prefix);
    text_printf(out, "\nint %scall_%s(const int64_t *sizes, void *const *buffers);\n",
                e->options->prefix, stem);
    text_printf(out, "int %scall_%s(const int64_t *sizes, void *const *buffers)\n{\n",
                e->options->prefix, stem);
    if (entry->sizes.len == 0) text_put(out, "    (void)sizes;\n");
    text_printf(out, "    return %s(", function_name(e, entry->name));
    for (int i = 0; i < entry->sizes.len; i++) text_printf(out, "%ssizes[%d]", i ? ", " : "", i);
    for (int i = 0; i < entry->params.len; i++) {
        const LoopParam *p = &entry->params.at[i];
        const char *comma = i || entry->sizes.len ? ", " : "";
        if (p->rank == 0 && !p->output)
            text_printf(out, "%s*(const %s *)buffers[%d]", comma, emit_ctype(e, p->scalar), i);
        else
            text_printf(out, "%sbuffers[%d]", comma, i);
    }
    text_put(out, ");\n}\n");
}

static void emit_entry(Emitter *e, Text *source, Text *header, const LoopEntry *entry)
{
    declare_parameters(e, entry);
    e->heap.len = e->faults.len = e->strides.len = 0;
    for (int i = 0; i < entry->params.len; i++)
        for (int k = 1; k < entry->params.at[i].rank; k++)
            strides_add(e, entry->params.at[i].dims[k]);
    e->loop_depth = 0;
    e->facts = facts_new(e->cx, e->arena, NULL);
    for (int i = 0; i < entry->params.len; i++) { // integers may be negative, other than sizes
        const LoopParam *p = &entry->params.at[i];
        if (p->scalar == SCALAR_I64 && p->rank == 0)
            facts_range(e->facts, p->name, nat_const(e->cx, p->idx ? 0 : INT64_MIN / 4), p->idx);
    }
    look_ahead(e, entry->body);
    Text head = text_new(e->arena), body = text_new(e->arena);
    signature(e, &head, entry);
    e->out = &body;
    entry_body(e, entry);
    text_put(source, "\n");
    doc_comment(source, entry->doc);
    text_printf(source, "%s\n{\n", text_get(&head));
    e->out = source;
    e->indent = 1;
    for (int i = 0; i < entry->sizes.len + entry->params.len; i++) {
        Sym name =
            i < entry->sizes.len ? entry->sizes.at[i] : entry->params.at[i - entry->sizes.len].name;
        if (!map_get(&e->used, MAP_KEY(name)))
            emit_line(e, "(void)%s;", (const char *)map_get(&e->spelling, MAP_KEY(name)));
    }
    text_put(source, text_get(&body));
    text_put(source, "}\n");
    message_function(e, source, entry);
    if (e->options->wrappers) wrapper(e, source, entry);
    text_put(header, "\n");
    doc_comment(header, entry->doc);
    shape_comment(e, header, entry);
    text_printf(header, "// Returns 0, or a status that %s_message explains.\n",
                c_name(e, entry->name));
    text_printf(header, "%s;\n", text_get(&head));
    text_printf(header, "const char *%s_message(int status);\n", c_name(e, entry->name));
}

// --- files -------------------------------------------------------------------------------------

static bool needs(Emitter *e, const char *section)
{
    return map_get(&e->needs, MAP_KEY(session_sym(e->cx, section))) != NULL;
}

// The headers of the C library that the functions use; <stdint.h> and <stdbool.h> come with the
// file's own header.
static void includes(Emitter *e, Text *source)
{
    bool math = e->math || needs(e, "f16_from"), copies = needs(e, "f16_to_f32");
    if (math || copies || needs(e, "alloc")) text_char(source, '\n');
    if (math) text_put(source, "#include <math.h>\n");
    if (needs(e, "alloc")) text_put(source, "#include <stdlib.h>\n");
    if (copies) text_put(source, "#include <string.h>\n");
}

void emit_c(Session *cx, Text *source, Text *header, const char *header_name,
            LoopEntry *const *entries, int n, const EmitOptions *options)
{
    Emitter e = emitter_new(cx, options);
    Text functions = text_new(cx->arena), declarations = text_new(cx->arena);
    for (int i = 0; i < n; i++) emit_entry(&e, &functions, &declarations, entries[i]);
    char *guard = arena_printf(cx->arena, "ADZE_%s", header_name);
    for (char *c = guard; *c; c++)
        *c = isalnum((unsigned char)*c) ? (char)toupper((unsigned char)*c) : '_';
    text_printf(header, "// Generated by Adze. Arrays are flat, row by row; an array of tuples is "
                        "one array per component.\n");
    text_printf(header, "#ifndef %s\n#define %s\n\n#include <stdbool.h>\n#include <stdint.h>\n\n",
                guard, guard);
    text_put(header, "#ifdef __cplusplus\nextern \"C\" {\n#define restrict __restrict\n#endif\n");
    if (map_get(&e.needs, MAP_KEY(session_sym(cx, "f16"))))
        text_put(header, "\ntypedef uint16_t adze_f16; // IEEE half precision\n");
    if (options->field) text_put(header, "\ntypedef uint64_t adze_field;\n");
    text_put(header, text_get(&declarations));
    text_printf(header, "\n#ifdef __cplusplus\n#undef restrict\n}\n#endif\n\n#endif\n");
    text_printf(source, "// Generated by Adze.\n#include \"%s\"\n", header_name);
    includes(&e, source);
    support_write(&e, source);
    text_put(source, text_get(&functions));
}
