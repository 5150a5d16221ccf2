/* Whether this is a build with the address sanitizer, which makes everything several times slower: tests that repeat a
 * computation with other numbers repeat it less often there. */
#ifndef TEST_SANITIZED_H
#define TEST_SANITIZED_H

enum {
#ifdef __SANITIZE_ADDRESS__
    SANITIZED = 1
#else
    SANITIZED = 0
#endif
};

#endif
