/* Doubles as text with 17 digits, the bytes of printf's %.17g in a small part of its time.
 *
 * A value M 2^E, M of 53 bits, times 10^p with p = 16 - floor(log10 value) is the number D of 17 digits and a fraction, by which
 * it is rounded. 10^p is kept in its first 128 bits, rounded down, and M is moved so that the point is between two words:
 *
 *   M (58 bits) x 10^p (128 bits) = | high  : middle : low |
 *                                   | D     | fraction ... |
 *
 * so the product is too small by less than one unit of the middle word, and the fraction is known to two units of its first 64
 * bits. Where these do not tell on which side of one half it is, as for ties, printf decides. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if defined __SSE2__ && defined __x86_64__
#include <emmintrin.h>
#endif

#include "carom/base.h"

__extension__ typedef unsigned __int128 wide;

enum {
    DIGITS = 17,
    POWER_LEAST = -307, /* the least exponent of ten in a binade; digits need 10^(16 - 308) */
    POWER_MOST = 324,   /* 10^(16 + 308) */
    BINADES = 0x7ff,    /* by the bits of the exponent */
    LIMBS = 42, /* of 32 bits, for 10^324 and for 2^(32 (LIMBS - 1)) / 10^307 with 128 bits and more left */
};
static const uint64_t TEN_8 = 100000000u, TEN_17 = 100000000000000000u;

/* 10^p: its first 128 bits and the exponent of two of the first of them. */
typedef struct power_of_ten {
    uint64_t high, low;
    int64_t exponent;
} power_of_ten;

/* Values between one power of two and the next: the exponent of ten of the least, and where that of the next begins. */
typedef struct binade {
    uint64_t next; /* a mantissa of 53 bits; none: 2^53 */
    int64_t exponent;
} binade;

static power_of_ten power[POWER_MOST - POWER_LEAST + 1];
static binade binades[BINADES];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool has_tables;

/* ---- powers of ten ------------------------------------------------------------------------------------- */

/* floor(x log10(2)) and floor(x log2(10)), for the exponents that there are. */
static int floor_log10_of_2(int x)
{
    return (x * 315653) >> 20;
}

static int floor_log2_of_10(int x)
{
    return (x * 1741647) >> 19;
}

/* The first 128 bits of a positive number of limbs, the least of them first. */
static power_of_ten leading_bits(const uint32_t limb[LIMBS], int p)
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
    return (power_of_ten){(uint64_t)(bits >> 64), (uint64_t)bits, floor_log2_of_10(p)};
}

/* A power of ten in a binade, or at its end, is met when its first 53 bits are reached, and more than them when others follow. */
static binade binade_of(int exponent)
{
    const int least = floor_log10_of_2(exponent);
    binade made = {(uint64_t)1 << 53, least};
    if (least + 1 <= POWER_MOST && floor_log2_of_10(least + 1) == exponent) {
        const power_of_ten *ten = &power[least + 1 - POWER_LEAST];
        made.next = (ten->high >> 11) + ((ten->high << 53 | ten->low) != 0);
    }
    return made;
}

static void make_tables(void)
{
    uint32_t up[LIMBS] = {1}, down[LIMBS] = {0};
    down[LIMBS - 1] = 1;
    for (int p = 0; p <= POWER_MOST; p++) {
        power[p - POWER_LEAST] = leading_bits(up, p);
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
        power[p - POWER_LEAST] = leading_bits(down, p);
    }
    for (int i = 1; i < BINADES; i++)
        binades[i] = binade_of(i - 1023);
    atomic_store_explicit(&has_tables, true, memory_order_release);
}

/* ---- digits -------------------------------------------------------------------------------------------- */

/* A value with these bits of mantissa (53 of them) and exponent as 17 digits and the exponent of the first of them; false: printf
 * must decide. */
static inline bool find_digits(uint64_t m, int biased, uint64_t *digits, int *exponent)
{
    const int64_t k = binades[biased].exponent + (m >= binades[biased].next);
    const power_of_ten *ten = &power[DIGITS - 1 - k - POWER_LEAST];
    const uint64_t moved = m << (biased - 1074 + ten->exponent); /* so that the point is between two words */
    const wide low = (wide)moved * ten->low, high = (wide)moved * ten->high + (uint64_t)(low >> 64);
    const uint64_t fraction = (uint64_t)high, half = (uint64_t)1 << 63;
    *digits = (uint64_t)(high >> 64) + (fraction >> 63);
    *exponent = (int)k;
    return fraction - (half - 2) > 3 && *digits < TEN_17;
}

/* The lowest first. */
static inline void put_bytes(char to[8], uint64_t word)
{
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
        word = __builtin_bswap64(word);
    memcpy(to, &word, sizeof word);
}

#if defined __SSE2__ && defined __x86_64__
typedef __m128i sixteen;

static inline void put_sixteen(char to[16], sixteen letters)
{
    _mm_storeu_si128((__m128i *)(void *)to, letters);
}

static inline uint64_t first_eight(sixteen letters)
{
    return (uint64_t)_mm_cvtsi128_si64(letters);
}

/* All at once: four numbers below 10^4, eight below 100, sixteen below 10, side by side. 5243 / 2^19 and 6554 / 2^16 are 1/100
 * and 1/10, a little too large, and exact enough for so small numbers. */
static inline sixteen spell_sixteen(uint32_t high, uint32_t low)
{
    const __m128i eights = _mm_set_epi64x(low, high);
    const __m128i upper = _mm_srli_epi64(_mm_mul_epu32(eights, _mm_set1_epi64x(3518437209)), 45);
    const __m128i lower = _mm_sub_epi64(eights, _mm_mul_epu32(upper, _mm_set1_epi64x(10000)));
    const __m128i fours = _mm_or_si128(upper, _mm_slli_epi64(lower, 32));
    const __m128i hundreds = _mm_srli_epi16(_mm_mulhi_epu16(fours, _mm_set1_epi16(5243)), 3);
    const __m128i below = _mm_sub_epi16(fours, _mm_madd_epi16(hundreds, _mm_set1_epi16(100)));
    const __m128i twos = _mm_or_si128(hundreds, _mm_slli_epi32(below, 16));
    const __m128i tens = _mm_mulhi_epu16(twos, _mm_set1_epi16(6554));
    __m128i factor = _mm_set1_epi16(2559); /* tens + 256 (twos - 10 tens) */
    __asm__("" : "+x"(factor));            /* a product is one instruction, but compilers make four of it */
    const __m128i digits = _mm_sub_epi16(_mm_slli_epi16(twos, 8), _mm_mullo_epi16(tens, factor));
    return _mm_or_si128(digits, _mm_set1_epi8('0'));
}

static int count_sixteen(sixteen letters)
{
    const int zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(letters, _mm_set1_epi8('0')));
    return 32 - __builtin_clz((unsigned)zeros ^ 0xffffu);
}
#else
typedef struct sixteen {
    uint64_t high, low;
} sixteen;

static inline void put_sixteen(char to[16], sixteen letters)
{
    put_bytes(to, letters.high);
    put_bytes(to + 8, letters.low);
}

static inline uint64_t first_eight(sixteen letters)
{
    return letters.high;
}

/* All at once: two numbers below 10^4, four below 100, eight below 10, side by side in one word. 10486 / 2^20 and 103 / 2^10
 * are 1/100 and 1/10, a little too large, and exact enough for so small numbers. */
static inline uint64_t spell_eight(uint32_t number)
{
    const uint64_t fours = number / 10000u | (uint64_t)(number % 10000u) << 32;
    const uint64_t hundreds = fours * 10486u >> 20 & 0x0000007f0000007fu;
    const uint64_t twos = hundreds | (fours - 100u * hundreds) << 16;
    const uint64_t tens = twos * 103u >> 10 & 0x000f000f000f000fu;
    return tens | (twos - 10u * tens) << 8;
}

static const uint64_t EIGHT_ZEROS = 0x3030303030303030u; /* the letters */

static inline sixteen spell_sixteen(uint32_t high, uint32_t low)
{
    return (sixteen){spell_eight(high) + EIGHT_ZEROS, spell_eight(low) + EIGHT_ZEROS};
}

static int count_sixteen(sixteen letters)
{
    const uint64_t high = letters.high - EIGHT_ZEROS, low = letters.low - EIGHT_ZEROS;
    return low ? 16 - __builtin_clzll(low) / 8 : 8 - __builtin_clzll(high) / 8;
}
#endif

/* A number of 17 digits as letters. */
typedef struct spelling {
    sixteen letters;
    char last;
    int count; /* without the zeros at the end, at least one */
} spelling;

static inline spelling spell(uint64_t number)
{
    const uint64_t upper = number / 10u, high = upper / TEN_8;
    const unsigned last = (unsigned)(number - 10u * upper);
    spelling s = {.last = (char)('0' + last), .count = DIGITS};
    s.letters = spell_sixteen((uint32_t)high, (uint32_t)(upper - high * TEN_8));
    if (last == 0) /* one of ten: finding the first bit of a word takes long on some processors */
        s.count = count_sixteen(s.letters);
    return s;
}

/* Where digits and point are, without a branch: behind 0.000, or the point behind some of the first eight. */
typedef struct arrangement {
    uint64_t before, point; /* bytes of the first word that stay before the point, and the point */
    uint8_t lead;           /* letters before the first digit */
    uint8_t has_point;      /* among the digits */
    uint8_t whole;          /* digits before it */
} arrangement;

enum {
    EXPONENT_LEAST = -4, /* of numbers that are written without one */
    EXPONENT_MOST = 6    /* of those whose point is in the first word */
};

static const arrangement arranged[EXPONENT_MOST - EXPONENT_LEAST + 1] = {
    {UINT64_MAX, 0, .lead = 5},
    {UINT64_MAX, 0, .lead = 4},
    {UINT64_MAX, 0, .lead = 3},
    {UINT64_MAX, 0, .lead = 2},
    {0xff, (uint64_t)'.' << 8, .has_point = 1, .whole = 1},
    {0xffff, (uint64_t)'.' << 16, .has_point = 1, .whole = 2},
    {0xffffff, (uint64_t)'.' << 24, .has_point = 1, .whole = 3},
    {0xffffffff, (uint64_t)'.' << 32, .has_point = 1, .whole = 4},
    {0xffffffffff, (uint64_t)'.' << 40, .has_point = 1, .whole = 5},
    {0xffffffffffff, (uint64_t)'.' << 48, .has_point = 1, .whole = 6},
    {0xffffffffffffff, (uint64_t)'.' << 56, .has_point = 1, .whole = 7},
};

static inline char *put_arranged(char *to, const spelling *s, const arrangement *a)
{
    const uint64_t first = first_eight(s->letters);
    put_bytes(to, 0x3030303030302e30u); /* 0.000000 */
    to += a->lead;
    put_sixteen(to + a->has_point, s->letters);
    to[16 + a->has_point] = s->last;
    put_bytes(to, (first & a->before) | a->point | (first & ~a->before) << 8);
    return to + (s->count > a->whole ? s->count + a->has_point : a->whole);
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

/* d...d.d...d with more digits before the point than fit a word. */
static char *put_large(char *to, const spelling *s, int whole)
{
    char digit[DIGITS];
    put_sixteen(digit, s->letters);
    digit[16] = s->last;
    memcpy(to, digit, (size_t)whole);
    if (s->count <= whole)
        return to + whole;
    to[whole] = '.';
    memcpy(to + whole + 1, digit + whole, (size_t)(DIGITS - whole));
    return to + s->count + 1;
}

/* As %.17g chooses: with an exponent from 1e17 on and below 1e-4. Apart, and by value, so that all else is in registers. */
__attribute__((noinline)) static char *put_far(char *to, spelling s, int exponent)
{
    if (exponent > 0 && exponent < DIGITS)
        return put_large(to, &s, exponent + 1);
    return put_exponent(put_arranged(to, &s, &arranged[-EXPONENT_LEAST]), exponent);
}

static inline char *put_digits(char *to, const spelling *s, int exponent)
{
    if (exponent < EXPONENT_LEAST || exponent > EXPONENT_MOST)
        return put_far(to, *s, exponent);
    return put_arranged(to, s, &arranged[exponent - EXPONENT_LEAST]);
}

/* What is not finite or has few bits, and what is so near to one half that it needs more than 17 digits to tell. */
__attribute__((noinline)) static size_t print_number(char to[CAROM_NUMBER_SIZE], double value)
{
    char text[CAROM_NUMBER_SIZE + 1];
    carom_format(text, sizeof text, "%.17g", value);
    const size_t length = strlen(text);
    memcpy(to, text, length);
    return length;
}

static inline char *put_number(char *to, double value)
{
    uint64_t bits, digits;
    memcpy(&bits, &value, sizeof bits);
    const int exponent = (int)(bits >> 52 & 0x7ff);
    int k;
    to[0] = '-';
    char *end = to + (bits >> 63);
    if (bits << 1 == 0) {
        *end++ = '0';
        return end;
    }
    const uint64_t mantissa_bits = (bits & 0xfffffffffffffu) | 0x10000000000000u;
    if (exponent == 0 || exponent == 0x7ff || !find_digits(mantissa_bits, exponent, &digits, &k))
        return to + print_number(to, value);
    const spelling s = spell(digits);
    return put_digits(end, &s, k);
}

size_t carom_put_numbers(char *to, int count, const double *value, uint16_t *end)
{
    char *next = to;
    if (!atomic_load_explicit(&has_tables, memory_order_acquire)) /* a call fewer than pthread_once */
        pthread_once(&once, make_tables);
    for (int i = 0; i < count; i++) {
        next = put_number(next, value[i]);
        if (end)
            end[i] = (uint16_t)(next - to);
        *next++ = ',';
    }
    return (size_t)(next - to);
}

size_t carom_put_number(char to[CAROM_NUMBER_SIZE], double value)
{
    return carom_put_numbers(to, 1, &value, NULL) - 1;
}
