/* A method in C leaves a call that is not the usual one to a method in Python. */
#ifndef CAROM_PYTHON_PASS_ON_H
#define CAROM_PYTHON_PASS_ON_H

#define Py_LIMITED_API 0x030a0000
#include <Python.h>

/* self.name(...) with the arguments of a METH_FASTCALL | METH_KEYWORDS. */
static inline PyObject *pass_on(PyObject *self, const char *name, PyObject *const *argument, Py_ssize_t count,
                                PyObject *names)
{
    PyObject *method = PyObject_GetAttrString(self, name), *result = NULL;
    PyObject *plain = method ? PyTuple_New(count) : NULL, *named = plain ? PyDict_New() : NULL;
    if (named) {
        int failed = 0;
        for (Py_ssize_t i = 0; i < count; i++) {
            Py_INCREF(argument[i]);
            PyTuple_SetItem(plain, i, argument[i]);
        }
        for (Py_ssize_t i = 0; names && !failed && i < PyTuple_Size(names); i++)
            failed = PyDict_SetItem(named, PyTuple_GetItem(names, i), argument[count + i]);
        if (!failed)
            result = PyObject_Call(method, plain, named);
    }
    Py_XDECREF(named);
    Py_XDECREF(plain);
    Py_XDECREF(method);
    return result;
}

#endif
