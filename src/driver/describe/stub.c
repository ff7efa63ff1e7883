// The types of entries as a .pyi file of Python, from their descriptions.
#include <string.h>

#include "driver/describe/describe.h"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool is_kind(const json_t *type, const char *kind)
{
    return strcmp(text_of(type, "kind"), kind) == 0;
}

// The words are those of names.py.
const char *stub_name(Arena *arena, const char *name)
{
    static const char *const words[] = {
        "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
        "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
        "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
        "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], name) == 0) return arena_printf(arena, "%s_", name);
    return name;
}

/// What the types of a program become.
typedef struct {
    Arena *arena;
    Text classes;
    json_t *written; // the structs and enums that have a class
    json_t *names;   // all names of entries, types, options and fields
    unsigned hidden; // the words of `words` that are among them
} Stub;

/// What annotations consist of, by the modules that they are imported from.
static const struct {
    const char *text, *module;
} words[] = {{"Mapping", "collections.abc"},
             {"Any", "typing"},
             {"NamedTuple", "typing"},
             {"Self", "typing"},
             {"ArrayLike", "numpy.typing"},
             {"NDArray", "numpy.typing"},
             {"np", NULL},
             {"bool", "builtins"},
             {"float", "builtins"},
             {"int", "builtins"},
             {"str", "builtins"},
             {"tuple", "builtins"}};
enum { WORDS = sizeof words / sizeof *words };

// Collects the names in a description.
static void collect_names(json_t *names, json_t *described)
{
    const char *key;
    json_t *part;
    size_t i;
    json_object_foreach(described, key, part)
    {
        if (strcmp(key, "name") == 0 && json_is_string(part))
            json_object_set_new(names, json_string_value(part), json_true());
        collect_names(names, part);
    }
    json_array_foreach(described, i, part) collect_names(names, part);
}

// A word, with an underscore before it if the program has its name.
static const char *word(const Stub *s, const char *text)
{
    for (int i = 0; i < WORDS; i++)
        if (strcmp(words[i].text, text) == 0 && s->hidden & 1u << i)
            return arena_printf(s->arena, "_%s", text);
    return text;
}

static const char *annotation(Stub *s, const json_t *type);

// --- types --------------------------------------------------------------------------------------

static const char *scalar_name(const Stub *s, const json_t *type, bool numpy)
{
    static const char *const names[][3] = {
        {"bool", "bool", "bool_"},   {"i8", "int", "int8"},       {"i16", "int", "int16"},
        {"i32", "int", "int32"},     {"i64", "int", "int64"},     {"u8", "int", "uint8"},
        {"u16", "int", "uint16"},    {"u32", "int", "uint32"},    {"u64", "int", "uint64"},
        {"f16", "float", "float16"}, {"f32", "float", "float32"}, {"f64", "float", "float64"}};
    const char *scalar = is_kind(type, "idx") ? "i64" : text_of(type, "scalar");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i][0], scalar) != 0) continue;
        return numpy ? arena_printf(s->arena, "%s.%s", word(s, "np"), names[i][2])
                     : word(s, names[i][1]);
    }
    return word(s, "Any");
}

// An array of tuples or of structs that are not in C layout is arrays in one of these.
static const char *array_annotation(Stub *s, const json_t *element)
{
    while (is_kind(element, "array") || is_kind(element, "vector"))
        element = json_object_get(element, "element");
    if (is_kind(element, "scalar") || is_kind(element, "idx"))
        return arena_printf(s->arena, "%s[%s]", word(s, "NDArray"), scalar_name(s, element, true));
    (void)annotation(s, element); // its class
    bool record = is_kind(element, "struct") && json_is_true(json_object_get(element, "c_layout"));
    return record ? arena_printf(s->arena, "%s[%s.void]", word(s, "NDArray"), word(s, "np"))
                  : word(s, "Any");
}

static const char *empty_tuple(const Stub *s)
{
    return arena_printf(s->arena, "%s[()]", word(s, "tuple"));
}

static const char *tuple_annotation(Stub *s, const json_t *parts)
{
    Text t = text_new(s->arena);
    size_t i;
    json_t *part;
    if (json_array_size(parts) == 0) return empty_tuple(s);
    text_printf(&t, "%s[", word(s, "tuple"));
    json_array_foreach(parts, i, part) text_printf(&t, "%s%s", i ? ", " : "", annotation(s, part));
    text_char(&t, ']');
    return text_get(&t);
}

static void write_struct(Stub *s, const json_t *type, const char *name)
{
    Text own = text_new(s->arena);
    size_t i;
    json_t *field;
    text_printf(&own, "class %s(%s):\n", name, word(s, "NamedTuple"));
    json_array_foreach(json_object_get(type, "fields"), i, field)
        text_printf(&own, "    %s: %s\n", stub_name(s->arena, text_of(field, "name")),
                    annotation(s, json_object_get(field, "type")));
    text_printf(&s->classes, "%s%s\n", text_get(&own), i ? "" : "    ...\n");
}

// An option is a tuple of its own class, or a value if it has no components.
static void write_enum(Stub *s, const json_t *type, const char *name)
{
    Text own = text_new(s->arena);
    size_t i, k;
    json_t *option, *part;
    text_printf(&own, "class %s:\n", name);
    json_array_foreach(json_object_get(type, "options"), i, option)
    {
        const json_t *parts = json_object_get(json_object_get(option, "type"), "parts");
        const char *its = stub_name(s->arena, text_of(option, "name"));
        if (json_array_size(parts) == 0) {
            text_printf(&own, "    %s: %s\n", its, empty_tuple(s));
            continue;
        }
        text_printf(&own, "    class %s(%s):\n        def __new__(cls", its,
                    tuple_annotation(s, parts));
        json_array_foreach(parts, k, part) text_printf(&own, ", _%zu: %s", k, annotation(s, part));
        text_printf(&own, ") -> %s: ...\n", word(s, "Self"));
    }
    text_printf(&s->classes, "%s\n", text_get(&own));
}

// A union of the options of an enum.
static const char *enum_annotation(Stub *s, const json_t *type, const char *name)
{
    Text t = text_new(s->arena);
    bool empty = false;
    size_t i;
    json_t *option;
    json_array_foreach(json_object_get(type, "options"), i, option)
    {
        bool none = !json_array_size(json_object_get(json_object_get(option, "type"), "parts"));
        empty |= none;
        if (none) continue;
        text_printf(&t, "%s%s.%s", t.len ? " | " : "", name,
                    stub_name(s->arena, text_of(option, "name")));
    }
    if (empty) text_printf(&t, "%s%s", t.len ? " | " : "", empty_tuple(s));
    return text_get(&t);
}

/// The annotation of a value. Writes the classes that it needs.
static const char *annotation(Stub *s, const json_t *type)
{
    if (is_kind(type, "scalar") || is_kind(type, "idx")) return scalar_name(s, type, false);
    if (is_kind(type, "tuple")) return tuple_annotation(s, json_object_get(type, "parts"));
    if (is_kind(type, "array") || is_kind(type, "vector") || is_kind(type, "up_to"))
        return array_annotation(s, json_object_get(type, "element"));
    const char *name = stub_name(s->arena, text_of(type, "name"));
    bool is_struct = is_kind(type, "struct");
    if (!json_object_get(s->written, name)) {
        json_object_set_new(s->written, name, json_true());
        (is_struct ? write_struct : write_enum)(s, type, name);
    }
    return is_struct ? name : enum_annotation(s, type, name);
}

/// The annotation of a parameter: what a call takes.
static const char *accepted(Stub *s, const json_t *parameter)
{
    const json_t *type = json_object_get(parameter, "type");
    if (json_is_true(json_object_get(parameter, "size"))) return word(s, "int");
    if (!type) return word(s, "ArrayLike"); // of any rank
    const char *own = annotation(s, type);
    bool array = is_kind(type, "array") || is_kind(type, "vector") || is_kind(type, "up_to");
    if (array) return strcmp(own, word(s, "Any")) == 0 ? own : word(s, "ArrayLike");
    if (is_kind(type, "struct"))
        return arena_printf(s->arena, "%s | %s[%s, ...] | %s[%s, %s]", own, word(s, "tuple"),
                            word(s, "Any"), word(s, "Mapping"), word(s, "str"), word(s, "Any"));
    return own;
}

// --- entries ------------------------------------------------------------------------------------

static bool has_parameter(const json_t *entry, const char *name)
{
    const json_t *parameters = json_object_get(entry, "parameters");
    for (size_t i = 0; i < json_array_size(parameters); i++)
        if (strcmp(text_of(json_array_get(parameters, i), "name"), name) == 0) return true;
    return false;
}

static bool has_size(const json_t *entry, const char *name)
{
    const json_t *sizes = json_object_get(entry, "sizes");
    for (size_t i = 0; i < json_array_size(sizes); i++)
        if (strcmp(json_string_value(json_array_get(sizes, i)), name) == 0) return true;
    return false;
}

/// The name of an option of calls, with underscores if it is that of a parameter.
static const char *option_name(Stub *s, const json_t *entry, const char *name)
{
    while (has_parameter(entry, name) || has_size(entry, name))
        name = arena_printf(s->arena, "%s_", name);
    return name;
}

// The options that follow the parameters: sizes by name, out and convert.
static void write_options(Stub *s, Text *t, const json_t *entry, const char *result)
{
    const json_t *sizes = json_object_get(entry, "sizes");
    text_put(t, json_array_size(json_object_get(entry, "parameters")) ? ", *" : "*");
    for (size_t i = 0; i < json_array_size(sizes); i++) {
        const char *size = json_string_value(json_array_get(sizes, i));
        if (!has_parameter(entry, size))
            text_printf(t, ", %s: %s | None = None", stub_name(s->arena, size), word(s, "int"));
    }
    const char *arrays = word(s, "NDArray");
    bool array = strncmp(result, arrays, strlen(arrays)) == 0;
    text_printf(t, ", %s: %s | None = None", option_name(s, entry, "out"),
                array ? result : word(s, "Any"));
    text_printf(t, ", %s: %s = False", option_name(s, entry, "convert"), word(s, "bool"));
}

// Writes a text as a docstring.
static void write_doc(Text *t, const json_t *entry)
{
    const char *doc = text_of(entry, "doc"), *signature = text_of(entry, "signature");
    text_put(t, "    \"\"\"");
    for (const char *c = doc; *c; c++) {
        if (*c == '"' || *c == '\\') text_char(t, '\\');
        text_char(t, *c);
        if (*c == '\n' && c[1] != '\n') text_put(t, "    ");
    }
    if (*signature) text_printf(t, "%sIn Adze: %s", *doc ? "\n\n    " : "", signature);
    text_put(t, *doc && *signature ? "\n    \"\"\"\n" : "\"\"\"\n");
}

static void write_entry(Stub *s, Text *out, const json_t *entry)
{
    const json_t *any_rank = json_object_get(entry, "any_rank");
    const char *result =
        any_rank ? word(s, "Any")
                 : annotation(s, json_object_get(json_object_get(entry, "result"), "type"));
    Text t = text_new(s->arena);
    size_t i;
    json_t *parameter;
    json_array_foreach(json_object_get(entry, "parameters"), i, parameter)
        text_printf(&t, "%s%s: %s", i ? ", " : "", stub_name(s->arena, text_of(parameter, "name")),
                    accepted(s, parameter));
    if (any_rank)
        text_printf(&t, "%s**options: %s", i ? ", " : "", word(s, "Any"));
    else
        write_options(s, &t, entry, result);
    text_printf(out, "\ndef %s(%s) -> %s:\n", stub_name(s->arena, text_of(entry, "name")),
                text_get(&t), result);
    write_doc(out, entry);
}

// Imports the words from a module; of the built-in ones those that the program's names hide.
static void write_import(const Stub *s, Text *out, const char *module)
{
    const char *before = arena_printf(s->arena, "from %s import ", module);
    bool builtin = strcmp(module, "builtins") == 0, any = false;
    for (int i = 0; i < WORDS; i++) {
        bool hidden = s->hidden & 1u << i;
        if (!words[i].module || strcmp(words[i].module, module) != 0 || (builtin && !hidden))
            continue;
        text_printf(out, "%s%s", any ? ", " : before, words[i].text);
        if (hidden) text_printf(out, " as _%s", words[i].text);
        any = true;
    }
    if (any) text_char(out, '\n');
}

void stub_write(Text *out, const char *name, const json_t *entries)
{
    Arena *arena = arena_new();
    Stub s = {arena, text_new(arena), json_object(), json_object(), 0};
    Text functions = text_new(arena);
    size_t i;
    json_t *entry;
    json_array_foreach(entries, i, entry) collect_names(s.names, entry);
    for (int k = 0; k < WORDS; k++)
        if (json_object_get(s.names, words[k].text)) s.hidden |= 1u << k;
    json_array_foreach(entries, i, entry)
    {
        if (*text_of(entry, "name") != '_') write_entry(&s, &functions, entry);
    }
    text_printf(out, "\"\"\"The entries of %s.adz.\"\"\"\n\n", name);
    write_import(&s, out, "builtins");
    write_import(&s, out, "collections.abc");
    write_import(&s, out, "typing");
    text_printf(out, "\nimport numpy as %s\n", word(&s, "np"));
    write_import(&s, out, "numpy.typing");
    text_printf(out, "\n%s%s", text_get(&s.classes), text_get(&functions));
    json_decref(s.names);
    json_decref(s.written);
    arena_delete(arena);
}
