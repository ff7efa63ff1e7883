// The type Caller: calls of a compiled entry on arrays that fit it as they are. Every other call,
// also one with a mistake, goes to the method _general of the subclass, which is written in Python:
// it converts and copies arguments, and reports mistakes.
#include "native.h"

#include <math.h>
#include <string.h>

enum {
    MOST_BUFFERS = 32,
    MOST_SIZES = 16,
    MOST_STEPS = 16, // of the stack of a size
    MOST_RANK = 32
};

/// Whether C can make the call: DONE so far, GENERAL if _general has to, FAILED with an exception.
typedef enum { DONE, GENERAL, FAILED } Progress;

/// A step of the postfix form of a size.
typedef struct {
    enum { STEP_NUMBER, STEP_SIZE, STEP_ADD, STEP_MULTIPLY } kind;
    int64_t value; // a number, or the index of a size
} Step;

typedef struct {
    int nsteps;
    Step *steps;
} Size;

/// A parameter of the compiled function.
typedef struct {
    char class; // 'b' for bool, 'i' and 'u' for integers, 'f' for floats
    int size;   // of an element, in bytes
    int rank;
    Size *shape;
    bool output, strided; // the strides of a strided array are the next parameters
    PyObject *dtype;      // of NumPy, for results
} Buffer;

/// How to call a compiled entry. One that is special is for small values of some sizes, which are
/// numbers in the shapes of its buffers. The general one leaves arrays with such values alone while
/// a version for them may still be made: `inner` are the sizes whose values these are.
typedef struct Plan {
    struct Plan *next; // another special one
    PyObject *code;
    int nsizes, narguments, nbuffers, noutputs;
    PyObject *size_names, *argument_names;  // tuples
    int targets[MOST_BUFFERS + MOST_SIZES]; // the buffer of an argument; for a size, ~ its index
    Buffer buffers[MOST_BUFFERS];
    int ninner, inner[MOST_SIZES];
    PyObject *empty, *array_type; // numpy.empty, numpy.ndarray
    PyObject *dtype_name;         // "dtype"
} Plan;

// Plans are added, also while others call, and never changed.
typedef struct {
    PyObject_HEAD Plan *general, *special;
    const Plan *recent; // of the last call that one of them made
    int nspecial;
} CallerObject;

/// A scalar argument or result, or a stride.
typedef union {
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint64_t u64;
    float f32;
    double f64;
} Cell;

typedef struct {
    const Plan *plan;
    int64_t sizes[MOST_SIZES];
    bool known[MOST_SIZES];
    void *pointers[MOST_BUFFERS];
    Cell cells[MOST_BUFFERS];
    int nviews;
    Py_buffer views[MOST_BUFFERS];
    int of_view[MOST_BUFFERS]; // the buffer of each view
    PyObject *results[MOST_BUFFERS];
} Frame;

// --- sizes --------------------------------------------------------------------------------------

// Computes a size. Returns false if one of its names is not known or the number is too large.
static bool evaluate(const Frame *f, const Size *size, int64_t *value)
{
    int64_t stack[MOST_STEPS];
    int n = 0;
    for (int i = 0; i < size->nsteps; i++) {
        const Step *s = &size->steps[i];
        if (s->kind == STEP_NUMBER) {
            stack[n++] = s->value;
        } else if (s->kind == STEP_SIZE) {
            if (!f->known[s->value]) return false;
            stack[n++] = f->sizes[s->value];
        } else {
            n--;
            if (s->kind == STEP_ADD ? __builtin_add_overflow(stack[n - 1], stack[n], &stack[n - 1])
                                    : __builtin_mul_overflow(stack[n - 1], stack[n], &stack[n - 1]))
                return false;
        }
    }
    *value = stack[0];
    return true;
}

// Finds the only unknown name of a size from its value, assuming that the size is linear in it.
static bool solve(Frame *f, const Size *size, int64_t value)
{
    int64_t name = -1, base, next;
    for (int i = 0; i < size->nsteps; i++) {
        const Step *s = &size->steps[i];
        if (s->kind != STEP_SIZE || f->known[s->value]) continue;
        if (name >= 0 && name != s->value) return false;
        name = s->value;
    }
    if (name < 0) return false;
    f->known[name] = true;
    f->sizes[name] = 0;
    bool good = evaluate(f, size, &base);
    f->sizes[name] = 1;
    good = good && evaluate(f, size, &next) && next > base && value >= base &&
           (value - base) % (next - base) == 0;
    if (good) f->sizes[name] = (value - base) / (next - base);
    f->known[name] = good;
    return good;
}

// Compares the shape of an array with what is known. A size that is a name becomes known.
static bool match_shape(Frame *f, const Buffer *b, const Py_buffer *view)
{
    if (view->ndim != b->rank) return false;
    for (int i = 0; i < b->rank; i++) {
        const Size *size = &b->shape[i];
        const Step *s = size->steps;
        if (size->nsteps != 1) continue; // later: finish_sizes
        if (s->kind == STEP_SIZE && !f->known[s->value]) {
            f->known[s->value] = true;
            f->sizes[s->value] = view->shape[i];
        } else if ((s->kind == STEP_SIZE ? f->sizes[s->value] : s->value) != view->shape[i]) {
            return false;
        }
    }
    return true;
}

// Solves and compares the other sizes of the arrays.
static bool finish_sizes(Frame *f)
{
    for (int k = 0; k < f->nviews; k++) {
        const Buffer *b = &f->plan->buffers[f->of_view[k]];
        for (int i = 0; i < b->rank; i++) {
            int64_t value = f->views[k].shape[i], found;
            if (b->shape[i].nsteps == 1) continue;
            if (evaluate(f, &b->shape[i], &found) ? found != value : !solve(f, &b->shape[i], value))
                return false;
            if (!evaluate(f, &b->shape[i], &found) || found != value) return false;
        }
    }
    for (int i = 0; i < f->plan->nsizes; i++)
        if (!f->known[i]) return false;
    return true;
}

// --- arrays -------------------------------------------------------------------------------------

static bool has_format(const Py_buffer *view, const Buffer *b)
{
    const char *format = view->format ? view->format : "B", *codes = "?";
    if (*format == '@' || *format == '=') format++;
    if (b->class == 'i') codes = "bhilq";
    if (b->class == 'u') codes = "BHILQ";
    if (b->class == 'f') codes = "efd";
    return *format && !format[1] && strchr(codes, *format) && view->itemsize == b->size;
}

// Whether the elements are side by side, row by row.
static bool is_dense(const Py_buffer *view)
{
    Py_ssize_t next = view->itemsize;
    if (view->len == 0) return true;
    for (int i = view->ndim - 1; i >= 0; i--) {
        if (view->shape[i] != 1 && view->strides[i] != next) return false;
        next *= view->shape[i];
    }
    return true;
}

// Passes the strides, in elements. Those of arrays without elements do not matter.
static bool put_strides(Frame *f, int buffer, const Py_buffer *view)
{
    for (int i = 0; i < view->ndim; i++) {
        if (view->strides[i] % view->itemsize != 0) return false;
        f->cells[buffer + 1 + i].i64 = view->strides[i] / view->itemsize;
        f->pointers[buffer + 1 + i] = &f->cells[buffer + 1 + i];
    }
    return true;
}

// Gets the memory of an array. It is released with the frame.
static bool get_view(Frame *f, int buffer, PyObject *array, int flags)
{
    Py_buffer *view = &f->views[f->nviews];
    if (PyObject_GetBuffer(array, view, flags) < 0) return false;
    f->of_view[f->nviews++] = buffer;
    f->pointers[buffer] = view->buf;
    return true;
}

// Gets the memory of an array of the caller, and checks its elements and their places. NumPy takes
// long to make a format, which is not needed if the array has the very dtype of the buffer.
static bool get_array(Frame *f, int buffer, PyObject *array, int flags)
{
    const Buffer *b = &f->plan->buffers[buffer];
    if ((PyObject *)Py_TYPE(array) != f->plan->array_type) return false;
    PyObject *dtype = PyObject_GetAttr(array, f->plan->dtype_name);
    if (!dtype) return false;
    bool same = dtype == b->dtype;
    Py_DECREF(dtype);
    if (!get_view(f, buffer, array, same ? flags : flags | PyBUF_FORMAT)) return false;
    const Py_buffer *view = &f->views[f->nviews - 1];
    if ((!same && !has_format(view, b)) || (uintptr_t)view->buf % (size_t)b->size != 0)
        return false;
    return b->strided && !b->output ? put_strides(f, buffer, view) : is_dense(view);
}

static bool take_array(Frame *f, int buffer, PyObject *array)
{
    return get_array(f, buffer, array, PyBUF_STRIDED_RO) &&
           match_shape(f, &f->plan->buffers[buffer], &f->views[f->nviews - 1]);
}

// --- scalars ------------------------------------------------------------------------------------

static bool put_integer(Cell *cell, const Buffer *b, PyObject *value)
{
    if (!PyLong_CheckExact(value)) return false;
    if (b->class == 'u' && b->size == 8) {
        cell->u64 = PyLong_AsUnsignedLongLong(value);
        return !PyErr_Occurred();
    }
    int64_t x = PyLong_AsLongLong(value);
    if (x == -1 && PyErr_Occurred()) return false;
    int bits = 8 * b->size;
    int64_t least = b->class == 'u' ? 0 : INT64_MIN >> (64 - bits);
    int64_t most = b->class == 'u' ? ((int64_t)1 << bits) - 1 : ~least;
    if (x < least || x > most) return false;
    cell->i64 = x; // little-endian: also the first bytes of a narrower integer
    return true;
}

static bool put_float(Cell *cell, const Buffer *b, PyObject *value)
{
    if (!PyFloat_Check(value) && !PyLong_CheckExact(value)) return false;
    double x = PyFloat_AsDouble(value);
    if (x == -1.0 && PyErr_Occurred()) return false;
    if (b->size == 8)
        cell->f64 = x;
    else
        cell->f32 = (float)x;
    return b->size == 8 || !isinf(cell->f32) || isinf(x);
}

static bool take_scalar(Frame *f, int buffer, PyObject *value)
{
    const Buffer *b = &f->plan->buffers[buffer];
    Cell *cell = &f->cells[buffer];
    f->pointers[buffer] = cell;
    if (b->class == 'f') return put_float(cell, b, value);
    if (b->class != 'b') return put_integer(cell, b, value);
    cell->i8 = value == Py_True;
    return value == Py_True || value == Py_False;
}

static PyObject *get_scalar(const Cell *cell, const Buffer *b)
{
    if (b->class == 'f') return PyFloat_FromDouble(b->size == 4 ? (double)cell->f32 : cell->f64);
    if (b->class == 'b') return PyBool_FromLong(cell->i8);
    int unused = 64 - 8 * b->size;
    if (b->class == 'u') return PyLong_FromUnsignedLongLong(cell->u64 << unused >> unused);
    return PyLong_FromLongLong((int64_t)(cell->u64 << unused) >> unused);
}

static bool take_size(Frame *f, int size, PyObject *value)
{
    if (!PyLong_CheckExact(value)) return false;
    int64_t x = PyLong_AsLongLong(value);
    if (x < 0 || (f->known[size] && f->sizes[size] != x)) return false;
    f->sizes[size] = x;
    f->known[size] = true;
    return true;
}

// --- arguments ----------------------------------------------------------------------------------

static bool take_argument(Frame *f, int i, PyObject *value)
{
    int target = f->plan->targets[i];
    if (target < 0) return take_size(f, ~target, value);
    return (f->plan->buffers[target].rank ? take_array : take_scalar)(f, target, value);
}

static int index_of(PyObject *names, PyObject *name)
{
    Py_ssize_t n = PyTuple_Size(names);
    for (Py_ssize_t i = 0; i < n; i++)
        if (PyTuple_GetItem(names, i) == name) return (int)i;
    for (Py_ssize_t i = 0; i < n; i++)
        if (PyUnicode_Compare(PyTuple_GetItem(names, i), name) == 0) return (int)i;
    return -1;
}

// Takes the arguments with names: those after the first `given`, sizes, and `out`.
static bool take_keywords(Frame *f, PyObject *keywords, Py_ssize_t given, PyObject **out)
{
    PyObject *name, *value;
    Py_ssize_t at = 0, left = f->plan->narguments - given;
    while (PyDict_Next(keywords, &at, &name, &value)) {
        int i = index_of(f->plan->argument_names, name), size = -1;
        if (i < 0) size = index_of(f->plan->size_names, name);
        if (i >= 0) {
            if (i < given || !take_argument(f, i, value)) return false;
            left--;
        } else if (size >= 0) {
            if (!take_size(f, size, value)) return false;
        } else if (PyUnicode_CompareWithASCIIString(name, "out") == 0) {
            *out = value == Py_None ? NULL : value;
        } else {
            return false;
        }
    }
    return left == 0;
}

static bool take_arguments(Frame *f, PyObject *args, PyObject *keywords, PyObject **out)
{
    Py_ssize_t given = PyTuple_Size(args);
    if (given > f->plan->narguments || (given < f->plan->narguments && !keywords)) return false;
    for (Py_ssize_t i = 0; i < given; i++)
        if (!take_argument(f, (int)i, PyTuple_GetItem(args, i))) return false;
    if (keywords && !take_keywords(f, keywords, given, out)) return false;
    return finish_sizes(f);
}

// --- results ------------------------------------------------------------------------------------

// The array of the caller for a result must not share memory with another array of the call.
static bool is_separate(const Frame *f, const Py_buffer *out)
{
    const char *low = out->buf, *high = low + out->len;
    for (int i = 0; i < f->nviews; i++) {
        const Py_buffer *v = &f->views[i];
        const char *from = v->buf, *to = (const char *)v->buf + v->itemsize;
        if (v == out || v->len == 0) continue;
        for (int k = 0; k < v->ndim; k++)
            *(v->strides[k] < 0 ? &from : &to) += v->strides[k] * (v->shape[k] - 1);
        if (from < high && low < to) return false;
    }
    return true;
}

static Progress use_array(Frame *f, int buffer, PyObject *array)
{
    const Buffer *b = &f->plan->buffers[buffer];
    if (!get_array(f, buffer, array, PyBUF_STRIDED)) return GENERAL;
    const Py_buffer *view = &f->views[f->nviews - 1];
    if (view->ndim != b->rank || !is_separate(f, view)) return GENERAL;
    for (int i = 0; i < b->rank; i++) {
        int64_t size;
        if (!evaluate(f, &b->shape[i], &size) || size != view->shape[i]) return GENERAL;
    }
    return b->strided && !put_strides(f, buffer, view) ? GENERAL : DONE;
}

static PyObject *new_array(Frame *f, const Buffer *b)
{
    PyObject *shape = PyTuple_New(b->rank);
    for (int i = 0; shape && i < b->rank; i++) {
        int64_t size;
        if (!evaluate(f, &b->shape[i], &size) || size < 0) {
            Py_DECREF(shape);
            return NULL;
        }
        PyTuple_SetItem(shape, i, PyLong_FromLongLong(size));
    }
    if (!shape) return NULL;
    PyObject *array = PyObject_CallFunctionObjArgs(f->plan->empty, shape, b->dtype, NULL);
    Py_DECREF(shape);
    return array;
}

static Progress add_array(Frame *f, int buffer, int result)
{
    const Buffer *b = &f->plan->buffers[buffer];
    PyObject *array = f->results[result] = new_array(f, b);
    if (!array) return PyErr_Occurred() ? FAILED : GENERAL;
    if (!get_view(f, buffer, array, PyBUF_STRIDED)) return GENERAL;
    return b->strided && !put_strides(f, buffer, &f->views[f->nviews - 1]) ? GENERAL : DONE;
}

// Prepares the memory of the results: arrays of the caller, new arrays, and scalars.
static Progress prepare_results(Frame *f, PyObject *out)
{
    const Plan *p = f->plan;
    bool parts = p->noutputs > 1;
    if (out && parts && (!PyTuple_CheckExact(out) || PyTuple_Size(out) != p->noutputs))
        return GENERAL;
    Progress progress = DONE;
    for (int i = 0, k = 0; i < p->nbuffers && progress == DONE; i++) {
        if (!p->buffers[i].output) continue;
        PyObject *given = out && parts ? PyTuple_GetItem(out, k) : out;
        if (given == Py_None) given = NULL;
        if (p->buffers[i].rank == 0) {
            if (given) return GENERAL;
            f->pointers[i] = &f->cells[i];
        } else if (given) {
            progress = use_array(f, i, given);
            f->results[k] = Py_NewRef(given);
        } else {
            progress = add_array(f, i, k);
        }
        k++;
    }
    return progress;
}

// Returns the value of the call: a result, or a tuple of several.
static PyObject *take_results(Frame *f)
{
    const Plan *p = f->plan;
    PyObject *tuple = p->noutputs == 1 ? NULL : PyTuple_New(p->noutputs);
    if (p->noutputs != 1 && !tuple) return NULL;
    for (int i = 0, k = 0; i < p->nbuffers; i++) {
        if (!p->buffers[i].output) continue;
        PyObject *one = f->results[k];
        f->results[k] = NULL;
        if (p->buffers[i].rank == 0) one = get_scalar(&f->cells[i], &p->buffers[i]);
        if (p->noutputs == 1) return one;
        if (!one) {
            Py_DECREF(tuple);
            return NULL;
        }
        PyTuple_SetItem(tuple, k++, one);
    }
    return tuple;
}

// --- calls --------------------------------------------------------------------------------------

static PyObject *fail(PyObject *self, const Frame *f, PyObject *message)
{
    PyObject *sizes = PyTuple_New(f->plan->nsizes);
    for (int i = 0; sizes && i < f->plan->nsizes; i++)
        PyTuple_SetItem(sizes, i, PyLong_FromLongLong(f->sizes[i]));
    PyObject *result =
        sizes ? PyObject_CallMethod(self, "_fail", "OOO", message, f->plan->code, sizes) : NULL;
    Py_XDECREF(sizes);
    Py_DECREF(message);
    return result;
}

static PyObject *run(PyObject *self, Frame *f)
{
    const CodeObject *code = (const CodeObject *)f->plan->code;
    PyObject *message = code_call(&code->code, f->sizes, f->pointers);
    if (message) return fail(self, f, message);
    return PyErr_Occurred() ? NULL : take_results(f);
}

static void release(Frame *f)
{
    for (int i = 0; i < f->nviews; i++) PyBuffer_Release(&f->views[i]);
    for (int i = 0; i < f->plan->noutputs; i++) Py_XDECREF(f->results[i]);
}

static PyObject *call_general(PyObject *self, PyObject *args, PyObject *keywords)
{
    PyObject *none = keywords ? NULL : PyDict_New();
    if (!keywords && !none) return NULL;
    PyObject *result =
        PyObject_CallMethod(self, "_general", "OO", args, keywords ? keywords : none);
    Py_XDECREF(none);
    return result;
}

// Whether the general version leaves the call to others: to a special one, if not all of them were
// tried before, or to _general, if another one may still be made.
static bool is_for_others(const CallerObject *caller, const Frame *f, bool first)
{
    const Plan *p = f->plan;
    if (p->ninner == 0) return false;
    if (!first && __atomic_load_n(&caller->nspecial, __ATOMIC_RELAXED) >= MOST_SPECIAL)
        return false;
    for (int i = 0; i < p->ninner; i++)
        if (f->sizes[p->inner[i]] >= 1 && f->sizes[p->inner[i]] <= SMALL_SIZE) return true;
    return false;
}

static Progress call_plan(CallerObject *caller, const Plan *plan, bool first, PyObject *args,
                          PyObject *keywords, PyObject **result)
{
    PyObject *out = NULL;
    Frame f;
    f.plan = plan;
    f.nviews = 0;
    memset(f.known, 0, sizeof f.known);
    memset(f.results, 0, sizeof *f.results * (size_t)plan->noutputs);
    Progress progress = GENERAL;
    if (take_arguments(&f, args, keywords, &out) && !is_for_others(caller, &f, first))
        progress = prepare_results(&f, out);
    if (progress == DONE) *result = run((PyObject *)caller, &f);
    release(&f);
    if (progress == GENERAL)
        PyErr_Clear();
    else if (!first)
        __atomic_store_n(&caller->recent, plan, __ATOMIC_RELEASE);
    return progress;
}

static PyObject *caller_call(PyObject *self, PyObject *args, PyObject *keywords)
{
    CallerObject *caller = (CallerObject *)self;
    PyObject *result = NULL;
    const Plan *recent = __atomic_load_n(&caller->recent, __ATOMIC_ACQUIRE), *plan;
    if (recent && call_plan(caller, recent, true, args, keywords, &result) != GENERAL)
        return result;
    for (plan = __atomic_load_n(&caller->special, __ATOMIC_ACQUIRE); plan; plan = plan->next)
        if (plan != recent && call_plan(caller, plan, false, args, keywords, &result) != GENERAL)
            return result;
    plan = __atomic_load_n(&caller->general, __ATOMIC_ACQUIRE);
    if (plan && call_plan(caller, plan, false, args, keywords, &result) != GENERAL) return result;
    return call_general(self, args, keywords);
}

// --- binding ------------------------------------------------------------------------------------

static void free_plan(Plan *p)
{
    if (!p) return;
    for (int i = 0; i < p->nbuffers; i++) {
        for (int k = 0; p->buffers[i].shape && k < p->buffers[i].rank; k++)
            PyMem_Free(p->buffers[i].shape[k].steps);
        PyMem_Free(p->buffers[i].shape);
        Py_XDECREF(p->buffers[i].dtype);
    }
    Py_XDECREF(p->code);
    Py_XDECREF(p->size_names);
    Py_XDECREF(p->argument_names);
    Py_XDECREF(p->empty);
    Py_XDECREF(p->array_type);
    Py_XDECREF(p->dtype_name);
    PyMem_Free(p);
}

// Reads a size from a tuple of pairs (kind, value). Returns 1, 0 if it is too long, or -1 with an
// exception.
static int read_size(Size *size, PyObject *pairs)
{
    Py_ssize_t n = PyTuple_Size(pairs);
    if (n < 1 || n > MOST_STEPS) return n < 0 ? -1 : 0;
    size->steps = PyMem_Calloc((size_t)n, sizeof *size->steps);
    if (!size->steps) return PyErr_NoMemory(), -1;
    for (; size->nsteps < n; size->nsteps++) {
        long long value;
        int kind;
        if (!PyArg_ParseTuple(PyTuple_GetItem(pairs, size->nsteps), "iL", &kind, &value)) return -1;
        size->steps[size->nsteps].kind = (unsigned)kind;
        size->steps[size->nsteps].value = value;
    }
    return 1;
}

// Reads (class, size, shape, output, strided, dtype).
static int read_buffer(Buffer *b, PyObject *from)
{
    PyObject *shape, *dtype;
    int class, output, strided;
    if (!PyArg_ParseTuple(from, "CiO!ppO", &class, &b->size, &PyTuple_Type, &shape, &output,
                          &strided, &dtype))
        return -1;
    b->class = (char)class;
    b->output = output;
    b->strided = strided;
    b->dtype = Py_NewRef(dtype);
    Py_ssize_t rank = PyTuple_Size(shape);
    if (rank > MOST_RANK) return 0;
    b->shape = PyMem_Calloc((size_t)rank + 1, sizeof *b->shape);
    if (!b->shape) return PyErr_NoMemory(), -1;
    b->rank = (int)rank;
    for (int i = 0; i < b->rank; i++) {
        int status = read_size(&b->shape[i], PyTuple_GetItem(shape, i));
        if (status != 1) return status;
    }
    return 1;
}

static int read_plan(Plan *p, PyObject *targets, PyObject *buffers, PyObject *inner)
{
    Py_ssize_t n = PyTuple_Size(buffers), sizes = PyTuple_Size(p->size_names),
               arguments = PyTuple_Size(targets);
    if (n > MOST_BUFFERS || sizes > MOST_SIZES) return 0;
    p->ninner = (int)PyTuple_Size(inner);
    for (int i = 0; i < p->ninner; i++) p->inner[i] = (int)PyLong_AsLong(PyTuple_GetItem(inner, i));
    p->nsizes = (int)sizes;
    p->narguments = (int)arguments;
    for (int i = 0; i < p->narguments; i++)
        p->targets[i] = (int)PyLong_AsLong(PyTuple_GetItem(targets, i));
    for (; p->nbuffers < n; p->nbuffers++) {
        Buffer *b = &p->buffers[p->nbuffers];
        int status = read_buffer(b, PyTuple_GetItem(buffers, p->nbuffers));
        if (status != 1) {
            p->nbuffers++;
            return status;
        }
        p->noutputs += b->output;
    }
    return PyErr_Occurred() ? -1 : 1;
}

PyDoc_STRVAR(
    bind_doc,
    "_bind(code, size_names, argument_names, targets, buffers, inner, special, empty, array_type)\n"
    "--\n\nAdds a compiled version of the entry, if calls of it can do without _general.");

static void add_plan(CallerObject *caller, Plan *p, bool special)
{
    if (special) {
        p->next = caller->special;
        __atomic_store_n(&caller->special, p, __ATOMIC_RELEASE);
        __atomic_store_n(&caller->nspecial, caller->nspecial + 1, __ATOMIC_RELAXED);
    } else if (!caller->general) {
        __atomic_store_n(&caller->general, p, __ATOMIC_RELEASE);
    } else {
        free_plan(p);
    }
}

static PyObject *caller_bind(PyObject *self, PyObject *args)
{
    PyObject *targets, *buffers, *inner;
    int special;
    Plan *p = PyMem_Calloc(1, sizeof *p);
    if (!p) return PyErr_NoMemory();
    if (!PyArg_ParseTuple(args, "OO!O!O!O!O!pOO", &p->code, &PyTuple_Type, &p->size_names,
                          &PyTuple_Type, &p->argument_names, &PyTuple_Type, &targets, &PyTuple_Type,
                          &buffers, &PyTuple_Type, &inner, &special, &p->empty, &p->array_type)) {
        PyMem_Free(p);
        return NULL;
    }
    Py_INCREF(p->code);
    Py_INCREF(p->size_names);
    Py_INCREF(p->argument_names);
    Py_INCREF(p->empty);
    Py_INCREF(p->array_type);
    p->dtype_name = PyUnicode_InternFromString("dtype");
    int status = p->dtype_name ? read_plan(p, targets, buffers, inner) : -1;
    if (status == 1)
        add_plan((CallerObject *)self, p, special);
    else
        free_plan(p);
    if (status < 0) return NULL;
    Py_RETURN_NONE;
}

static void caller_dealloc(PyObject *self)
{
    CallerObject *caller = (CallerObject *)self;
    for (Plan *p = caller->special, *next; p; p = next) {
        next = p->next;
        free_plan(p);
    }
    free_plan(caller->general);
    free_instance(self);
}

static PyMethodDef caller_methods[] = {
    {"_bind", caller_bind, METH_VARARGS, bind_doc},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot caller_slots[] = {
    {Py_tp_doc, "Calls a compiled entry."},
    {Py_tp_call, caller_call},
    {Py_tp_dealloc, caller_dealloc},
    {Py_tp_methods, caller_methods},
    {0, NULL},
};

static PyType_Spec caller_spec = {
    .name = "adze._native.Caller",
    .basicsize = sizeof(CallerObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = caller_slots,
};

int add_caller_type(PyObject *module)
{
    PyObject *type = PyType_FromSpec(&caller_spec);
    if (!type) return -1;
    int status = PyModule_AddObjectRef(module, "Caller", type);
    Py_DECREF(type);
    if (status == 0) status = PyModule_AddIntConstant(module, "SMALL_SIZE", SMALL_SIZE);
    if (status == 0) status = PyModule_AddIntConstant(module, "MOST_SPECIAL", MOST_SPECIAL);
    return status;
}
