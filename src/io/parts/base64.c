#include "base64.h"

#include <string.h>

void base64_letters(base64_rest *rest, char letter[4])
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned group = (unsigned)rest->byte[0] << 16 | (unsigned)rest->byte[1] << 8 | rest->byte[2];
    for (int i = 0; i < 4; i++)
        letter[i] = (char)(i <= rest->count ? alphabet[group >> (18 - 6 * i) & 63] : '=');
    *rest = (base64_rest){0};
}

void base64_append(carom_text *text, size_t count, const char *bytes)
{
    enum {
        PIECE = 4096
    };
    char piece[PIECE];
    size_t filled = 0;
    base64_rest rest = {0};
    for (size_t i = 0; i < count; i++) {
        rest.byte[rest.count++] = (unsigned char)bytes[i];
        if (rest.count < 3 && i + 1 < count)
            continue;
        base64_letters(&rest, piece + filled);
        filled += 4;
        if (filled == PIECE) {
            carom_text_append_bytes(text, piece, filled);
            filled = 0;
        }
    }
    carom_text_append_bytes(text, piece, filled);
}
