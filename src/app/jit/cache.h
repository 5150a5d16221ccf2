/* The folder of compiled models: private, so that nothing is loaded that others could have written. */
#ifndef CAROM_APP_JIT_CACHE_H
#define CAROM_APP_JIT_CACHE_H

#include "carom/base.h"

/* The path of the folder, which is made when it is not there; NULL, with a reason, when there is none or when others may write to it. */
char *cache_open(carom_error *error);

/* 32 letters that stand for a text. */
enum {
    CACHE_KEY_SIZE = 33
};
void cache_key(const carom_text *text, char key[CACHE_KEY_SIZE]);

/* FOLDER/KEY.so, when it is there, is our own, and was made from exactly this text; NULL otherwise. */
char *cache_find(const char *folder, const char *key, const carom_text *text);
/* Takes over model.c and model.so of a working folder inside the cache; the path of the latter, NULL with a reason on failure. */
char *cache_take(const char *folder, const char *key, const char *from, carom_error *error);

#endif
