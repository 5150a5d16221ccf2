/* A walk through a JSON text that is known to be well formed. */
#include "json_place.h"

#include <stdbool.h>
#include <string.h>

typedef struct text_walk {
    const char *text;
    size_t length, at;
} text_walk;

static void skip_space(text_walk *walk)
{
    while (walk->at < walk->length && strchr(" \t\r\n", walk->text[walk->at]))
        walk->at++;
}

static char character(const text_walk *walk)
{
    if (walk->at >= walk->length)
        return '\0';
    return walk->text[walk->at];
}

static void skip_text(text_walk *walk)
{
    walk->at++;
    while (walk->at < walk->length && walk->text[walk->at] != '"')
        walk->at += walk->text[walk->at] == '\\' ? 2 : 1;
    walk->at++;
}

/* To the end of a value: brackets balance, texts may hold anything. */
static void skip_value(text_walk *walk)
{
    long depth = 0;
    while (walk->at < walk->length) {
        const char c = character(walk);
        if (c == '"') {
            skip_text(walk);
            continue;
        }
        if (c == '[' || c == '{')
            depth++;
        if (c == ']' || c == '}')
            depth--;
        if (depth < 0 || (depth == 0 && c == ','))
            return;
        walk->at++;
    }
}

/* From '{' to the value of a key; false: there is none. */
static bool enter_key(text_walk *walk, const char *key)
{
    const size_t length = strlen(key);
    walk->at++;
    for (skip_space(walk); character(walk) == '"'; skip_space(walk)) {
        const size_t start = walk->at + 1;
        skip_text(walk);
        const bool is_it = walk->at == start + length + 1 && memcmp(walk->text + start, key, length) == 0;
        skip_space(walk);
        walk->at++; /* the colon */
        skip_space(walk);
        if (is_it)
            return true;
        skip_value(walk);
        if (character(walk) == ',')
            walk->at++;
    }
    return false;
}

/* From '[' to an element; false: there is none. */
static bool enter_element(text_walk *walk, long index)
{
    if (character(walk) != '[')
        return false;
    walk->at++;
    for (long i = 0; i < index; i++) {
        skip_value(walk);
        if (character(walk) != ',')
            return false;
        walk->at++;
    }
    skip_space(walk);
    return true;
}

long json_place_line(const char *text, size_t length, const char *key, long row, long column)
{
    text_walk walk = {text, length, 0};
    skip_space(&walk);
    if (character(&walk) == '{' && enter_key(&walk, key) && row >= 0 && enter_element(&walk, row) &&
        column >= 0)
        enter_element(&walk, column);
    long line = 1;
    for (size_t i = 0; i < walk.at && i < length; i++)
        line += text[i] == '\n';
    return line;
}
