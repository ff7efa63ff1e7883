// The types Compiler, a module of the compiler, and Code, a compiled entry of it.
#include "native.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    PyObject_HEAD AdzeModule *module;
} CompilerObject;

static PyTypeObject *code_type; // lives as long as the process, as the extension module does

void free_instance(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

// --- Code ---------------------------------------------------------------------------------------

PyObject *code_call(const AdzeCode *code, const int64_t *sizes, void *const *buffers)
{
    int status;
    Py_BEGIN_ALLOW_THREADS status = code->call(sizes, buffers);
    Py_END_ALLOW_THREADS if (status == 0) return NULL;
    char *text = adze_code_message(code, status);
    if (!text) return PyErr_NoMemory();
    PyObject *message = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    free(text);
    return message;
}

// The views and pointers of a call by invoke().
typedef struct {
    Py_ssize_t n;
    Py_buffer *views;
    void **pointers;
    int64_t *sizes;
} Arguments;

static void release_arguments(Arguments *a)
{
    for (Py_ssize_t i = 0; i < a->n; i++) PyBuffer_Release(&a->views[i]);
    PyMem_Free(a->views);
    PyMem_Free(a->pointers);
    PyMem_Free(a->sizes);
}

static int take_sizes(Arguments *a, PyObject *sizes)
{
    Py_ssize_t n = PyTuple_Size(sizes);
    a->sizes = PyMem_Calloc((size_t)n + 1, sizeof *a->sizes);
    if (!a->sizes) return PyErr_NoMemory(), -1;
    for (Py_ssize_t i = 0; i < n; i++) {
        a->sizes[i] = PyLong_AsLongLong(PyTuple_GetItem(sizes, i));
        if (a->sizes[i] == -1 && PyErr_Occurred()) return -1;
    }
    return 0;
}

static int take_buffers(Arguments *a, PyObject *buffers)
{
    Py_ssize_t n = PyTuple_Size(buffers);
    a->views = PyMem_Calloc((size_t)n + 1, sizeof *a->views);
    a->pointers = PyMem_Calloc((size_t)n + 1, sizeof *a->pointers);
    if (!a->views || !a->pointers) return PyErr_NoMemory(), -1;
    for (; a->n < n; a->n++) {
        PyObject *buffer = PyTuple_GetItem(buffers, a->n);
        if (PyObject_GetBuffer(buffer, &a->views[a->n], PyBUF_STRIDED_RO | PyBUF_FORMAT) < 0)
            return -1;
        a->pointers[a->n] = a->views[a->n].buf;
    }
    return 0;
}

PyDoc_STRVAR(invoke_doc, "invoke(sizes, buffers)\n--\n\n"
                         "Calls the entry on buffers that fit it. Returns None or a message.");

static PyObject *code_invoke(PyObject *self, PyObject *args)
{
    PyObject *sizes, *buffers, *message = NULL;
    if (!PyArg_ParseTuple(args, "O!O!", &PyTuple_Type, &sizes, &PyTuple_Type, &buffers))
        return NULL;
    Arguments a = {0};
    if (take_sizes(&a, sizes) == 0 && take_buffers(&a, buffers) == 0)
        message = code_call(&((CodeObject *)self)->code, a.sizes, a.pointers);
    release_arguments(&a);
    if (message || PyErr_Occurred()) return message;
    Py_RETURN_NONE;
}

static PyObject *code_description(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(((CodeObject *)self)->code.description);
}

static PyObject *code_address(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLongLong((uintptr_t)((CodeObject *)self)->code.call);
}

static void code_dealloc(PyObject *self)
{
    Py_XDECREF(((CodeObject *)self)->compiler);
    free_instance(self);
}

static PyMethodDef code_methods[] = {
    {"invoke", code_invoke, METH_VARARGS, invoke_doc},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef code_members[] = {
    {"address", code_address, NULL, "the function, for ctypes: int (sizes, buffers)", NULL},
    {"description", code_description, NULL, "the sizes and buffers of a call, as JSON", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot code_slots[] = {
    {Py_tp_doc, "A compiled entry."},
    {Py_tp_dealloc, code_dealloc},
    {Py_tp_methods, code_methods},
    {Py_tp_getset, code_members},
    {0, NULL},
};

static PyType_Spec code_spec = {
    .name = "adze._native.Code",
    .basicsize = sizeof(CodeObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = code_slots,
};

// --- Compiler -----------------------------------------------------------------------------------

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
    allocfunc allocate = (allocfunc)PyType_GetSlot(code_type, Py_tp_alloc);
    CodeObject *object = (CodeObject *)allocate(code_type, 0);
    if (!object) return NULL;
    object->code = code;
    object->compiler = Py_NewRef(self);
    return (PyObject *)object;
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

int add_compiler_types(PyObject *module)
{
    code_type = (PyTypeObject *)PyType_FromSpec(&code_spec);
    PyObject *compiler = PyType_FromSpec(&compiler_spec);
    if (!code_type || !compiler) return -1;
    int status = PyModule_AddObjectRef(module, "Code", (PyObject *)code_type);
    if (status == 0) status = PyModule_AddObjectRef(module, "Compiler", compiler);
    Py_DECREF(compiler);
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
    if (add_compiler_types(module) == 0 && add_caller_type(module) == 0 &&
        PyModule_AddStringConstant(module, "version", adze_compiler_version()) == 0)
        return module;
    Py_DECREF(module);
    return NULL;
}
