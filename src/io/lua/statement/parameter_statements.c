/* Statements about the experiment as a whole: experiment, param, input, setting, variant, family. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/lua/loader.h"
#include "io/lua/statements.h"

/* The text that --set, or else the active variant, gives to a name; NULL: none. */
static const char *override_of(const loader *load, const char *name)
{
    const carom_load_request *request = load->request;
    for (int i = request->override_count - 1; i >= 0; i--)
        if (strcmp(request->override[i].name, name) == 0)
            return request->override[i].value;
    const carom_variant *variant = load->active_variant;
    for (int i = 0; variant && i < variant->override_count; i++)
        if (strcmp(variant->override[i].name, name) == 0)
            return variant->override[i].value;
    return NULL;
}

static double field_number(lua_State *L, const char *statement, const char *key, double otherwise)
{
    double value = otherwise;
    if (lua_getfield(L, 1, key) != LUA_TNIL) {
        if (lua_type(L, -1) != LUA_TNUMBER || isnan(lua_tonumber(L, -1)))
            loader_error(L, "%s: '%s' must be a number", statement, key);
        value = lua_tonumber(L, -1);
    }
    lua_pop(L, 1);
    return value;
}

/* param("e", 0.8, "doc") means param { "e", 0.8, doc = "doc" }. */
static void table_form(lua_State *L, const char *statement)
{
    if (lua_istable(L, 1))
        return;
    if (lua_type(L, 1) != LUA_TSTRING)
        loader_error(L, "%s takes a name and a value: %s { \"e\", 0.8, doc = \"...\" }", statement,
                     statement);
    lua_settop(L, 3);
    lua_createtable(L, 2, 1);
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, 1);
    lua_pushvalue(L, 2);
    lua_rawseti(L, -2, 2);
    lua_pushvalue(L, 3);
    lua_setfield(L, -2, "doc");
    lua_replace(L, 1);
    lua_settop(L, 1);
}

/* param and input: { "e", 0.8, ... }, as a parameter. */
static carom_parameter read_parameter(lua_State *L, const carom_statement *statement)
{
    const char *kind = statement->name;
    table_form(L, kind);
    loader_check_statement(L, 1, statement);
    lua_geti(L, 1, 1);
    char *name = loader_text(L, loader_check_name(L, -1, kind));
    loader_define(L, "names", kind, name);
    if (lua_geti(L, 1, 2) == LUA_TNIL && statement == &language_input) {
        lua_pushnumber(L, 0.0);
    } else if (lua_type(L, -1) != LUA_TNUMBER || isnan(lua_tonumber(L, -1))) {
        loader_error(L,
                     "%s '%s': the second entry must be its default, a number; got a %s (a text or a count "
                     "that shapes the model is a setting)",
                     kind, name, luaL_typename(L, -1));
    }
    const carom_parameter parameter = {
        .name = name,
        .value = lua_tonumber(L, -1),
        .doc = (char *)loader_field_text(L, 1, "doc"),
        .unit = (char *)loader_field_text(L, 1, "unit"),
        .min = field_number(L, kind, "min", -INFINITY),
        .max = field_number(L, kind, "max", INFINITY),
        .integer = loader_field_bool(L, 1, "integer"),
        .input = statement == &language_input,
    };
    if (!(parameter.value >= parameter.min && parameter.value <= parameter.max))
        loader_error(L, "%s '%s': the default %g is outside its own range [%g, %g]", kind, name,
                     parameter.value, parameter.min, parameter.max);
    if (!isfinite(parameter.value) || (parameter.integer && parameter.value != floor(parameter.value)))
        loader_error(L, "%s '%s': the default %g must be %s", kind, name, parameter.value,
                     isfinite(parameter.value) ? "a whole number" : "finite");
    return parameter;
}

static void add_parameter(lua_State *L, const carom_parameter *parameter)
{
    loader *load = loader_of(L);
    load->parameter = loader_grow(L, load->parameter, load->parameters, sizeof *load->parameter);
    load->parameter[load->parameters] = *parameter;
    loader_push_node(L, carom_leaf(load->graph, parameter->input ? CAROM_OP_INPUT : CAROM_OP_PARAMETER,
                                   load->parameters++));
}

static int statement_param(lua_State *L)
{
    const carom_parameter parameter = read_parameter(L, &language_param);
    add_parameter(L, &parameter);
    return 1;
}

static int statement_input(lua_State *L)
{
    const carom_parameter parameter = read_parameter(L, &language_input);
    add_parameter(L, &parameter);
    return 1;
}

static void check_choice(lua_State *L, const char *name, const char *value)
{
    if (lua_getfield(L, 1, "choices") == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    if (!lua_istable(L, -1))
        loader_error(L, "setting '%s': choices must be a list of texts", name);
    char known[400] = "";
    const int count = (int)luaL_len(L, -1);
    for (int i = 1; i <= count; i++) {
        lua_geti(L, -1, i);
        const char *choice = lua_tostring(L, -1);
        if (!choice)
            loader_error(L, "setting '%s': choices must be a list of texts", name);
        if (strcmp(choice, value) == 0) {
            lua_pop(L, 2);
            return;
        }
        const size_t used = strlen(known);
        carom_format(known + used, sizeof known - used, "%s%s", i > 1 ? ", " : "", choice);
        lua_pop(L, 1);
    }
    loader_error(L, "setting '%s' = %s is not a choice; take one of %s", name, value, known);
}

static void set_number(lua_State *L, carom_setting *setting, const char *given)
{
    const double least = field_number(L, "setting", "min", -INFINITY);
    const double most = field_number(L, "setting", "max", INFINITY);
    setting->number = lua_tonumber(L, -1);
    if (given && !carom_parse_number(given, &setting->number))
        loader_error(L, "setting '%s' = %s is not a number", setting->name, given);
    if (!isfinite(setting->number) || setting->number < least || setting->number > most)
        loader_error(L, "setting '%s' = %g is outside [%g, %g]", setting->name, setting->number, least, most);
    if (loader_field_bool(L, 1, "integer") && setting->number != floor(setting->number))
        loader_error(L, "setting '%s' = %g must be a whole number", setting->name, setting->number);
}

/* setting { "N", 10, ... }: a value that the script itself may branch and loop on. */
static int statement_setting(lua_State *L)
{
    loader *load = loader_of(L);
    carom_experiment *experiment = load->experiment;
    table_form(L, "setting");
    loader_check_statement(L, 1, &language_setting);
    lua_geti(L, 1, 1);
    carom_setting setting = {.name = loader_text(L, loader_check_name(L, -1, "setting"))};
    loader_define(L, "names", "setting", setting.name);
    const char *given = override_of(load, setting.name);
    setting.doc = (char *)loader_field_text(L, 1, "doc");
    setting.unit = (char *)loader_field_text(L, 1, "unit");
    switch (lua_geti(L, 1, 2)) {
    case LUA_TNUMBER:
        set_number(L, &setting, given);
        if (lua_getfield(L, 1, "choices") != LUA_TNIL)
            loader_error(L, "setting '%s': choices are for texts; bound a number with min, max, integer",
                         setting.name);
        break;
    case LUA_TSTRING:
        setting.is_text = true;
        setting.text = loader_text(L, given ? given : lua_tostring(L, -1));
        check_choice(L, setting.name, setting.text);
        break;
    default:
        loader_error(L, "setting '%s': the second entry must be its default, a number or a text",
                     setting.name);
    }
    experiment->setting = loader_grow(L, experiment->setting, experiment->setting_count, sizeof setting);
    experiment->setting[experiment->setting_count++] = setting;
    if (setting.is_text)
        lua_pushstring(L, setting.text);
    else if (setting.number == floor(setting.number) && fabs(setting.number) < 1e15)
        lua_pushinteger(L, (lua_Integer)setting.number);
    else
        lua_pushnumber(L, setting.number);
    return 1;
}

/* A value of a variant or family as --set would give it. */
static char *value_text(lua_State *L, int index, const char *what)
{
    if (lua_type(L, index) == LUA_TSTRING)
        return loader_text(L, lua_tostring(L, index));
    if (lua_type(L, index) != LUA_TNUMBER)
        loader_error(L, "%s must be a plain number or text; got a %s", what, luaL_typename(L, index));
    char text[40];
    carom_format(text, sizeof text, "%.17g", lua_tonumber(L, index));
    return loader_text(L, text);
}

/* The table at `index`: name = { values... }, all lists of one length. */
void loader_read_family(lua_State *L, int index)
{
    carom_experiment *experiment = loader_of(L)->experiment;
    const char **keys = NULL;
    const int count = loader_sorted_keys(L, index, &keys);
    experiment->family_line = loader_line(L);
    if (luaL_len(L, index) > 0)
        loader_error(L,
                     "family: give every list the name of its parameter: family { av = { -0.5, 0, 0.5 } }");
    experiment->axis_count = 0;
    experiment->axis = loader_take(L, (size_t)count, sizeof *experiment->axis);
    for (int i = 0; i < count; i++) {
        if (lua_getfield(L, index, keys[i]) != LUA_TTABLE)
            loader_error(L, "family: '%s' must be a list of values", keys[i]);
        const int size = (int)luaL_len(L, -1);
        if (size < 1 || (i > 0 && size != experiment->family_size))
            loader_error(L, "family: '%s' has %d values; every list needs the same number, at least one",
                         keys[i], size);
        experiment->family_size = size;
        carom_family_axis *axis = &experiment->axis[experiment->axis_count++];
        axis->name = loader_text(L, keys[i]);
        axis->value = loader_take(L, (size_t)size, sizeof *axis->value);
        for (int k = 0; k < size; k++) {
            lua_geti(L, -1, k + 1);
            axis->value[k] = value_text(L, lua_gettop(L), keys[i]);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    if (count == 0)
        experiment->family_size = 0;
}

static int statement_family(lua_State *L)
{
    loader *load = loader_of(L);
    if (!lua_istable(L, 1))
        loader_error(L, "family takes lists of values: family { av = { -0.5, 0, 0.5 } }");
    if (!load->variant_has_family)
        loader_read_family(L, 1);
    return 0;
}

/* variant { "plate-15", CR = -200, ..., doc = "...", family = { ... } } */
static int statement_variant(lua_State *L)
{
    loader *load = loader_of(L);
    carom_experiment *experiment = load->experiment;
    if (!lua_istable(L, 1))
        loader_error(L, "variant takes a name and values: variant { \"fine\", h = 1e-4 }");
    lua_geti(L, 1, 1);
    carom_variant variant = {.name = loader_text(L, loader_check_name(L, -1, "variant"))};
    loader_define(L, "variants", "variant", variant.name);
    variant.doc = (char *)loader_field_text(L, 1, "doc");
    const char **keys = NULL;
    const int count = loader_sorted_keys(L, 1, &keys);
    variant.override = loader_take(L, (size_t)count, sizeof *variant.override);
    for (int i = 0; i < count; i++) {
        if (strcmp(keys[i], "doc") == 0 || strcmp(keys[i], "family") == 0)
            continue;
        lua_getfield(L, 1, keys[i]);
        variant.override[variant.override_count++] =
            (carom_override){loader_text(L, keys[i]), value_text(L, lua_gettop(L), keys[i])};
        lua_pop(L, 1);
    }
    const bool active = load->request->variant && strcmp(load->request->variant, variant.name) == 0;
    if (active && lua_getfield(L, 1, "family") != LUA_TNIL) {
        if (lua_istable(L, -1))
            loader_read_family(L, lua_gettop(L));
        else
            experiment->family_size = experiment->axis_count = 0; /* family = false: none */
        load->variant_has_family = true;
    }
    experiment->variants = loader_grow(L, experiment->variants, experiment->variant_count, sizeof variant);
    experiment->variants[experiment->variant_count++] = variant;
    return 0;
}

static int statement_experiment(lua_State *L)
{
    carom_experiment *experiment = loader_of(L)->experiment;
    loader_check_statement(L, 1, &language_experiment);
    experiment->title = (char *)loader_field_text(L, 1, "title");
    experiment->source = (char *)loader_field_text(L, 1, "source");
    experiment->doc = (char *)loader_field_text(L, 1, "doc");
    return 0;
}

/* ---- descriptions ----------------------------------------------------------------------------- */

static const carom_statement_key experiment_keys[] = {
    {"title", "one line"},
    {"source", "where it was published"},
    {"doc", "several lines"},
    {0},
};

const carom_statement language_experiment = {
    .name = "experiment",
    .summary = "what carom list and carom show tell",
    .example = "experiment { title = \"mass on a belt\", source = \"a lecture, 2024\" }",
    .keys = experiment_keys,
    .call = statement_experiment,
};

static const carom_statement_key param_keys[] = {
    {"doc", "text, shown by carom show"},    {"unit", "text, likewise"},
    {"min", "smallest value allowed"},       {"max", "largest value allowed"},
    {"integer", "true: whole numbers only"}, {0},
};

const carom_statement language_param = {
    .name = "param",
    .summary = "a parameter: a symbol whose value can be set for each run",
    .example = "local e = param { \"e\", 0.8, doc = \"restitution\", min = 0, max = 1 }",
    .keys = param_keys,
    .call = statement_param,
};

static const carom_statement_key input_keys[] = {
    {"doc", "text, shown by carom show"},
    {"unit", "text, likewise"},
    {"min", "smallest value allowed"},
    {"max", "largest value allowed"},
    {0},
};

const carom_statement language_input = {
    .name = "input",
    .summary = "a value from outside, for who steps the motion; constant in a run",
    .example = "local u = input { \"u\", 0, doc = \"force of the motor\" }",
    .keys = input_keys,
    .call = statement_input,
};

static const carom_statement_key setting_keys[] = {
    {"doc", "text, shown by carom show"},
    {"unit", "text, likewise"},
    {"min", "smallest value allowed"},
    {"max", "largest value allowed"},
    {"integer", "true: whole numbers only"},
    {"choices", "of a text: the list of those allowed"},
    {0},
};

const carom_statement language_setting = {
    .name = "setting",
    .summary = "a plain number or text that shapes the model and can be set",
    .example = "local n = setting { \"n\", 4, integer = true, min = 1 }",
    .keys = setting_keys,
    .call = statement_setting,
};

const carom_statement language_variant = {
    .name = "variant",
    .summary = "a named set of values for parameters and settings",
    .example = "variant { \"storm\", doc = \"wind against the throw\", wind = -4 }",
    .call = statement_variant,
};

const carom_statement language_family = {
    .name = "family",
    .summary = "runs beside the main one: a list of values per parameter, or of schemes",
    .example = "family { mu = { 0.1, 0.2, 0.4 } }",
    .call = statement_family,
};
