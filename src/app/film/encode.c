/* ffmpeg as a child process: one form of film per ending of the name. */
#include "encode.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "app/parts/process.h"
#include "carom/io.h"

enum {
    OPTIONS_MOST = 12
};

typedef struct encoding {
    const char *ending;
    const char *option[OPTIONS_MOST]; /* ends with NULL */
} encoding;

/* mp4 and webm: colours at half the size, which every player shows. gif: the 256 colours that suit all pictures together, and only
 * the part of a picture that changes. */
static const encoding encodings[] = {
    {"mp4", {"-c:v", "libx264", "-crf", "20", "-pix_fmt", "yuv420p", "-movflags", "+faststart", NULL}},
    {"gif",
     {"-filter_complex",
      "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=none:diff_mode=rectangle",
      "-loop", "0", NULL}},
    {"webm", {"-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-pix_fmt", "yuv420p", "-row-mt", "1", NULL}},
};

static const double SECONDS_LEAST = 120.0, SECONDS_PER_MEGAPIXEL = 4.0; /* so long ffmpeg may take */

static const encoding *find_encoding(const char *video)
{
    const char *dot = strrchr(video, '.');
    for (size_t i = 0; dot && i < sizeof encodings / sizeof *encodings; i++)
        if (strcmp(dot + 1, encodings[i].ending) == 0)
            return &encodings[i];
    return NULL;
}

carom_status encode_check(const char *video, carom_error *error)
{
    if (!find_encoding(video))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "--video needs a name that ends with .mp4, .gif or .webm; got '%s'", video);
    if (!process_is_installed("ffmpeg"))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "--video needs ffmpeg, which puts the pictures together, and which is not installed "
            "(Debian: apt-get install ffmpeg); --frames DIR writes the pictures without it");
    return CAROM_OK;
}

static carom_status start(const film *self, const encoding *form, const char *pictures, const char *made,
                          const char *log, pid_t *child, carom_error *error)
{
    char rate[32];
    char *argument[OPTIONS_MOST + 16];
    int count = 0;
    snprintf(rate, sizeof rate, "%d", self->fps);
    const char *const first[] = {"ffmpeg", "-nostdin",   "-y", "-hide_banner", "-loglevel",
                                 "error",  "-framerate", rate, "-i",           "frame-%05d.png"};
    /* exec wants words that could be changed, and changes none. */
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        argument[count++] = (char *)(uintptr_t)first[i];
    for (int i = 0; form->option[i]; i++)
        argument[count++] = (char *)(uintptr_t)form->option[i];
    argument[count++] = (char *)(uintptr_t)made;
    argument[count] = NULL;
    return process_start(argument, &(process_place){.directory = pictures, .log = log, .pipe = -1}, child,
                         error);
}

static carom_status finish(const film *self, int count, pid_t child, const char *log, carom_error *error)
{
    int exit_status = 0;
    char words[512];
    const double megapixels = 1e-6 * self->width * self->height * count;
    if (!process_wait(child, SECONDS_LEAST + SECONDS_PER_MEGAPIXEL * megapixels, &exit_status)) {
        process_kill(child);
        return progress_is_stopped()
                   ? carom_fail(error, CAROM_INTERRUPTED, "stopped while ffmpeg made the film")
                   : carom_fail(error, CAROM_FAILED, "ffmpeg does not come to an end with the film");
    }
    if (WIFEXITED(exit_status) && WEXITSTATUS(exit_status) == 0)
        return CAROM_OK;
    process_last_words(log, words, sizeof words);
    return carom_fail(error, CAROM_FAILED, "ffmpeg could not make %s: %s", self->video,
                      words[0] ? words : "it gave no reason");
}

/* The finished film gets its name, also on another disk. */
static carom_status deliver(const char *made, const char *video, carom_error *error)
{
    char piece[1 << 14];
    carom_output *output = NULL;
    FILE *source = fopen(made, "rb");
    if (!source)
        return carom_fail(error, CAROM_IO_ERROR, "cannot read %s: %s", made, strerror(errno));
    carom_status status = carom_output_open(video, false, &output, error);
    for (size_t count; status == CAROM_OK && (count = fread(piece, 1, sizeof piece, source)) > 0;)
        fwrite(piece, 1, count, carom_output_stream(output));
    if (status == CAROM_OK && ferror(source)) {
        carom_output_discard(output);
        status = carom_fail(error, CAROM_IO_ERROR, "cannot read %s", made);
    } else if (status == CAROM_OK) {
        status = carom_output_commit(output, error);
    }
    fclose(source);
    return status;
}

carom_status encode_film(const film *self, const char *pictures, int count, carom_error *error)
{
    const encoding *form = find_encoding(self->video);
    carom_text made = {0};
    carom_text_append(&made, "%s/film.%s", self->folder, form ? form->ending : "");
    char *log = process_join(self->folder, "ffmpeg.log");
    pid_t child;
    carom_status status = !form || made.failed || !log ? carom_fail_memory(error) : CAROM_OK;
    if (status == CAROM_OK)
        status = start(self, form, pictures, made.bytes, log, &child, error);
    if (status == CAROM_OK)
        status = finish(self, count, child, log, error);
    if (status == CAROM_OK)
        status = deliver(made.bytes, self->video, error);
    carom_text_free(&made);
    free(log);
    return status;
}
