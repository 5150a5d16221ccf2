/* carom._step: the base of Stepper, whose step() is as short as a call from Python can be.
 *
 * A step of a small model takes 50 ns, a call through cffi 150 ns. This type knows nothing of carom: it is given a function of two
 * pointers that returns a status, 0 for success, and calls it. The interpreter is released for others where a step takes long;
 * whether it does is looked at now and then. */
#include "pass_on.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <structmember.h>
#include <time.h>

enum {
    LOOK_EVERY = 256 /* steps */
};
static const double long_step = 5e-6; /* seconds */

typedef struct step_base {
    PyObject_HEAD int (*call)(void *, void *);
    void *stepper, *error;
    long steps;
    unsigned since_look;
    bool is_long;
} step_base;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int call_released(step_base *self)
{
    const bool looks = self->since_look == 0;
    int status;
    Py_BEGIN_ALLOW_THREADS const double begin = looks ? seconds() : 0.0;
    status = self->call(self->stepper, self->error);
    if (looks)
        self->is_long = seconds() - begin > long_step;
    Py_END_ALLOW_THREADS return status;
}

static PyObject *step(PyObject *object, PyObject *const *argument, Py_ssize_t count, PyObject *names)
{
    step_base *self = (step_base *)object;
    if (count > 0 || names)
        return pass_on(object, "_step_with", argument, count, names); /* step(n, u = ...) */
    if (!self->call) {
        PyErr_SetString(PyExc_RuntimeError, "a stepper is made by Model.stepper");
        return NULL;
    }
    const int status =
        self->is_long || self->since_look == 0 ? call_released(self) : self->call(self->stepper, self->error);
    self->since_look = (self->since_look + 1) % LOOK_EVERY;
    if (status)
        return PyObject_CallMethod(object, "_fail", NULL);
    self->steps++;
    Py_RETURN_NONE;
}

/* _bind(function, stepper, error): addresses. */
static PyObject *bind(PyObject *object, PyObject *arguments)
{
    step_base *self = (step_base *)object;
    unsigned long long function, stepper, error;
    if (!PyArg_ParseTuple(arguments, "KKK", &function, &stepper, &error))
        return NULL;
    self->call = (int (*)(void *, void *))(uintptr_t)function;
    self->stepper = (void *)(uintptr_t)stepper;
    self->error = (void *)(uintptr_t)error;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(step_doc,
             "step($self, n=1, /, **inputs)\n--\n\n"
             "One step, or n of them. Keywords are values of inputs, which stay: `s.step(u=2.0)`.\n\n"
             "A step that fails raises StepError, and the state is the last good one.");

static PyMethodDef methods[] = {
    {"step", (PyCFunction)(void (*)(void))step, METH_FASTCALL | METH_KEYWORDS, step_doc},
    {"_bind", bind, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef members[] = {
    {"steps", T_LONG, offsetof(step_base, steps), 0, "Steps since the start."},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {Py_tp_doc, "The part of Stepper that is in C."},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "carom._step.StepBase",
    .basicsize = sizeof(step_base),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "carom._step", .m_size = 0};

PyMODINIT_FUNC PyInit__step(void)
{
    PyObject *made = PyModule_Create(&module), *type = made ? PyType_FromSpec(&spec) : NULL;
    if (type && PyModule_AddObject(made, "StepBase", type) == 0)
        return made;
    Py_XDECREF(type);
    Py_XDECREF(made);
    return NULL;
}
