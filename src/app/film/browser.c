/* Chromium as a child process: it reads messages from its descriptor 3 and writes them to 4, each ended by a zero byte. Both are one
 * socket here, so that writing to a browser that has died is an error and no signal. */
#include "browser.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/command.h"
#include "app/parts/process.h"

static const double SEND_SECONDS = 20.0, CLOSE_SECONDS = 3.0;

enum {
    POLL_MILLISECONDS = 100, /* so long Ctrl-C may wait */
    PIECE = 1 << 16
};
static const size_t MESSAGE_MOST = (size_t)1 << 30;

const char *browser_program(void)
{
    static const char *const known[] = {"chromium", "chromium-browser", "google-chrome",
                                        "google-chrome-stable", "chrome"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (process_is_installed(known[i]))
            return known[i];
    return NULL;
}

static carom_status start(browser *self, const char *folder, int width, int height, int socket,
                          carom_error *error)
{
    char size[64];
    carom_text profile = {0}, program = {0};
    const char *name = browser_program();
    snprintf(size, sizeof size, "--window-size=%d,%d", width, height);
    carom_text_append(&profile, "--user-data-dir=%s/profile", folder);
    carom_text_append(&program, "%s", name ? name : "chromium");
    self->log = process_join(folder, "browser.log");
    carom_status status =
        profile.failed || program.failed || !self->log ? carom_fail_memory(error) : CAROM_OK;
    char headless[] = "--headless=new", pipe[] = "--remote-debugging-pipe", first[] = "--no-first-run",
         plain[] = "--disable-gpu", angle[] = "--use-angle=swiftshader",
         software[] = "--enable-unsafe-swiftshader", shared[] = "--disable-dev-shm-usage",
         extensions[] = "--disable-extensions", network[] = "--disable-background-networking",
         bars[] = "--hide-scrollbars", sandbox[] = "--no-sandbox", blank[] = "about:blank";
    /* As root the browser does not start with its sandbox; the page is our own. */
    char *argument[] = {program.bytes, headless, pipe, first,         plain, angle, software, shared,
                        extensions,    network,  bars, profile.bytes, size,  NULL,  NULL,     NULL};
    int count = 0;
    while (argument[count])
        count++;
    if (geteuid() == 0)
        argument[count++] = sandbox;
    argument[count] = blank;
    if (status == CAROM_OK)
        status =
            process_start(argument, &(process_place){.log = self->log, .temporary = folder, .pipe = socket},
                          &self->child, error);
    carom_text_free(&profile);
    carom_text_free(&program);
    return status;
}

carom_status browser_open(browser *self, const char *folder, int width, int height, carom_error *error)
{
    int end[2];
    *self = (browser){.child = -1, .pipe = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, end) != 0)
        return carom_fail(error, CAROM_IO_ERROR, "cannot start a browser: %s", strerror(errno));
    self->pipe = end[0];
    fcntl(end[0], F_SETFD, FD_CLOEXEC);
    fcntl(end[1], F_SETFD, FD_CLOEXEC);
    fcntl(end[0], F_SETFL, O_NONBLOCK);
    const carom_status status = start(self, folder, width, height, end[1], error);
    close(end[1]);
    return status;
}

static carom_status fail_ended(const browser *self, carom_error *error)
{
    char words[512];
    process_last_words(self->log, words, sizeof words);
    return carom_fail(error, CAROM_FAILED, "the browser that draws the film has ended: %s",
                      words[0] ? words : "it gave no reason");
}

/* Waits until the socket can be read or written. */
static carom_status wait_for(const browser *self, short what, double deadline, carom_error *error)
{
    for (;;) {
        struct pollfd entry = {.fd = self->pipe, .events = what};
        const int ready = poll(&entry, 1, POLL_MILLISECONDS);
        if (progress_is_stopped())
            return carom_fail(error, CAROM_INTERRUPTED, "stopped while the film was drawn");
        if (ready > 0)
            return CAROM_OK;
        if (ready < 0 && errno != EINTR)
            return carom_fail(error, CAROM_IO_ERROR, "cannot hear the browser: %s", strerror(errno));
        if (carom_seconds() > deadline)
            return carom_fail(error, CAROM_FAILED, "the browser that draws the film does not answer");
    }
}

carom_status browser_send(browser *self, const carom_text *message, carom_error *error)
{
    const size_t total = message->length + 1;
    const double deadline = carom_seconds() + SEND_SECONDS;
    if (message->failed)
        return carom_fail_memory(error);
    for (size_t sent = 0; sent < total;) {
        const ssize_t count = send(self->pipe, message->bytes + sent, total - sent, MSG_NOSIGNAL);
        if (count > 0) {
            sent += (size_t)count;
            continue;
        }
        if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
            return fail_ended(self, error);
        const carom_status status = wait_for(self, POLLOUT, deadline, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

static bool make_room(browser *self)
{
    if (self->capacity - self->length >= PIECE)
        return true;
    if (self->capacity > MESSAGE_MOST)
        return false;
    const size_t capacity = 2 * self->capacity + PIECE;
    char *buffer = realloc(self->buffer, capacity);
    if (!buffer)
        return false;
    self->buffer = buffer;
    self->capacity = capacity;
    return true;
}

carom_status browser_receive(browser *self, double deadline, const char **message, carom_error *error)
{
    /* The message of the call before goes. */
    if (self->taken > 0)
        memmove(self->buffer, self->buffer + self->taken, self->length - self->taken);
    self->length -= self->taken;
    self->taken = 0;
    for (size_t searched = 0;;) {
        const char *end =
            self->length > searched ? memchr(self->buffer + searched, 0, self->length - searched) : NULL;
        if (end) {
            self->taken = (size_t)(end - self->buffer) + 1;
            *message = self->buffer;
            return CAROM_OK;
        }
        searched = self->length;
        if (!make_room(self))
            return carom_fail_memory(error);
        const carom_status status = wait_for(self, POLLIN, deadline, error);
        if (status != CAROM_OK)
            return status;
        const ssize_t count = recv(self->pipe, self->buffer + self->length, PIECE, 0);
        if (count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
            return fail_ended(self, error);
        if (count > 0)
            self->length += (size_t)count;
    }
}

void browser_close(browser *self)
{
    int exit_status;
    if (self->child > 0) {
        /* A browser whose socket ends goes by itself, and its children with it; what then is left is killed. */
        close(self->pipe);
        self->pipe = -1;
        process_wait(self->child, CLOSE_SECONDS, &exit_status);
        process_kill(self->child);
    }
    if (self->pipe >= 0)
        close(self->pipe);
    free(self->log);
    free(self->buffer);
    *self = (browser){.child = -1, .pipe = -1};
}
