/* carom._solve: the base of ContactProblem, whose solve() is as short as a call from Python can be.
 *
 * Solving a small problem takes half a microsecond, making what a call needs in Python two. And after a solution of milliseconds
 * nothing of Python is in the caches: what takes two microseconds in a loop takes fifty then, by the lines of memory that it
 * touches. So the usual call is made here, with one piece of memory for all that it reads and writes; every other one,
 * and what is to be done with a problem that was not solved, is left to the Python class. Of carom it knows what a
 * call is; the function comes as an address. */
#include "pass_on.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <structmember.h>

#include "contact_bridge.h"

typedef bool solve_function(const carom_python_contact *, const carom_solver_ops *, double *,
                            carom_python_solving *);

typedef struct solve_base {
    PyObject_HEAD solve_function *call; /* NULL: not bound yet */
    const carom_python_contact *contact;
    const carom_solver_ops *ops;
    size_t contacts, dimension;
    PyTypeObject *result; /* its class, made of a solved_base */
} solve_base;

typedef struct solved_base {
    PyObject_HEAD PyObject *problem;
    PyObject *
        memory; /* a bytearray: carom_python_solving, then 3 numbers per contact. NULL: Python has them elsewhere. */
    PyObject *r; /* the array; NULL: nobody asked for it */
} solved_base;

/* ---- the usual call ---------------------------------------------------------------------------------- */

typedef struct request {
    double tolerance;
    bool prove, strict;
} request;

enum {
    TOL,
    PROVE,
    STRICT,
    SOLVER,
    R0,
    MAX_ITERATIONS,
    MAX_SECONDS,
    HISTORY,
    KEYWORDS
};
static const char *const keywords[KEYWORDS] = {[TOL] = "tol",
                                               [PROVE] = "prove",
                                               [STRICT] = "strict",
                                               [SOLVER] = "solver",
                                               [R0] = "r0",
                                               [MAX_ITERATIONS] = "max_iterations",
                                               [MAX_SECONDS] = "max_seconds",
                                               [HISTORY] = "history"};
/* Interned, like the names in a program: made by the module, compared by their addresses. */
static PyObject *keyword[KEYWORDS], *automatic;
static PyObject *frombuffer, *all, *after_call; /* of numpy; -1; sizeof(carom_python_solving) */

static bool take_value(request *asked, int which, PyObject *value)
{
    switch (which) {
    case TOL:
        if (!PyFloat_CheckExact(value))
            return false;
        asked->tolerance = PyFloat_AsDouble(value);
        return asked->tolerance > 0.0 && asked->tolerance < 1.0;
    case PROVE:
        asked->prove = value == Py_True;
        return value == Py_True || value == Py_False;
    case STRICT:
        asked->strict = value == Py_True;
        return value == Py_True || value == Py_False;
    case SOLVER:
        return value == automatic;
    case HISTORY:
        return value == Py_False;
    default:
        return value == Py_None;
    }
}

static int keyword_at(PyObject *name)
{
    int which = 0;
    while (which < KEYWORDS && keyword[which] != name)
        which++;
    return which;
}

/* False: there is something that Python has to look at, be it a mistake. */
static bool is_usual(request *asked, PyObject *const *argument, Py_ssize_t count, PyObject *names)
{
    if (count > 2 || (count > 0 && !take_value(asked, TOL, argument[0])) ||
        (count > 1 && !take_value(asked, SOLVER, argument[1])))
        return false;
    const Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    for (Py_ssize_t i = 0; i < named; i++) {
        const int which = keyword_at(PyTuple_GetItem(names, i));
        const bool is_twice = (which == TOL && count > 0) || (which == SOLVER && count > 1);
        if (which == KEYWORDS || is_twice || !take_value(asked, which, argument[count + i]))
            return false;
    }
    return true;
}

/* What a call needs, then room for its reactions. */
static carom_python_solving *prepare(PyObject *memory, double tolerance)
{
    carom_python_solving *call = (carom_python_solving *)(void *)PyByteArray_AsString(memory);
    memset(call, 0, offsetof(carom_python_solving, error)); /* not the long text of an error */
    call->error.status = CAROM_OK;
    call->error.text[0] = '\0';
    call->options.tolerance = tolerance;
    call->starts_at_zero = true;
    return call;
}

static PyObject *new_result(solve_base *self, PyObject *memory)
{
    PyObject *result = PyType_GenericAlloc(self->result, 0);
    if (!result)
        return NULL;
    Py_INCREF((PyObject *)self);
    Py_INCREF(memory);
    ((solved_base *)result)->problem = (PyObject *)self;
    ((solved_base *)result)->memory = memory;
    return result;
}

static PyObject *unsolved(PyObject *self, PyObject *result, const request *asked)
{
    PyObject *answer =
        PyObject_CallMethod(self, "_unsolved", "OOO", result, asked->prove ? Py_True : Py_False,
                            asked->strict ? Py_True : Py_False);
    Py_DECREF(result);
    return answer;
}

static PyObject *solve(PyObject *object, PyObject *const *argument, Py_ssize_t count, PyObject *names)
{
    solve_base *self = (solve_base *)object;
    request asked = {.tolerance = 1e-8, .prove = true, .strict = true};
    if (!self->call || !is_usual(&asked, argument, count, names))
        return pass_on(object, "_solve_with", argument, count, names);
    const size_t size = sizeof(carom_python_solving) + 3 * self->contacts * sizeof(double);
    PyObject *memory = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)size);
    PyObject *result = memory ? new_result(self, memory) : NULL;
    if (result) {
        carom_python_solving *call = prepare(memory, asked.tolerance);
        bool solved;
        Py_BEGIN_ALLOW_THREADS;
        solved = self->call(self->contact, self->ops, (double *)(call + 1), call);
        Py_END_ALLOW_THREADS;
        if (!solved)
            result = unsolved(object, result, &asked);
    }
    Py_XDECREF(memory);
    return result;
}

/* ---- reactions of a result --------------------------------------------------------------------------- */

/* Of a problem in the plane the two numbers per contact that it has. */
static PyObject *plane_of(const double *three, size_t contacts)
{
    PyObject *memory = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(2 * contacts * sizeof(double)));
    if (!memory)
        return NULL;
    double *two = (double *)(void *)PyByteArray_AsString(memory);
    for (size_t i = 0; i < contacts; i++) {
        two[2 * i] = three[3 * i];
        two[2 * i + 1] = three[3 * i + 1];
    }
    PyObject *array = PyObject_CallFunctionObjArgs(frombuffer, memory, NULL);
    Py_DECREF(memory);
    return array;
}

static PyObject *reactions(PyObject *object, void *unused)
{
    (void)unused;
    solved_base *self = (solved_base *)object;
    if (!self->r && self->memory) {
        const solve_base *problem = (const solve_base *)self->problem;
        const carom_python_solving *call =
            (const carom_python_solving *)(void *)PyByteArray_AsString(self->memory);
        self->r = problem->dimension == 3
                      ? PyObject_CallFunctionObjArgs(frombuffer, self->memory, (PyObject *)&PyFloat_Type, all,
                                                     after_call, NULL)
                      : plane_of((const double *)(call + 1), problem->contacts);
    }
    if (!self->r && !PyErr_Occurred())
        PyErr_SetString(PyExc_AttributeError, "r");
    Py_XINCREF(self->r);
    return self->r;
}

/* _keep(problem, r): of a call that Python made. */
static PyObject *keep(PyObject *object, PyObject *arguments)
{
    solved_base *self = (solved_base *)object;
    PyObject *problem, *r;
    if (!PyArg_ParseTuple(arguments, "OO", &problem, &r))
        return NULL;
    if (!self->problem) {
        Py_INCREF(problem);
        Py_INCREF(r);
        self->problem = problem;
        self->r = r;
    }
    Py_RETURN_NONE;
}

/* ---- the types --------------------------------------------------------------------------------------- */

/* _bind(function, contact, ops, contacts, dimension, class of results): three addresses, once. */
static PyObject *bind(PyObject *object, PyObject *arguments)
{
    solve_base *self = (solve_base *)object;
    unsigned long long function, contact, ops;
    Py_ssize_t contacts, dimension;
    PyObject *result;
    if (!PyArg_ParseTuple(arguments, "KKKnnO!", &function, &contact, &ops, &contacts, &dimension,
                          &PyType_Type, &result))
        return NULL;
    if (!self->call) {
        Py_INCREF(result);
        self->result = (PyTypeObject *)result;
        self->contact = (const carom_python_contact *)(uintptr_t)contact;
        self->ops = (const carom_solver_ops *)(uintptr_t)ops;
        self->contacts = (size_t)contacts;
        self->dimension = (size_t)dimension;
        self->call = (solve_function *)(uintptr_t)function;
    }
    Py_RETURN_NONE;
}

static void release(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    ((freefunc)(uintptr_t)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF((PyObject *)type);
}

static void free_problem(PyObject *object)
{
    Py_XDECREF((PyObject *)((solve_base *)object)->result);
    release(object);
}

static int visit_result(PyObject *object, visitproc visit, void *arg)
{
    solved_base *self = (solved_base *)object;
    Py_VISIT((PyObject *)Py_TYPE(object));
    Py_VISIT(self->problem);
    Py_VISIT(self->memory);
    Py_VISIT(self->r);
    return 0;
}

static int clear_result(PyObject *object)
{
    solved_base *self = (solved_base *)object;
    Py_CLEAR(self->problem);
    Py_CLEAR(self->memory);
    Py_CLEAR(self->r);
    return 0;
}

static void free_result(PyObject *object)
{
    PyObject_GC_UnTrack(object);
    (void)clear_result(object);
    release(object);
}

PyDoc_STRVAR(
    solve_doc,
    "solve($self, tol=1e-8, solver='auto', *, r0=None, max_iterations=None, max_seconds=None, history=False, "
    "prove=True, strict=True, **options)\n--\n\n"
    "Solves it.\n\n"
    "Parameters\n"
    "----------\n"
    "tol : largest error, the natural map relative to |q|\n"
    "solver : a name of `carom.solvers()[\"coulomb\"]`; \"direct\": Newton's method on v, u and r of a "
    "global problem,\n"
    "    without forming W\n"
    "r0 : reactions to start from; default: 0\n"
    "max_iterations, max_seconds : limits; default: the solver's own, and none\n"
    "history : keep iteration, error and seconds\n"
    "prove : look for a proof that there is no solution when none is found\n"
    "strict : raise SolverError when it is not solved; False: return the best that was found\n"
    "options : the solver's own, by name\n\n"
    ">>> problem = carom.ContactProblem(W=np.eye(3), q=[-1, 2, 0], mu=0.5)\n"
    ">>> result = problem.solve(solver=\"nsgs\", local=\"projection\", max_iterations=1000)\n"
    ">>> result.ok, result.regimes\n"
    "(True, ['slip'])\n");

static PyMethodDef problem_methods[] = {
    {"solve", (PyCFunction)(void (*)(void))solve, METH_FASTCALL | METH_KEYWORDS, solve_doc},
    {"_bind", bind, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot problem_slots[] = {
    {Py_tp_methods, problem_methods},
    {Py_tp_dealloc, (void *)(uintptr_t)free_problem},
    {Py_tp_doc, "The part of ContactProblem that is in C."},
    {0, NULL},
};

static PyType_Spec problem_spec = {
    .name = "carom._solve.SolveBase",
    .basicsize = sizeof(solve_base),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = problem_slots,
};

static PyMemberDef result_members[] = {
    {"problem", T_OBJECT_EX, offsetof(solved_base, problem), READONLY, "What was solved."},
    {"_memory", T_OBJECT_EX, offsetof(solved_base, memory), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef result_properties[] = {
    {"r", reactions, NULL, "Reactions, as many numbers per contact as the problem has.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef result_methods[] = {
    {"_keep", keep, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot result_slots[] = {
    {Py_tp_members, result_members},
    {Py_tp_getset, result_properties},
    {Py_tp_methods, result_methods},
    {Py_tp_traverse, (void *)(uintptr_t)visit_result},
    {Py_tp_clear, (void *)(uintptr_t)clear_result},
    {Py_tp_dealloc, (void *)(uintptr_t)free_result},
    {Py_tp_doc, "The part of ContactResult that is in C."},
    {0, NULL},
};

static PyType_Spec result_spec = {
    .name = "carom._solve.SolvedBase",
    .basicsize = sizeof(solved_base),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = result_slots,
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "carom._solve", .m_size = -1};

static bool make_constants(void)
{
    bool made = true;
    for (int i = 0; i < KEYWORDS; i++) {
        keyword[i] = PyUnicode_InternFromString(keywords[i]);
        made = made && keyword[i];
    }
    automatic = PyUnicode_InternFromString("auto");
    all = PyLong_FromLong(-1);
    after_call = PyLong_FromSize_t(sizeof(carom_python_solving));
    PyObject *numpy = PyImport_ImportModule("numpy");
    frombuffer = numpy ? PyObject_GetAttrString(numpy, "frombuffer") : NULL;
    Py_XDECREF(numpy);
    return made && automatic && all && after_call && frombuffer;
}

static bool add_type(PyObject *to, const char *name, PyType_Spec *spec)
{
    PyObject *type = PyType_FromSpec(spec);
    if (type && PyModule_AddObject(to, name, type) == 0)
        return true;
    Py_XDECREF(type);
    return false;
}

PyMODINIT_FUNC PyInit__solve(void)
{
    PyObject *made = make_constants() ? PyModule_Create(&module) : NULL;
    if (made && add_type(made, "SolveBase", &problem_spec) && add_type(made, "SolvedBase", &result_spec))
        return made;
    Py_XDECREF(made);
    return NULL;
}
