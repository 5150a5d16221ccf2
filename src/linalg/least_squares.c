#include <lapacke.h>

#include "carom/linalg.h"

size_t carom_least_squares_work(int rows, int columns, int right)
{
    if (rows <= 0 || columns <= 0)
        return 1;
    double size = 0.0;
    lapack_int rank = 0, pivot = 0;
    const lapack_int height = rows > columns ? rows : columns;
    LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, rows, columns, right, &size, rows, &size, height, &pivot, 0.0,
                        &rank, &size, -1);
    return (size_t)size + 1;
}

int carom_least_squares(int rows, int columns, double *matrix, int right, double *x, double tolerance,
                        int *pivot, double *work, size_t work_size)
{
    if (rows <= 0 || columns <= 0)
        return 0;
    lapack_int rank = 0;
    const lapack_int height = rows > columns ? rows : columns;
    for (int j = 0; j < columns; j++)
        pivot[j] = 0;
    const lapack_int info = LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, rows, columns, right, matrix, rows, x,
                                                height, pivot, tolerance, &rank, work, (lapack_int)work_size);
    return info == 0 ? (int)rank : -1;
}
