/* For tests of the schemes for inclusions: a model file's text, moved. */
#ifndef CAROM_TEST_SCHEME_DAI_RUNS_H
#define CAROM_TEST_SCHEME_DAI_RUNS_H

#include "text_runs.h"

static const char *const both[] = {"dai-theta", "dai-euler"};

static inline void expect_refusal_at(const char *text, const char *scheme, double h, const char *word)
{
    motion m = move(text, scheme, h, NAN);
    assert_int_equal(m.status, CAROM_BAD_INPUT);
    assert_mentions(&m.error, word);
    forget(&m);
}

static inline void expect_refusal(const char *text, const char *scheme, const char *word)
{
    expect_refusal_at(text, scheme, 1e-2, word);
}

#endif
