/* The statements by name. */
#include "io/lua/statements.h"

#include "io/lua/loader.h"

#define CAROM_REGISTRY_TYPE const carom_statement
CAROM_REGISTRY(statements, "statement", STATEMENTS);

size_t carom_statement_count(void)
{
    return carom_registry_count(&statements);
}

const carom_statement *carom_statement_at(size_t index)
{
    return carom_registry_at(&statements, index);
}

const carom_statement *carom_statement_find(const char *name, carom_error *error)
{
    return carom_registry_find(&statements, name, error);
}

void loader_open_statements(lua_State *L)
{
    for (size_t i = 0; i < carom_statement_count(); i++) {
        const carom_statement *statement = carom_statement_at(i);
        if (statement->open)
            statement->open(L);
        if (!statement->call)
            continue;
        lua_pushcfunction(L, statement->call);
        lua_setglobal(L, statement->name);
    }
}
