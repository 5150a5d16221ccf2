/* Names of other languages and tools that model files do not have, and what takes their place. */
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "loader.h"

static const struct foreign_name {
    const char *name, *advice;
} foreign_names[] = {
    {"t", "the time is time()"},
    {"dt", "the time step is chosen by integrate { h = 1e-3 }, and the time is time()"},
    {"v", "the velocity of a coordinate x is dot(x)"},
    {"vel", "the velocity of a coordinate x is dot(x)"},
    {"velocity", "the velocity of a coordinate x is dot(x)"},
    {"der", "the velocity of a coordinate x is dot(x)"},
    {"diff", "the velocity of a coordinate x is dot(x)"},
    {"ddot", "the acceleration of a coordinate x is acceleration(x), in record { }"},
    {"acc", "the acceleration of a coordinate x is acceleration(x), in record { }"},
    {"ln", "the natural logarithm is log(x)"},
    {"log10", "the natural logarithm is log(x), so that this is log(x) / log(10)"},
    {"log2", "the natural logarithm is log(x), so that this is log(x) / log(2)"},
    {"pow", "a power is written x^y"},
    {"power", "a power is written x^y"},
    {"floor", "math.floor(x) takes numbers, not expressions"},
    {"ceil", "math.ceil(x) takes numbers, not expressions"},
    {"round", "math.floor(x + 0.5) takes numbers, not expressions"},
    {"mod", "math.fmod(x, y) takes numbers, not expressions"},
    {"fmod", "math.fmod(x, y) takes numbers, not expressions"},
    {"step", "a step at c = 0 is select(c, 1, 0)"},
    {"heaviside", "a step at c = 0 is select(c, 1, 0)"},
    {"where", "a choice is select(c, a, b): a where c > 0, otherwise b"},
    {"cond", "a choice is select(c, a, b): a where c > 0, otherwise b"},
    {"switch", "a choice is select(c, a, b): a where c > 0, otherwise b"},
    {"if_else", "a choice is select(c, a, b): a where c > 0, otherwise b"},
    {"piecewise", "a choice is select(c, a, b): a where c > 0, otherwise b"},
    {"norm", "the length of a vector is hypot(x, y)"},
    {"inf", "infinity is math.huge"},
    {"deg", "a degree is pi / 180"},
    {"rad", "angles are in radians"},
    {"np", "functions such as sqrt, sin and max are there without a prefix"},
    {"numpy", "functions such as sqrt, sin and max are there without a prefix"},
    {"True", "it is written true"},
    {"False", "it is written false"},
    {"None", "it is written nil"},
    {"null", "it is written nil"},
};

const char *loader_foreign_advice(const char *name)
{
    for (size_t i = 0; i < sizeof foreign_names / sizeof *foreign_names; i++)
        if (strcmp(foreign_names[i].name, name) == 0)
            return foreign_names[i].advice;
    return NULL;
}

size_t loader_foreign_stem(const char *name)
{
    const size_t length = strlen(name);
    if (length < 4 || strcmp(name + length - 3, "dot") != 0)
        return 0;
    return name[length - 4] == '_' ? length - 4 : length - 3;
}

bool loader_is_misspelt(const char *name, const char *nearest)
{
    if (!nearest)
        return false;
    const bool is_short = strlen(name) <= 3, is_letter = strlen(name) == 1;
    return strcasecmp(name, nearest) == 0 || !is_short || (!is_letter && strlen(name) != strlen(nearest));
}
