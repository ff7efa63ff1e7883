// The type Code, a compiled entry.
#include "native.h"

#include <stdlib.h>
#include <string.h>

#include "adze_message.h"

static PyTypeObject *code_type; // lives as long as the process, as the extension module does

PyObject *module_done(PyObject *module)
{
#ifdef Py_GIL_DISABLED
    PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED);
#endif
    return module;
}

void free_instance(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

PyObject *code_call(const EntryCode *code, const int64_t *sizes, void *const *buffers)
{
    int status;
    Py_BEGIN_ALLOW_THREADS status = code->call(sizes, buffers);
    Py_END_ALLOW_THREADS if (status == 0) return NULL;
    char *text = adze_message_text(code->message(status), code->kept);
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
    Py_XDECREF(((CodeObject *)self)->owner);
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

PyObject *code_new(const EntryCode *code, PyObject *owner)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(code_type, Py_tp_alloc);
    CodeObject *object = (CodeObject *)allocate(code_type, 0);
    if (!object) return NULL;
    object->code = *code;
    object->owner = Py_XNewRef(owner);
    return (PyObject *)object;
}

int add_code_type(PyObject *module)
{
    code_type = (PyTypeObject *)PyType_FromSpec(&code_spec);
    if (!code_type) return -1;
    return PyModule_AddObjectRef(module, "Code", (PyObject *)code_type);
}
