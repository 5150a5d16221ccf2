/* Options of films, the same for every command that makes them. */
#include "app/film.h"

bool film_is_wanted(const film *self)
{
    return self->video || self->frames;
}

static bool read_given_size(film *self, const command *by, const char *size)
{
    if (!size || film_read_size(size, &self->width, &self->height))
        return true;
    report_usage(
        by, "--size needs width and height in pixels, even numbers from %d to %d such as 640x480; got '%s'",
        FILM_SIDE_LEAST, FILM_SIDE_MOST, size);
    return false;
}

bool film_read_options(film *self, const command *by, const arguments *given, int first, bool quiet)
{
    *self = (film){.video = value_of(given, first + FILM_OPTION_VIDEO),
                   .frames = value_of(given, first + FILM_OPTION_FRAMES),
                   .fps = FILM_FPS,
                   .width = FILM_WIDTH,
                   .height = FILM_HEIGHT,
                   .quiet = quiet,
                   .why_empty = "the model does not say how it looks, so that there is nothing to film; add "
                                "draw { disc(x, y, r) } or the like to it (docs/see.md)"};
    for (int option = first + FILM_OPTION_FPS; option < first + FILM_OPTIONS; option++)
        if (has_option(given, option) && !film_is_wanted(self)) {
            report_usage(by, "%s is for a film: give --video FILE.mp4 or --frames DIR, too",
                         given->option[option].name);
            return false;
        }
    return read_given_size(self, by, value_of(given, first + FILM_OPTION_SIZE)) &&
           read_whole(by, &given->option[first + FILM_OPTION_FPS], 1, FILM_FPS_MOST, &self->fps) &&
           read_positive(by, &given->option[first + FILM_OPTION_SPEED], &self->speed);
}
