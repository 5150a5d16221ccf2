/* Bodies while a model file is read: what statements have said of the world, its shapes, bodies and pairs. */
#ifndef CAROM_IO_LUA_LOADER_BODIES_H
#define CAROM_IO_LUA_LOADER_BODIES_H

#include "carom/model/bodies.h"
#include "loader.h"

typedef struct loader_bodies {
    int dimension; /* 0: not said yet */
    carom_node gravity[3];
    int shapes;
    carom_shape **shape; /* owned until the model has them; the array is malloc's */
    size_t shape_room;
    int bodies;
    carom_body_spec *body;
    int *q, *v; /* first position and velocity of each body; -1: fixed */
    int positions, velocities;
    int materials;
    char **material;
    int pairs;
    carom_material_pair *pair;
    int forces; /* places of the list below */
    carom_node *force;
    int watched; /* contacts of the model, in the order of their numbers; first of a pair -1 - i: contact i of expressions */
    int (*watched_pair)[2];
    int guides; /* limits and motors of joints */
    carom_body_guide *guide;
    int apart; /* bodies that a joint connects do not touch each other */
    int (*apart_pair)[2];
} loader_bodies;

/* The bodies of the file, made when there are none. Raises an error where the model is another one already. */
loader_bodies *loader_need_bodies(lua_State *L, const char *statement);
void loader_bodies_free(loader_bodies *bodies);
/* The number of contact i of expressions among the contacts of the model. */
int loader_bodies_contact(const loader_bodies *bodies, int contact);
/* Gives a contact of expressions its number. */
void loader_bodies_add_contact(lua_State *L, int contact);
carom_status loader_bodies_model(loader *load, carom_model **model, carom_error *error);
/* For plots of a file that names none: heights of the first free bodies. Returns how many. */
int loader_bodies_heights(loader *load, int most, char **name, carom_node *height);

/* ---- shapes (shape_statements.c) ------------------------------------------------------------------ */

/* The shape at `index`; raises an error that names `what`. */
const carom_shape *loader_check_shape(lua_State *L, int index, const char *what);
/* Makes a shape the file's own, and pushes it. */
void loader_push_shape(lua_State *L, carom_shape *shape);
/* Gives it to the file: it is freed with it, or becomes the model's. */
void loader_own_shape(lua_State *L, carom_shape *shape);
/* Raises the text of a failure. */
void loader_check_status(lua_State *L, carom_status status, const carom_error *error);

/* ---- numbers and vectors (body_arguments.c) ------------------------------------------------------- */

/* A list of `count` expressions at `index`. */
void loader_read_vector(lua_State *L, int index, int count, const char *what, carom_node *node);
/* The same of a field, false when it is absent. */
bool loader_field_vector(lua_State *L, int index, const char *key, int count, carom_node *node);
/* A number that is known while the file is read. */
double loader_plain_number(lua_State *L, int index, const char *what);
double loader_field_number(lua_State *L, int index, const char *key, const char *statement);
/* `count` plain numbers; returns how many the list has when count is 0. */
size_t loader_plain_list(lua_State *L, int index, size_t count, const char *what, double **number);

/* A rotation in plain numbers: the angle, in the first place, or a quaternion. */
void loader_plain_rotation(lua_State *L, int index, int dimension, double rotation[4]);
/* The same as expressions. */
void loader_read_rotation(lua_State *L, int index, int dimension, carom_node rotation[4]);

/* ---- bodies as values (body_symbols.c) ------------------------------------------------------------ */

void loader_open_bodies(lua_State *L);
void loader_push_body(lua_State *L, int body);
int loader_check_body(lua_State *L, int index, const char *what);
/* d/dt of an expression of positions and time; its second derivative, with accelerations. */
carom_node loader_bodies_rate(lua_State *L, carom_node node);
carom_node loader_bodies_acceleration(lua_State *L, carom_node node);
/* The pair of bodies at `index` and `index + 1`, or all that touches the first: its number among the watched. */
int loader_watched_contact(lua_State *L, int index);
/* force { body, { fx, fy, fz }, at = point } */
int loader_body_force(lua_State *L);

#endif
