// The compiler as a library: programs from files or texts, descriptions of their entries, and
// compiled entries in this process.
//
// A module is a program with all that its compilation needs. Different modules can be used from
// different threads at the same time, and one module from one thread at a time. Compiled entries
// can be called from any thread at any time until the module is freed.
//
// Functions never end the process because of a program, print nothing, and handle no signals. They
// compile in a thread with a deep stack, which ends before they return. The C compiler is a child
// process. Results are JSON texts in UTF-8, which belong to the module.
//
// A type is an object with a `kind` and the members that this kind needs:
//   scalar {scalar}   idx {size}   array {size, element}   vector {size, element}
//   tuple {parts}     struct {name, fields, c_layout}      enum {name, options}
//   up_to {size, element}: an array whose length, at most `size`, is part of the value
// A field or an option is {name, type}. All have `text`, as programs write the type. A size is
// {text, code}. The code is in postfix form, a list of numbers, names and operators. An operator is
// a list of one text: ["+"], ["*"], ["/"], ["%"], ["min"], ["max"], ["pow"].
#ifndef ADZE_COMPILER_H
#define ADZE_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ADZE_PUBLIC __attribute__((visibility("default")))
#else
#define ADZE_PUBLIC
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AdzeModule AdzeModule;

/// A compiled entry. `call` takes the sizes, then pointers to the buffers that `description` lists,
/// and returns 0, or a status that adze_code_message explains. `message` and `kept` are for that
/// function. The description is an object with
///   sizes    names, in the order of the argument `sizes`
///   buffers  {name, type, shape, output, strides, record}: the scalar type of the elements and
///            their sizes. A buffer with `strides` is followed by that many buffers of one i64,
///            the strides in elements. Buffers with the same `record`, a number, are the members of
///            one C struct or array of structs; only the first of their pointers is used.
typedef struct AdzeCode {
    int (*call)(const int64_t *sizes, void *const *buffers);
    const char *(*message)(int status);
    char **(*kept)(void);
    const char *description;
} AdzeCode;

/// The version of the compiler, such as "0.1.0".
ADZE_PUBLIC const char *adze_compiler_version(void);

/// Makes an empty module. `library` is the folder of the library's modules (the folder that
/// contains std), or NULL to look for it around the program. `options` are options of `adze run`
/// and `adze build`, "--NAME" or "--NAME=VALUE", up to a NULL: target, plain, in-order, lower,
/// cpu, vector-bytes, vector-math, cc, cflags, cache, no-cache, no-asserts, stage-budget,
/// memory-limit. Returns NULL if memory runs out.
ADZE_PUBLIC AdzeModule *adze_module_new(const char *library, const char *const *options);

/// Reads, parses and checks a program: the file at `path` or, if it is not NULL, `text`, for which
/// `path` is the name in messages. Call it once for each module. Returns false after errors.
ADZE_PUBLIC bool adze_module_open(AdzeModule *m, const char *path, const char *text);

/// The errors and warnings of the last call for this module, an object with
///   diagnostics  {code, severity, file, line, column, end_line, end_column, message, notes}, where
///                a note is {kind, message}, and `kind` is "note" or "help"
///   text         all of them as text, with the lines of the program
ADZE_PUBLIC const char *adze_module_report(AdzeModule *m);

/// Describes the entries of the program: a list of {name, doc, file, line, signature, sizes,
/// parameters, result}. A parameter is {name, type, strided}, or {name, size} if it is a size, in
/// the order of the program; the result is {type, strided}, where `strided` is a list if it is a
/// tuple. Entries for arrays of any rank have the member `any_rank`, parameters {name, text}, no
/// sizes and no result. Returns NULL after an error.
ADZE_PUBLIC const char *adze_module_describe(AdzeModule *m);

/// The types of the entries for type checkers and editors of Python, the text of a .pyi file.
/// Returns NULL after an error.
ADZE_PUBLIC const char *adze_module_python_stub(AdzeModule *m);

/// Makes an entry for arrays of certain ranks of one for arrays of any rank. `ranks` has a number
/// for each parameter, such as "2 2 0". Returns the description of the entry with a further member,
/// `key`, which takes the place of its name in the functions below, or NULL after errors.
ADZE_PUBLIC const char *adze_module_instance(AdzeModule *m, const char *entry, const char *ranks);

/// Compiles an entry, or takes it from the cache, and loads it. `fixed` has values for some of its
/// sizes, such as "n=64,m=32", or is NULL; `sizes` are then the others. Returns false after errors.
ADZE_PUBLIC bool adze_module_compile(AdzeModule *m, const char *entry, const char *fixed,
                                     AdzeCode *out);

/// An entry at a stage of the compiler: "core", "flat", "low", "dpia", "loop" or "c"; or "kernels"
/// for a target with a device. Returns NULL after errors.
ADZE_PUBLIC const char *adze_module_explain(AdzeModule *m, const char *entry, const char *fixed,
                                            const char *stage);

/// Makes the message of a failed call the report of the module, with the lines of the program.
/// `note` is added to it, unless it is NULL.
ADZE_PUBLIC void adze_module_failure(AdzeModule *m, const char *message, const char *note);

/// The message of a failed call, which the caller frees with free(), or NULL if memory runs out.
/// Call it in the thread of the call.
ADZE_PUBLIC char *adze_code_message(const AdzeCode *code, int status);

/// Unloads the compiled entries and frees everything else. NULL is allowed.
ADZE_PUBLIC void adze_module_free(AdzeModule *m);

#ifdef __cplusplus
}
#endif

#endif
