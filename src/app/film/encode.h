/* Pictures put together to a film by ffmpeg. */
#ifndef CAROM_APP_FILM_ENCODE_H
#define CAROM_APP_FILM_ENCODE_H

#include "app/film.h"

/* Does carom know the ending of the name? BAD_INPUT names those it knows. */
carom_status encode_check(const char *video, carom_error *error);
/* From `pictures`/frame-00000.png ... to the film, whole or not at all. */
carom_status encode_film(const film *self, const char *pictures, int count, carom_error *error);

#endif
