// The extension module of a package that `adze build --python` writes.
#include "built.h"

#include <string.h>

static PyObject *built_code(PyObject *self, PyObject *args)
{
    const char *name;
    (void)self;
    if (!PyArg_ParseTuple(args, "s", &name)) return NULL;
    for (const BuiltEntry *e = built_entries; e->name; e++)
        if (strcmp(e->name, name) == 0) return code_new(&e->code, NULL);
    return PyErr_Format(PyExc_KeyError, "no entry %s", name);
}

static PyMethodDef functions[] = {
    {"code", built_code, METH_VARARGS, "code(name)\n--\n\nA compiled entry."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "_native",    .m_doc = "Compiled entries, and calls of them.",
    .m_size = -1,          .m_methods = functions,
};

PyMODINIT_FUNC PyInit__native(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (!module) return NULL;
    if (add_code_type(module) == 0 && add_caller_type(module) == 0 &&
        PyModule_AddStringConstant(module, "description", built_description) == 0)
        return module_done(module);
    Py_DECREF(module);
    return NULL;
}
