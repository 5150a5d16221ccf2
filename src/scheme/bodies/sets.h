/* Bodies that belong together: union and find, in an array that has for each body another one of its set, and at the
 * root the body itself. */
#ifndef CAROM_SCHEME_BODIES_SETS_H
#define CAROM_SCHEME_BODIES_SETS_H

/* Shortens the way for those who ask later: not for several threads at once. */
static inline int set_root(int *set, int i)
{
    while (set[i] != i) {
        set[i] = set[set[i]];
        i = set[i];
    }
    return i;
}

/* The smaller number is the root: sets come in the order of their first bodies. */
static inline void set_join(int *set, int a, int b)
{
    a = set_root(set, a);
    b = set_root(set, b);
    if (a < b)
        set[b] = a;
    else
        set[a] = b;
}

#endif
