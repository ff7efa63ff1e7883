// The extension module adze._native: the compiler (compiler.c), and fast calls of compiled entries
// (caller.c). All else is Python.
#ifndef ADZE_PYTHON_NATIVE_H
#define ADZE_PYTHON_NATIVE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000 // one build for Python 3.11 and later
#include <Python.h>

#include "adze_compiler.h"

/// A compiled entry. It keeps the module alive that its functions belong to.
typedef struct {
    PyObject_HEAD AdzeCode code;
    PyObject *compiler;
} CodeObject;

/// Adds the types of a file to the module. Returns -1 with an exception set on failure.
int add_compiler_types(PyObject *module);
int add_caller_type(PyObject *module);

/// Calls an entry without holding the lock of the interpreter. Returns NULL with no exception set
/// if the call succeeded, and otherwise its message, or NULL with an exception.
PyObject *code_call(const AdzeCode *code, const int64_t *sizes, void *const *buffers);

/// Frees an instance of a type made by PyType_FromSpec.
void free_instance(PyObject *self);

#endif
