/* Doubles as text with 17 digits, the bytes of printf's %.17g in a tenth of its time.
 *
 * A value M 2^E, M of 64 bits, times 10^p with p = 16 - floor(log10 value) is the number D of 17 digits and a fraction, by which
 * it is rounded. 10^p is kept in its first 128 bits, rounded down, so the product is too small by less than one unit of its
 * middle word:
 *
 *   M (64 bits) x 10^p (128 bits) = | high  : middle : low |
 *                                   | D     | fraction ... |
 *
 * and the fraction is known to two units of its first 64 bits. Where these do not tell on which side of one half it is, as for
 * ties, printf decides. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "carom/base.h"

__extension__ typedef unsigned __int128 wide;

enum {
    DIGITS = 17,
    POWER_LEAST = -292, /* 10^(16 - 308) */
    POWER_MOST = 324,   /* 10^(16 + 308) */
    LIMBS = 42, /* of 32 bits, for 10^324 and for 2^(32 (LIMBS - 1)) / 10^292 with 128 bits and more left */
};
static const uint64_t TEN_8 = 100000000u, TEN_16 = 10000000000000000u, TEN_17 = 100000000000000000u;

typedef struct mantissa {
    uint64_t high, low;
} mantissa;

static mantissa power[POWER_MOST - POWER_LEAST + 1];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool has_tables;

/* ---- powers of ten ------------------------------------------------------------------------------------- */

/* The first 128 bits of a positive number of limbs, the least of them first. */
static mantissa leading_bits(const uint32_t limb[LIMBS])
{
    int top = LIMBS - 1;
    while (limb[top] == 0)
        top--;
    wide bits = 0;
    for (int i = 0; i < 4; i++)
        bits = bits << 32 | (top - i >= 0 ? limb[top - i] : 0u);
    uint32_t next = top >= 4 ? limb[top - 4] : 0u;
    for (; !(bits >> 127); next <<= 1)
        bits = bits << 1 | next >> 31;
    return (mantissa){(uint64_t)(bits >> 64), (uint64_t)bits};
}

static void make_tables(void)
{
    uint32_t up[LIMBS] = {1}, down[LIMBS] = {0};
    down[LIMBS - 1] = 1;
    for (int p = 0; p <= POWER_MOST; p++) {
        power[p - POWER_LEAST] = leading_bits(up);
        uint64_t carry = 0;
        for (int i = 0; i < LIMBS; i++) {
            carry += (uint64_t)up[i] * 10u;
            up[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    for (int p = -1; p >= POWER_LEAST; p--) { /* floor(floor(x / 10) / 10) is floor(x / 100) */
        uint64_t rest = 0;
        for (int i = LIMBS - 1; i >= 0; i--) {
            rest = rest << 32 | down[i];
            down[i] = (uint32_t)(rest / 10u);
            rest %= 10u;
        }
        power[p - POWER_LEAST] = leading_bits(down);
    }
    atomic_store_explicit(&has_tables, true, memory_order_release);
}

/* floor(x log10(2)) and floor(x log2(10)), for the exponents that there are. */
static int floor_log10_of_2(int x)
{
    return (x * 315653) >> 20;
}

static int floor_log2_of_10(int x)
{
    return (x * 1741647) >> 19;
}

/* ---- digits -------------------------------------------------------------------------------------------- */

/* The value m 2^e with m of 64 bits as 17 digits and the exponent of the first of them; false: printf must decide. */
static bool find_digits(uint64_t m, int e, uint64_t *digits, int *exponent)
{
    int k = floor_log10_of_2(e + 63);
    for (;; k++) { /* the exponent of two allows for two of ten */
        const int p = DIGITS - 1 - k;
        const mantissa ten = power[p - POWER_LEAST];
        const int shift = -(e + floor_log2_of_10(p) - 127) - 128; /* of the high word */
        const wide low = (wide)m * ten.low, high = (wide)m * ten.high + (uint64_t)(low >> 64);
        const uint64_t first = (uint64_t)(high >> 64), second = (uint64_t)high;
        uint64_t whole = first >> shift;
        if (whole >= TEN_17)
            continue;
        const uint64_t fraction = first << (64 - shift) | second >> shift, half = (uint64_t)1 << 63;
        if (fraction + 2 >= half && fraction <= half + 1)
            return false;
        whole += fraction > half;
        *digits = whole == TEN_17 ? TEN_16 : whole;
        *exponent = whole == TEN_17 ? k + 1 : k;
        return true;
    }
}

/* Digits of a number of 17, each a byte, the first of eight in the lowest. */
typedef struct spelling {
    uint64_t first, high, low; /* 1, 8 and 8 digits */
    int count;                 /* without the zeros at the end, at least one */
} spelling;

/* All eight at once: two numbers below 10^4, four below 100, eight below 10, side by side in one word. 10486 / 2^20 and 103 / 2^10
 * are 1/100 and 1/10, a little too large, and exact enough for so small numbers. */
static uint64_t spell_eight(uint32_t number)
{
    const uint64_t fours = number / 10000u | (uint64_t)(number % 10000u) << 32;
    const uint64_t hundreds = fours * 10486u >> 20 & 0x0000007f0000007fu;
    const uint64_t twos = hundreds | (fours - 100u * hundreds) << 16;
    const uint64_t tens = twos * 103u >> 10 & 0x000f000f000f000fu;
    return tens | (twos - 10u * tens) << 8;
}

static int bytes_used(uint64_t word)
{
    return 8 - __builtin_clzll(word) / 8;
}

static spelling spell(uint64_t number)
{
    const uint64_t upper = number / TEN_8;
    spelling s = {.first = upper / TEN_8};
    s.high = spell_eight((uint32_t)(upper - s.first * TEN_8));
    s.low = spell_eight((uint32_t)(number - upper * TEN_8));
    s.count = s.low ? 9 + bytes_used(s.low) : s.high ? 1 + bytes_used(s.high) : 1;
    return s;
}

/* The lowest first. */
static void put_bytes(char to[8], uint64_t word)
{
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
        word = __builtin_bswap64(word);
    memcpy(to, &word, sizeof word);
}

static const uint64_t EIGHT_ZEROS = 0x3030303030303030u; /* the letters */

static void put_all_digits(char *to, const spelling *s)
{
    to[0] = (char)('0' + s->first);
    put_bytes(to + 1, s->high + EIGHT_ZEROS);
    put_bytes(to + 9, s->low + EIGHT_ZEROS);
}

/* d.ddd, or d alone. */
static char *put_with_point(char *to, const spelling *s)
{
    put_all_digits(to + 1, s);
    to[0] = to[1];
    to[1] = '.';
    return to + (s->count > 1 ? 1 + s->count : 1);
}

static char *put_exponent(char *to, int exponent)
{
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    const int size = exponent < 0 ? -exponent : exponent;
    if (size >= 100)
        *to++ = (char)('0' + size / 100);
    to[0] = (char)('0' + size / 10 % 10);
    to[1] = (char)('0' + size % 10);
    return to + 2;
}

/* As %.17g chooses: with an exponent from 1e17 on and below 1e-4. */
static char *put_digits(char *to, const spelling *s, int exponent)
{
    if (exponent < -4 || exponent >= DIGITS)
        return put_exponent(put_with_point(to, s), exponent);
    if (exponent == 0)
        return put_with_point(to, s);
    if (exponent < 0) {
        memcpy(to, "0.000", 5);
        to += 1 - exponent;
        put_all_digits(to, s);
        return to + s->count;
    }
    const int whole = exponent + 1;
    char digit[DIGITS];
    put_all_digits(to, s);
    if (s->count <= whole)
        return to + whole;
    put_all_digits(digit, s);
    to[whole] = '.';
    memcpy(to + whole + 1, digit + whole, (size_t)(DIGITS - whole));
    return to + s->count + 1;
}

size_t carom_put_number(char to[CAROM_NUMBER_SIZE], double value)
{
    uint64_t bits, digits;
    memcpy(&bits, &value, sizeof bits);
    const bool negative = bits >> 63 != 0;
    const int exponent = (int)(bits >> 52 & 0x7ff);
    char *end = to;
    int k;
    if (negative)
        *end++ = '-';
    if (bits << 1 == 0) {
        *end++ = '0';
        return (size_t)(end - to);
    }
    if (!atomic_load_explicit(&has_tables, memory_order_acquire)) /* a call fewer than pthread_once */
        pthread_once(&once, make_tables);
    const uint64_t mantissa_bits = (bits & 0xfffffffffffffu) | 0x10000000000000u;
    if (exponent == 0 || exponent == 0x7ff ||
        !find_digits(mantissa_bits << 11, exponent - 1086, &digits, &k)) {
        char text[CAROM_NUMBER_SIZE + 1];
        carom_format(text, sizeof text, "%.17g", value);
        const size_t length = strlen(text);
        memcpy(to, text, length);
        return length;
    }
    const spelling s = spell(digits);
    return (size_t)(put_digits(end, &s, k) - to);
}
