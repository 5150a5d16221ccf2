/* Reading the answers of a browser: members of JSON, texts, base64. */
#include <string.h>

#include "devtools.h"

/* Behind the text that begins at a quote. */
static const char *skip_text(const char *quoted)
{
    const char *c = quoted + 1;
    while (*c && *c != '"') {
        if (*c == '\\' && c[1])
            c++;
        c++;
    }
    return *c ? c + 1 : c;
}

const char *devtools_member(const char *json, const char *key)
{
    const size_t length = strlen(key);
    for (const char *c = json; *c;) {
        if (*c != '"') {
            c++;
            continue;
        }
        const char *end = skip_text(c), *value = end + strspn(end, " \t\r\n");
        if (*value == ':' && (size_t)(end - c) == length + 2 && memcmp(c + 1, key, length) == 0) {
            value++;
            return value + strspn(value, " \t\r\n");
        }
        c = end;
    }
    return NULL;
}

static void append_unit(unsigned unit, carom_text *text)
{
    char byte[3];
    size_t count = 0;
    if (unit < 0x80) {
        byte[count++] = (char)unit;
    } else if (unit < 0x800) {
        byte[count++] = (char)(0xC0 | unit >> 6);
        byte[count++] = (char)(0x80 | (unit & 0x3F));
    } else if (unit >= 0xD800 && unit < 0xE000) {
        byte[count++] = '?'; /* half of a pair; nothing that is shown has these */
    } else {
        byte[count++] = (char)(0xE0 | unit >> 12);
        byte[count++] = (char)(0x80 | (unit >> 6 & 0x3F));
        byte[count++] = (char)(0x80 | (unit & 0x3F));
    }
    carom_text_append_bytes(text, byte, count);
}

static int digit_of(char c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *place = c ? strchr(digits, c) : NULL;
    return place ? (int)(place - digits) % 16 : -1;
}

/* What stands behind a backslash; returns what follows, NULL: it is no JSON. */
static const char *append_escape(const char *c, carom_text *text)
{
    static const char letter[] = "\"\\/bfnrt", meaning[] = "\"\\/\b\f\n\r\t";
    if (*c == 'u') {
        unsigned unit = 0;
        for (int i = 1; i <= 4; i++) {
            const int digit = digit_of(c[i]);
            if (digit < 0)
                return NULL;
            unit = 16 * unit + (unsigned)digit;
        }
        append_unit(unit, text);
        return c + 5;
    }
    const char *place = *c ? strchr(letter, *c) : NULL;
    if (!place)
        return NULL;
    carom_text_append_bytes(text, &meaning[place - letter], 1);
    return c + 1;
}

bool devtools_text(const char *quoted, carom_text *text)
{
    if (!quoted || *quoted != '"')
        return false;
    const char *c = quoted + 1;
    while (*c && *c != '"') {
        const size_t plain = strcspn(c, "\"\\");
        carom_text_append_bytes(text, c, plain);
        c += plain;
        if (*c == '\\' && !(c = append_escape(c + 1, text)))
            return false;
    }
    return *c == '"' && !text->failed;
}

static int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool devtools_write_base64(const char *letters, FILE *stream)
{
    unsigned bits = 0;
    int count = 0;
    const char *c = letters;
    for (; base64_value(*c) >= 0; c++) {
        bits = (bits << 6 | (unsigned)base64_value(*c)) & 0xFFFFFF;
        count += 6;
        if (count >= 8) {
            count -= 8;
            putc((int)(bits >> count & 0xFF), stream);
        }
    }
    while (*c == '=')
        c++;
    return *c == '"' || *c == '\0';
}
