/* Texts of plots: Greek letters by their names. */
#include <string.h>

#include "plot_layers.h"

static const struct {
    const char *name, *letter;
} greek[] = {
    {"alpha", "α"},   {"beta", "β"},  {"gamma", "γ"},  {"delta", "δ"}, {"epsilon", "ε"}, {"zeta", "ζ"},
    {"eta", "η"},     {"theta", "θ"}, {"iota", "ι"},   {"kappa", "κ"}, {"lambda", "λ"},  {"mu", "μ"},
    {"nu", "ν"},      {"xi", "ξ"},    {"pi", "π"},     {"rho", "ρ"},   {"sigma", "σ"},   {"tau", "τ"},
    {"upsilon", "υ"}, {"phi", "φ"},   {"chi", "χ"},    {"psi", "ψ"},   {"omega", "ω"},   {"Gamma", "Γ"},
    {"Delta", "Δ"},   {"Theta", "Θ"}, {"Lambda", "Λ"}, {"Xi", "Ξ"},    {"Pi", "Π"},      {"Sigma", "Σ"},
    {"Upsilon", "Υ"}, {"Phi", "Φ"},   {"Psi", "Ψ"},    {"Omega", "Ω"},
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The letter whose name begins the text and ends there as a word of letters; NULL: none. */
static const char *letter_at(const char *text, size_t *length)
{
    for (*length = 0; is_letter(text[*length]);)
        ++*length;
    for (size_t i = 0; i < sizeof greek / sizeof *greek; i++)
        if (strlen(greek[i].name) == *length && strncmp(greek[i].name, text, *length) == 0)
            return greek[i].letter;
    return NULL;
}

/* A letter has two bytes, and every name with its backslash at least three: the result is never longer. */
static char *with_letters(lua_State *L, const char *text)
{
    char *result = loader_text(L, text), *to = result;
    while (*text) {
        size_t length = 0;
        const char *letter = *text == '\\' ? letter_at(text + 1, &length) : NULL;
        if (letter) {
            memcpy(to, letter, strlen(letter));
            to += strlen(letter);
            text += 1 + length;
        } else {
            *to++ = *text++;
        }
    }
    *to = '\0';
    return result;
}

char *plot_label(lua_State *L, int index, const char *key)
{
    const char *text = loader_field_text(L, index, key);
    return text ? with_letters(L, text) : NULL;
}

char *plot_symbol_label(lua_State *L, const char *name)
{
    size_t length = 0;
    const char *letter = letter_at(name, &length);
    const char *rest = name + length;
    rest += *rest == '_';
    const bool numbered = strlen(rest) <= 2 && strspn(rest, "0123456789") == strlen(rest);
    if (!letter || !numbered)
        return loader_text(L, name);
    const char *text = lua_pushfstring(L, *rest ? "%s_%s" : "%s%s", letter, rest);
    char *label = loader_text(L, text);
    lua_pop(L, 1);
    return label;
}
