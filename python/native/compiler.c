// The type Compiler, a module of the compiler, and the extension module adze._native.
#include "native.h"

#include <string.h>

#include "adze_compiler.h"

typedef struct {
    PyObject_HEAD AdzeModule *module;
} CompilerObject;

static AdzeModule *module_of(PyObject *self)
{
    return ((CompilerObject *)self)->module;
}

static PyObject *text_or_none(const char *text)
{
    if (!text) Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

// Returns the texts of a tuple, up to a NULL, which the caller frees. They belong to the tuple.
static const char **texts_of(PyObject *tuple)
{
    Py_ssize_t n = PyTuple_Size(tuple);
    const char **texts = PyMem_Calloc((size_t)n + 1, sizeof *texts);
    if (!texts) return (const char **)PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n; i++) {
        texts[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(tuple, i), NULL);
        if (texts[i]) continue;
        PyMem_Free(texts);
        return NULL;
    }
    return texts;
}

static PyObject *compiler_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"library", "options", NULL};
    const char *library;
    PyObject *options;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "sO!", names, &library, &PyTuple_Type, &options))
        return NULL;
    const char **texts = texts_of(options);
    if (!texts) return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    CompilerObject *self = (CompilerObject *)allocate(type, 0);
    if (self) self->module = adze_module_new(library, texts);
    PyMem_Free(texts);
    if (!self || self->module) return (PyObject *)self;
    Py_DECREF(self);
    return PyErr_NoMemory();
}

static void compiler_dealloc(PyObject *self)
{
    adze_module_free(module_of(self));
    free_instance(self);
}

static PyObject *compiler_open(PyObject *self, PyObject *args)
{
    const char *path, *text;
    bool good;
    if (!PyArg_ParseTuple(args, "sz", &path, &text)) return NULL;
    Py_BEGIN_ALLOW_THREADS good = adze_module_open(module_of(self), path, text);
    Py_END_ALLOW_THREADS return PyBool_FromLong(good);
}

static PyObject *compiler_report(PyObject *self, PyObject *unused)
{
    (void)unused;
    return text_or_none(adze_module_report(module_of(self)));
}

static PyObject *compiler_stub(PyObject *self, PyObject *unused)
{
    (void)unused;
    return text_or_none(adze_module_python_stub(module_of(self)));
}

static PyObject *compiler_describe(PyObject *self, PyObject *unused)
{
    (void)unused;
    return text_or_none(adze_module_describe(module_of(self)));
}

static PyObject *compiler_instance(PyObject *self, PyObject *args)
{
    const char *entry, *ranks, *text;
    if (!PyArg_ParseTuple(args, "ss", &entry, &ranks)) return NULL;
    Py_BEGIN_ALLOW_THREADS text = adze_module_instance(module_of(self), entry, ranks);
    Py_END_ALLOW_THREADS return text_or_none(text);
}

static PyObject *compiler_compile(PyObject *self, PyObject *args)
{
    const char *entry, *fixed;
    AdzeCode code;
    bool good;
    if (!PyArg_ParseTuple(args, "sz", &entry, &fixed)) return NULL;
    Py_BEGIN_ALLOW_THREADS good = adze_module_compile(module_of(self), entry, fixed, &code);
    Py_END_ALLOW_THREADS if (!good) Py_RETURN_NONE;
    return code_new(&(EntryCode){code.call, code.message, code.kept, code.description}, self);
}

static PyObject *compiler_explain(PyObject *self, PyObject *args)
{
    const char *entry, *fixed, *stage, *text;
    if (!PyArg_ParseTuple(args, "szs", &entry, &fixed, &stage)) return NULL;
    Py_BEGIN_ALLOW_THREADS text = adze_module_explain(module_of(self), entry, fixed, stage);
    Py_END_ALLOW_THREADS return text_or_none(text);
}

static PyObject *compiler_failure(PyObject *self, PyObject *args)
{
    const char *message, *note;
    if (!PyArg_ParseTuple(args, "sz", &message, &note)) return NULL;
    adze_module_failure(module_of(self), message, note);
    Py_RETURN_NONE;
}

static PyMethodDef compiler_methods[] = {
    {"open", compiler_open, METH_VARARGS, "open(path, text)\n--\n\nReads and checks a program."},
    {"report", compiler_report, METH_NOARGS, "report()\n--\n\nThe last diagnostics, as JSON."},
    {"describe", compiler_describe, METH_NOARGS, "describe()\n--\n\nThe entries, as JSON."},
    {"stub", compiler_stub, METH_NOARGS, "stub()\n--\n\nThe types of the entries, as a .pyi file."},
    {"instance", compiler_instance, METH_VARARGS,
     "instance(entry, ranks)\n--\n\nDescribes an entry for certain ranks, or None."},
    {"compile", compiler_compile, METH_VARARGS,
     "compile(entry, fixed)\n--\n\nCompiles an entry. Returns None after errors."},
    {"explain", compiler_explain, METH_VARARGS,
     "explain(entry, fixed, stage)\n--\n\nAn entry as text, or None after errors."},
    {"failure", compiler_failure, METH_VARARGS,
     "failure(message, note)\n--\n\nMakes the message of a call the report."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot compiler_slots[] = {
    {Py_tp_doc, "A program in the compiler, for one thread at a time."},
    {Py_tp_new, compiler_new},
    {Py_tp_dealloc, compiler_dealloc},
    {Py_tp_methods, compiler_methods},
    {0, NULL},
};

static PyType_Spec compiler_spec = {
    .name = "adze._native.Compiler",
    .basicsize = sizeof(CompilerObject),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = compiler_slots,
};

// --- the module ---------------------------------------------------------------------------------

int add_compiler_type(PyObject *module)
{
    PyObject *type = PyType_FromSpec(&compiler_spec);
    if (!type) return -1;
    int status = PyModule_AddObjectRef(module, "Compiler", type);
    Py_DECREF(type);
    return status;
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "adze._native",
    .m_doc = "The compiler of Adze, and calls of compiled entries.",
    .m_size = -1,
};

PyMODINIT_FUNC PyInit__native(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (!module) return NULL;
    if (add_code_type(module) == 0 && add_caller_type(module) == 0 &&
        add_compiler_type(module) == 0 &&
        PyModule_AddStringConstant(module, "version", adze_compiler_version()) == 0)
        return module_done(module);
    Py_DECREF(module);
    return NULL;
}
