// Extension modules that call compiled entries. That of the package adze, adze._native, has the
// compiler (compiler.c), compiled entries (code.c) and fast calls of them (caller.c). Those that
// `adze build --python` writes have built.c in place of the compiler. All else is Python.
#ifndef ADZE_PYTHON_NATIVE_H
#define ADZE_PYTHON_NATIVE_H

// Builds for Pythons with a global lock define Py_LIMITED_API: one is for all versions from 3.11.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>

/// A compiled entry: the same as AdzeCode of adze_compiler.h.
typedef struct {
    int (*call)(const int64_t *sizes, void *const *buffers);
    const char *(*message)(int status);
    char **(*kept)(void);
    const char *description;
} EntryCode;

/// The object of a compiled entry. It keeps alive what its functions belong to.
typedef struct {
    PyObject_HEAD EntryCode code;
    PyObject *owner; // NULL if they are part of the extension module
} CodeObject;

/// Which versions an entry may have for small sizes: its loops over the inner axes of arrays are
/// unrolled when these have at most SMALL_SIZE elements; for MOST_SPECIAL different sizes.
enum { SMALL_SIZE = 4, MOST_SPECIAL = 2 };

/// Adds the types and constants of a file to the module. Returns -1 with an exception set on
/// failure.
int add_code_type(PyObject *module);
int add_caller_type(PyObject *module);
int add_compiler_type(PyObject *module);

/// Returns a new object, or NULL with an exception.
PyObject *code_new(const EntryCode *code, PyObject *owner);

/// Calls an entry without holding the lock of the interpreter. Returns NULL with no exception set
/// if the call succeeded, and otherwise its message, or NULL with an exception.
PyObject *code_call(const EntryCode *code, const int64_t *sizes, void *const *buffers);

/// Ends the initialisation of an extension module: notes that it needs no global lock.
PyObject *module_done(PyObject *module);

/// Frees an instance of a type made by PyType_FromSpec.
void free_instance(PyObject *self);

#endif
