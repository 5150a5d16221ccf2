/* Layers of plots, for the statements plot and panel. */
#ifndef CAROM_IO_LUA_STATEMENT_PLOT_LAYERS_H
#define CAROM_IO_LUA_STATEMENT_PLOT_LAYERS_H

#include "io/lua/loader.h"

/* Keys of a layer that shows outputs, and of a plot that is one curve. */
/* clang-format off */
#define PLOT_CURVE_KEYS                                                                               \
    {"x", "across: an expression, by place or by name"},                                              \
    {"y", "upwards, likewise"},                                                                       \
    {"label", "text in the legend"},                                                                  \
    {"style", "\"solid\", \"dashed\", \"dotted\"; points: \"cross\", \"plus\", \"circle\", \"dot\""}, \
    {"every", "only the outputs nearest to multiples of this time"},                                  \
    {"from", "window of time"},                                                                       \
    {"to", "window of time"},                                                                         \
    {"family", "true: once per member of the family"},                                                \
    {"numbered", "true: writes 0, 1, 2 ... beside the outputs"},                                      \
    {"smooth", "running mean over this time"},                                                        \
    {"marks", "events to mark: true, impact \"floor\", or a list"}
/* clang-format on */

/* A layer that shows nothing yet. */
carom_layer plot_empty_layer(carom_layer_kind kind);
/* Options that all layers read from the table at `index`. */
void plot_read_layer_options(lua_State *L, int index, carom_layer *layer);
/* Texts of plots (plot_labels.c): \\theta is a letter, as x_1 and m^2 are lowered and raised where they are drawn. NULL:
 * absent. */
char *plot_label(lua_State *L, int index, const char *key);
/* The name of a symbol: theta, theta1 and theta_1 have the letter, too. */
char *plot_symbol_label(lua_State *L, const char *name);
/* NULL: the value at `index` is no layer. */
const carom_layer *plot_layer_at(lua_State *L, int index);

#endif
