/* What Python sees of the C library: bifurcation diagrams and basins. */
typedef struct {
    const carom_experiment *experiment;
    const char *scheme;
    double h;
    const carom_option *option;
    bool at_impact;
    int contact;
    double period, wait, escape;
    ...;
} carom_returns_request;
typedef struct { const double *q, *v; ...; } carom_diagram_start;
typedef struct {
    carom_returns_request returns;
    const char *parameter;
    double from, to;
    int points, skip, iterates;
    bool up, down, restart;
    int start_count;
    const carom_diagram_start *start;
    int longest;
    double tolerance;
    int threads;
    ...;
} carom_diagram_request;
typedef struct { char message[...]; ...; } carom_diagram_point;
typedef struct {
    int courses, points, starts, directions;
    bool first_is_down;
    int positions, dof, longest;
    double tolerance;
    const carom_scheme_ops *scheme;
    carom_diagram_point *point;
    int threads;
    double wall_seconds;
    ...;
} carom_diagram;
void carom_diagram_free(carom_diagram *diagram);
carom_status carom_diagram_write_file(const char *path, const carom_experiment *experiment, const char *parameter,
                                      const carom_diagram *diagram, carom_error *error);
carom_status carom_python_diagram(const carom_diagram_request *request, carom_diagram *diagram, carom_error *error);
void carom_python_diagram_points(const carom_diagram *diagram, double *value, double *forcing, int *period, int *impacts,
                                 int *end);
int carom_python_diagram_looks(const carom_diagram *diagram);
void carom_python_diagram_states(const carom_diagram *diagram, int entry, int looks, double *to);

typedef enum { CAROM_BASIN_POSITION, CAROM_BASIN_VELOCITY, CAROM_BASIN_PARAMETER, ... } carom_basin_axis_kind;
typedef struct { carom_basin_axis_kind kind; int index; double from, to; int count; ...; } carom_basin_axis;
double carom_basin_axis_value(const carom_basin_axis *axis, int place);
typedef enum { CAROM_BASIN_PERIODIC, CAROM_BASIN_NOT_PERIODIC, CAROM_BASIN_UNSETTLED, ... } carom_basin_end;
const char *carom_basin_end_word(carom_basin_end end);
typedef struct {
    carom_returns_request returns;
    int axis_count;
    carom_basin_axis axis[2];
    int periods, longest;
    double tolerance;
    int threads;
    ...;
} carom_basin_request;
typedef struct {
    carom_basin_end end;
    int period, impacts;
    double impact_rate;
    int cells;
    double *point;
    ...;
} carom_attractor;
typedef struct {
    int axis_count;
    carom_basin_axis axis[2];
    int state, cells, attractor_count;
    carom_attractor *attractor;
    double *last;
    bool by_name;
    int periods, longest;
    double period;
    const carom_scheme_ops *scheme;
    char message[...];
    int threads;
    double wall_seconds;
    ...;
} carom_basin;
void carom_basin_free(carom_basin *basin);
carom_status carom_basin_write_file(const char *path, const carom_experiment *experiment, const char *const *axis,
                                    const carom_basin *basin, carom_error *error);
carom_status carom_python_basin(const carom_basin_request *request, carom_basin *basin, carom_error *error);
void carom_python_basin_cells(const carom_basin *basin, int *attractor, int *end, int *period, int *impacts);
typedef enum { CAROM_RETURNED, CAROM_RETURN_ESCAPED, CAROM_RETURN_NONE, CAROM_RETURN_FAILED, ... } carom_return;
const char *carom_return_word(carom_return end);
