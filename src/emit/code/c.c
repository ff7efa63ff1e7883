// Writes C files: includes, support functions, the function of each entry with its message table
// and wrapper, and the header.
#include "emit/code/code.h"

#include <ctype.h>
#include <string.h>

static Emitter emitter_new(Session *cx, const EmitOptions *options)
{
    Emitter e = {.cx = cx,
                 .arena = cx->arena,
                 .options = options,
                 .expr = emit_expr_by_kind,
                 .stmt = emit_stmt_by_kind,
                 .function_names = map_new(cx->arena),
                 .needs = map_new(cx->arena),
                 .saturating = map_new(cx->arena),
                 .vectors = map_new(cx->arena),
                 .structs = map_new(cx->arena),
                 .vector_types = text_new(cx->arena),
                 .vector_functions = text_new(cx->arena)};
    return e;
}

// Describes a parameter or result as "[n][m]f32" or "[n][m]f32 strided" in the comment before a
// function. `i` is its index in entry->strided, where the components of the result follow the
// parameters.
static const char *data_comment(Emitter *e, const LoopEntry *entry, int i, Node *type)
{
    const char *text = type_show_fields(e->cx, type);
    bool strided = entry->strided && entry->strided[i];
    return strided ? arena_printf(e->arena, "%s strided", text) : text;
}

static const char *result_comment(Emitter *e, const LoopEntry *entry)
{
    Node *type = entry->result;
    if (!entry->strided || type->kind != TYPE_TUPLE)
        return data_comment(e, entry, entry->nsource, type);
    Text out = text_new(e->arena);
    for (uint32_t i = 0; i < type->nops; i++)
        text_printf(&out, "%s%s", i ? ", " : "(",
                    data_comment(e, entry, entry->nsource + (int)i, type->op[i]));
    text_put(&out, ")");
    return text_get(&out);
}

static void shape_comment(Emitter *e, Text *out, const LoopEntry *entry)
{
    for (int i = 0; i < entry->sizes.len; i++)
        text_printf(out, "%s%s", i ? ", " : "//   sizes: ", entry->sizes.at[i]->text);
    if (entry->sizes.len) text_char(out, '\n');
    for (int i = 0; i < entry->nsource; i++)
        text_printf(out, "//   %s: %s\n", entry->source[i].name->text,
                    data_comment(e, entry, i, entry->source[i].type));
    text_printf(out, "//   result: %s\n", result_comment(e, entry));
}

static void message_function(Emitter *e, Text *out, const LoopEntry *entry)
{
    const char *stem = names_stem(e, entry->name);
    text_printf(out, "\nconst char *%s_message(int status)\n{\n", stem);
    if (e->faults.len == 0) {
        text_put(out, "    (void)status;\n    return \"\";\n}\n");
        return;
    }
    text_put(out, "    static const char *const text[] = {\n        \"\",\n");
    for (int i = 0; i < e->faults.len; i++) {
        const Fault *f = &e->faults.at[i];
        Text line = text_new(e->arena);
        if (f->code == E0615) {
            text_put(out, "        adze_device.text,\n");
            continue;
        }
        const char *place = fault_place(e, f->span);
        text_printf(&line, "%s%serror %s: %s", place, *place ? ": " : "", diag_name(f->code),
                    f->text);
        text_put(out, "        \"");
        for (const char *c = text_get(&line); *c; c++) {
            if (*c == '"' || *c == '\\' || *c == '?') text_char(out, '\\');
            if (*c == '\n') text_char(out, ';');
            text_char(out, (unsigned char)*c < ' ' ? ' ' : *c);
        }
        text_put(out, "\",\n");
    }
    text_printf(out, "    };\n    return status > 0 && status <= %d ? text[status] : text[0];\n}\n",
                e->faults.len);
}

static bool has_conditions(const Emitter *e)
{
    for (int i = 0; i < e->faults.len; i++)
        if (e->faults.at[i].condition) return true;
    return false;
}

// Writes `case 2: return snprintf(text, size, "%s; n = %lld", ..., (long long)n);`.
static void explained(Emitter *e, const char *message, int status, const char *to, const char *room)
{
    Sym *names;
    int n = size_check_names(e->cx, e->faults.at[status - 1].condition, &names);
    Text format = text_new(e->arena), values = text_new(e->arena);
    if (n == 0) return;
    for (int i = 0; i < n; i++) {
        text_printf(&format, "%s%s = %%lld", i ? ", " : "; ", names[i]->text);
        text_printf(&values, ", (long long)%s", names_use(e, names[i]));
    }
    e->indent = 1;
    emit_line(e, "case %d:", status);
    e->indent = 2;
    emit_line(e, "return snprintf(%s, %s, \"%%s%s\", %s(status)%s);", to, room, text_get(&format),
              message, text_get(&values));
}

typedef struct {
    const char *head, *arguments; // NULL if the entry has no such function
} Explain;

// Writes the function that explains a status together with the sizes of the call. Only entries with
// conditions on sizes have one.
static Explain explain_function(Emitter *e, Text *source, Text *header, const CFunction *f)
{
    const char *stem = names_stem(e, f->entry->name),
               *message = arena_printf(e->arena, "%s_message", stem);
    const char *name = names_beside(e, arena_printf(e->arena, "%s_explain", stem));
    Text head = text_new(e->arena), unused = text_new(e->arena);
    emit_parameters(e, f);
    const char *to = names_declare(e, sym_fresh(e->cx->syms, "text"), true);
    const char *room = names_declare(e, sym_fresh(e->cx->syms, "size"), true);
    ParameterList list = parameters_begin(&head, arena_printf(e->arena, "int %s(", name));
    parameters_add(&list, "int status");
    parameters_add_sizes(e, &list, f);
    parameters_add(&list, arena_printf(e->arena, "char *%s", to));
    parameters_add(&list, arena_printf(e->arena, "size_t %s", room));
    parameters_end(&list);
    text_printf(source, "\n%s\n{\n    switch (status) {\n", text_get(&head));
    e->out = source;
    for (int i = 0; i < e->faults.len; i++)
        if (e->faults.at[i].condition) explained(e, message, i + 1, to, room);
    for (int i = 0; i < f->sizes.len; i++)
        if (!map_get(&e->used, MAP_KEY(f->sizes.at[i])))
            text_printf(&unused, "    (void)%s;\n", names_spelled(e, f->sizes.at[i]));
    text_printf(source, "    }\n%s    return snprintf(%s, %s, \"%%s\", %s(status));\n}\n",
                text_get(&unused), to, room, message);
    text_printf(header, "// The same with the sizes of the call, written as by snprintf.\n%s;\n",
                text_get(&head));
    e->explains = true;
    const char *sizes = sizes_text(e, f);
    return (Explain){text_get(&head), arena_printf(e->arena, "status, %s%s%s, %s", sizes,
                                                   *sizes ? ", " : "", to, room)};
}

static void wrapper(Emitter *e, Text *out, const LoopEntry *entry)
{
    const char *prefix = e->options->prefix, *stem = names_stem(e, entry->name) + strlen(prefix),
               *head = arena_printf(e->arena,
                                    "int %s1call_%s(const int64_t *sizes, void *const *buffers)",
                                    prefix, stem);
    text_printf(out, "\n%s;\n%s\n{\n", head, head);
    if (entry->sizes.len == 0) text_put(out, "    (void)sizes;\n");
    text_printf(out, "    return %s(", names_entry(e, entry->name));
    for (int i = 0; i < entry->sizes.len; i++) text_printf(out, "%ssizes[%d]", i ? ", " : "", i);
    for (int i = 0; i < entry->params.len; i++) {
        const LoopParam *p = &entry->params.at[i];
        const char *comma = i || entry->sizes.len ? ", " : "";
        if (!emit_has_parameter(entry, i)) continue;
        const char *type = p->record ? struct_name(e, p->record->type) : emit_ctype(e, p->scalar);
        if (p->record ? p->record->value : p->rank == 0 && !p->output && !p->both)
            text_printf(out, "%s*(const %s *)buffers[%d]", comma, type, i);
        else
            text_printf(out, "%sbuffers[%d]", comma, i);
    }
    text_put(out, ");\n}\n");
}

// Writes the functions that `f` calls, callees first; recursive functions are forward-declared.
static void callees(Emitter *e, Text *source, const CFunction *f)
{
    for (int i = 0; i < f->callees.len; i++) {
        CFunction *g = function_of(e, f->callees.at[i]);
        if (g->known || g == f) continue;
        g->known = true;
        if (core_print_step_of(g->entry->name) != PRINT_COUNT) continue;
        if (g->entry->kernel) {
            emit_kernel(e, source, g);
            continue;
        }
        if (g->entry->external) {
            if (names_claim(e, g->name)) emit_declaration(e, source, g);
        } else if (g->visited) {
            emit_declaration(e, source, g);
        } else {
            g->known = false;
            g->visited = true;
            callees(e, source, g);
            Heads heads = {.call = text_new(e->arena)};
            emit_function(e, source, &heads, g);
            g->known = true;
        }
    }
}

// Fills in *to, which tells the caller of emit_c which functions the header declares for an entry.
static void publish(Emitter *e, PublicEntry *to, const CFunction *f, const Heads *heads,
                    Explain explain, Explain on)
{
    CFunction given = *f;
    given.given = true;
    emit_parameters(e, f);
    *to = (PublicEntry){.signature = {[PUBLIC_CALL] = text_get(&heads->call)}};
    to->arguments[PUBLIC_CALL] = emit_arguments(e, f);
    to->signature[PUBLIC_MESSAGE] =
        arena_printf(e->arena, "const char *%s_message(int status)", names_stem(e, f->entry->name));
    to->arguments[PUBLIC_MESSAGE] = "status";
    to->signature[PUBLIC_EXPLAIN] = explain.head;
    to->arguments[PUBLIC_EXPLAIN] = explain.arguments;
    to->signature[PUBLIC_ON] = on.head;
    to->arguments[PUBLIC_ON] = on.arguments;
    if (!f->entry->workspace) return;
    to->signature[PUBLIC_WORKSPACE] = text_get(&heads->measure);
    to->arguments[PUBLIC_WORKSPACE] = sizes_text(e, f);
    emit_parameters(e, &given);
    to->signature[PUBLIC_IN] = text_get(&heads->given);
    to->arguments[PUBLIC_IN] = emit_arguments(e, &given);
}

static void emit_entry(Emitter *e, Text *source, Text *header, const LoopEntry *entry,
                       PublicEntry *functions)
{
    Text own = text_new(e->arena);
    Heads heads = {.call = text_new(e->arena)};
    e->faults.len = 0;
    entry = emit_with_size_tests(e, entry);
    CFunction *f = functions_find(e, entry);
    f->name = names_entry(e, entry->name);
    if (entry->workspace) f->given_name = names_beside(e, arena_printf(e->arena, "%s_in", f->name));
    Text called = text_new(e->arena);
    e->kernels = f->launches ? kernels_new(e, entry->device) : NULL;
    e->program = arena_printf(e->arena, "%s_kernels", f->name);
    bool device = f->launches || (entry->device && e->options->buffers);
    if (device) {
        const char *driver = entry->device == DEVICE_CUDA ? "cuda" : "opencl";
        support_need(e, driver);
        if (e->cx->profiles) support_need(e, arena_printf(e->arena, "%s_profile", driver));
        support_need(e, "device");
    }
    emit_function(e, &own, &heads, f);
    callees(e, &called, f);
    if (device) kernels_write(e, source, entry);
    text_put(source, text_get(&called));
    text_put(source, text_get(&own));
    Text on_header = text_new(e->arena);
    Explain on = {0};
    if (entry->device && e->options->buffers)
        on.head = emit_on(e, source, &on_header, f, &on.arguments);
    message_function(e, source, entry);
    if (e->options->wrappers) wrapper(e, source, entry);
    text_put(header, "\n");
    emit_doc_comment(header, entry->doc);
    shape_comment(e, header, entry);
    const char *stem = names_stem(e, entry->name);
    if (strcmp(stem, f->name) != 0)
        text_printf(header, "// Not %s, which is a function of the C file.\n", stem);
    text_printf(header, "// Returns 0, or a status that %s_message explains.\n", stem);
    text_printf(header, "%s;\n", text_get(&heads.call));
    if (entry->workspace)
        text_printf(header,
                    "// The same with memory of the caller: as many bytes as the function below "
                    "returns, from a multiple of 64 on.\n%s;\n%s;\n",
                    text_get(&heads.given), text_get(&heads.measure));
    text_put(header, text_get(&on_header));
    text_printf(header, "const char *%s_message(int status);\n", stem);
    Explain explain = {0};
    if (has_conditions(e)) explain = explain_function(e, source, header, f);
    if (functions) publish(e, functions, f, &heads, explain, on);
    e->workspaces |= entry->workspace != NULL;
}

// --- files -------------------------------------------------------------------------------------

static bool needs(Emitter *e, const char *section)
{
    return map_get(&e->needs, MAP_KEY(session_sym(e->cx, section))) != NULL;
}

// Includes the C library headers that the functions use. The file's own header includes <stdint.h>
// and <stdbool.h>.
static void includes(Emitter *e, Text *source)
{
    bool math = e->math || needs(e, "f16_from"),
         copies = needs(e, "f16_to_f32") || needs(e, "to_bits");
    bool prints = needs(e, "print"), floats = needs(e, "print_float");
    bool device = needs(e, "device");
    bool allocs = needs(e, "alloc") || needs(e, "alloc_workspace") || prints || device;
    bool formats = e->explains || prints || device;
    if (math || copies || allocs || formats) text_char(source, '\n');
    if (device) text_put(source, "#include <dlfcn.h>\n");
    if (prints) text_put(source, "#include <inttypes.h>\n");
    if (math || floats) text_put(source, "#include <math.h>\n");
    if (formats) text_put(source, "#include <stdio.h>\n");
    if (allocs) text_put(source, "#include <stdlib.h>\n");
    if (copies || prints || device) text_put(source, "#include <string.h>\n");
    if (device) text_put(source, "#include <sys/stat.h>\n#include <unistd.h>\n");
}

static void write_header(Emitter *e, Text *header, const char *name, bool parallel,
                         const Text *structs, const Text *declarations)
{
    bool sizes = e->workspaces || e->explains || e->struct_order.len;
    char *guard = arena_printf(e->arena, "%s%s", e->options->prefix, name);
    for (char *c = guard; *c; c++)
        *c = isalnum((unsigned char)*c) ? (char)toupper((unsigned char)*c) : '_';
    text_printf(header, "// Generated by Adze. Arrays are flat, row by row; an array of tuples is "
                        "one array per component.\n");
    if (parallel)
        text_put(header, "// Compile the C file with -fopenmp for several threads, as many as "
                         "OMP_NUM_THREADS or omp_set_num_threads say.\n");
    if (e->device) device_explain_on(header, e->device);
    text_printf(header,
                "#ifndef %s\n#define %s\n\n%s#include <stdbool.h>\n%s#include <stdint.h>\n\n"
                "#ifdef __cplusplus\nextern \"C\" {\n#define restrict __restrict\n#endif\n",
                guard, guard, e->struct_order.len ? "#include <assert.h>\n" : "",
                sizes ? "#include <stddef.h>\n" : "");
    if (needs(e, "f16")) text_put(header, "\ntypedef uint16_t adze_f16; // IEEE half precision\n");
    if (e->options->field) text_put(header, "\ntypedef uint64_t adze_field;\n");
    text_printf(header, "%s%s\n#ifdef __cplusplus\n#undef restrict\n}\n#endif\n\n#endif\n",
                text_get(structs), text_get(declarations));
}

static void write_source(Emitter *e, Text *source, const char *header_name, const Text *functions)
{
    text_printf(source, "// Generated by Adze.\n#include \"%s\"\n", header_name);
    includes(e, source);
    if (e->pragmas)
        text_put(source,
                 "\n// With -fopenmp marked loops run in parallel, with -fopenmp-simd in lockstep, "
                 "otherwise in order.\n"
                 "#pragma GCC diagnostic ignored \"-Wunknown-pragmas\"\n"
                 "#pragma clang diagnostic ignored \"-Wpass-failed\"\n"
                 "#pragma clang diagnostic ignored \"-Wunused-function\"\n");
    support_write(e, source);
    vec_write(e, source);
    text_put(source, text_get(functions));
    if (needs(e, "print_kept"))
        text_printf(source,
                    "\nchar **%1$skept(void);\nchar **%1$skept(void)\n{\n    return "
                    "&adze_kept_message;\n}\n",
                    e->options->prefix);
}

// Adds a function that frees the workspace kept between calls. Libraries for several processors do
// not have one.
static void release_function(Emitter *e, Text *source, Text *header, const char *header_name)
{
    if (!needs(e, "alloc_workspace") || e->options->functions) return;
    size_t length = strlen(header_name) - strlen(".h");
    char *stem =
        arena_printf(e->arena, "%s%.*s_release", e->options->prefix, (int)length, header_name);
    for (char *c = stem; *c; c++)
        if (!isalnum((unsigned char)*c)) *c = '_';
    const char *name = names_beside(e, stem);
    text_printf(header,
                "\n// Frees the memory that calls keep for the next ones. It may be called at any "
                "time.\nvoid %s(void);\n",
                name);
    text_printf(source,
                "\nvoid %s(void)\n{\n    free(__atomic_exchange_n(&adze_workspace_kept, NULL, "
                "__ATOMIC_ACQ_REL));\n}\n",
                name);
}

void emit_c(Session *cx, Text *source, Text *header, const char *header_name,
            LoopEntry *const *entries, int n, const EmitOptions *options)
{
    Emitter e = emitter_new(cx, options);
    Text functions = text_new(cx->arena), declarations = text_new(cx->arena);
    Text structs = text_new(cx->arena);
    for (int i = 0; i < n; i++) names_claim(&e, names_entry(&e, entries[i]->name));
    for (int i = 0; i < n; i++)
        emit_entry(&e, &functions, &declarations, entries[i],
                   options->functions ? &options->functions[i] : NULL);
    release_function(&e, &functions, &declarations, header_name);
    struct_write(&e, &structs);
    write_header(&e, header, header_name, loops_any_parallel(entries, n), &structs, &declarations);
    write_source(&e, source, header_name, &functions);
}
