/* What Python sees of the C library: motions step by step. cffi reads the files of this folder in their order: functions, and of the structs the
 * members that the package uses ("...;" stands for the others; the compiler knows their places). */

/* ---- steppers */
typedef struct { double *q, *v, *input; ...; } carom_stepping;
typedef struct carom_python_stepper carom_python_stepper;
carom_status carom_python_stepper_create(const carom_run_request *request, carom_python_stepper **stepper,
                                         carom_error *error);
void carom_python_stepper_free(carom_python_stepper *stepper);
const carom_stepping *carom_python_stepper_data(const carom_python_stepper *stepper);
double carom_python_stepper_step_size(const carom_python_stepper *stepper);
const char *carom_python_stepper_scheme(const carom_python_stepper *stepper);
const char *carom_python_stepper_body_name(const carom_python_stepper *stepper, int body);
const double *carom_python_stepper_time(const carom_python_stepper *stepper);
carom_status carom_python_step(carom_python_stepper *stepper, carom_error *error);
carom_status carom_python_stepper_run(carom_python_stepper *stepper, long count, long *done, carom_error *error);
carom_status carom_python_stepper_set(carom_python_stepper *stepper, double t, const double *q, const double *v,
                                      carom_error *error);
carom_status carom_python_stepper_save(carom_python_stepper *stepper, carom_snapshot *snapshot, carom_error *error);
carom_status carom_python_stepper_restore(carom_python_stepper *stepper, const void *bytes, size_t count,
                                          carom_error *error);
carom_status carom_python_stepper_energy(carom_python_stepper *stepper, double *energy, carom_error *error);
carom_status carom_python_stepper_contacts(carom_python_stepper *stepper, double *gap, double *impulse, int *regime,
                                           carom_error *error);
carom_status carom_python_stepper_points(carom_python_stepper *stepper, int room, carom_body_point *point,
                                         double *place, int *count, carom_error *error);
