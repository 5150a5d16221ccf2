/* Commands of the DevTools protocol: {"id": n, "method": ..., "params": {...}, "sessionId": ...}, answered by {"id": n, "result": ...}
 * or {"id": n, "error": ...}; in between the browser tells events, which are not needed here. */
#include "devtools.h"

#include <stdlib.h>
#include <string.h>

#include "app/parts/process.h"
#include "carom/io.h"

static const double START_SECONDS = 60.0, ANSWER_SECONDS = 60.0;

/* Sends and waits for its answer, which stays until the next call. `parameters`: a JSON object, or NULL. */
static carom_status call(devtools *self, const char *method, const char *parameters, double seconds,
                         const char **answer, carom_error *error)
{
    carom_text message = {0};
    const char *session = self->session.bytes;
    const long number = ++self->last;
    const double deadline = carom_seconds() + seconds;
    carom_text_append(&message, "{\"id\":%ld,\"method\":\"%s\",\"params\":%s", number, method,
                      parameters ? parameters : "{}");
    if (session)
        carom_text_append(&message, ",\"sessionId\":\"%s\"", session);
    carom_text_append(&message, "}");
    carom_status status = browser_send(&self->browser, &message, error);
    carom_text_free(&message);
    while (status == CAROM_OK) {
        status = browser_receive(&self->browser, deadline, answer, error);
        /* An answer begins with its number; an event has none there. */
        if (status != CAROM_OK || strncmp(*answer, "{\"id\":", 6) != 0 ||
            strtol(*answer + 6, NULL, 10) != number)
            continue;
        break;
    }
    if (status != CAROM_OK || !devtools_member(*answer, "error") || devtools_member(*answer, "result"))
        return status;
    return carom_fail(error, CAROM_FAILED, "the browser that draws the film refuses %s: %.300s", method,
                      *answer);
}

/* A text of the answer; FAILED: it is not there. */
static carom_status call_for_text(devtools *self, const char *method, const char *parameters, const char *key,
                                  carom_text *text, carom_error *error)
{
    const char *answer;
    const carom_status status = call(self, method, parameters, START_SECONDS, &answer, error);
    if (status != CAROM_OK)
        return status;
    if (!devtools_text(devtools_member(answer, key), text))
        return carom_fail(error, CAROM_FAILED,
                          "the browser answers %s in a way that carom does not know: %.300s", method, answer);
    return CAROM_OK;
}

static carom_status set_size(devtools *self, int width, int height, carom_error *error)
{
    char parameters[160];
    const char *answer;
    snprintf(parameters, sizeof parameters,
             "{\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false}", width, height);
    carom_status status =
        call(self, "Emulation.setDeviceMetricsOverride", parameters, ANSWER_SECONDS, &answer, error);
    if (status == CAROM_OK) /* the same film on every machine */
        status = call(self, "Emulation.setEmulatedMedia",
                      "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"light\"}]}",
                      ANSWER_SECONDS, &answer, error);
    return status;
}

carom_status devtools_open(devtools *self, const char *folder, int width, int height, carom_error *error)
{
    carom_text target = {0}, parameters = {0}, session = {0};
    const char *answer;
    *self = (devtools){0};
    carom_status status = browser_open(&self->browser, folder, width, height, error);
    if (status == CAROM_OK)
        status = call_for_text(self, "Target.createTarget", "{\"url\":\"about:blank\"}", "targetId", &target,
                               error);
    if (status == CAROM_OK) {
        carom_text_append(&parameters, "{\"targetId\":\"%s\",\"flatten\":true}", target.bytes);
        status = parameters.failed ? carom_fail_memory(error)
                                   : call_for_text(self, "Target.attachToTarget", parameters.bytes,
                                                   "sessionId", &session, error);
    }
    self->session = session;
    carom_text_free(&target);
    carom_text_free(&parameters);
    if (status == CAROM_OK)
        status = call(self, "Page.enable", NULL, ANSWER_SECONDS, &answer, error);
    return status == CAROM_OK ? set_size(self, width, height, error) : status;
}

void devtools_close(devtools *self)
{
    browser_close(&self->browser);
    carom_text_free(&self->session);
}

/* A path as an address: letters that mean something there are written as %XX. */
static void append_address(const char *path, carom_text *address)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
    for (const char *c = path; *c; c++)
        if (strchr(plain, *c))
            carom_text_append(address, "%c", *c);
        else
            carom_text_append(address, "%%%02X", (unsigned)(unsigned char)*c);
}

carom_status devtools_navigate(devtools *self, const char *path, carom_error *error)
{
    carom_text parameters = {0};
    const char *answer;
    carom_text_append(&parameters, "{\"url\":\"file://");
    append_address(path, &parameters);
    carom_text_append(&parameters, "\"}");
    const carom_status status =
        parameters.failed ? carom_fail_memory(error)
                          : call(self, "Page.navigate", parameters.bytes, START_SECONDS, &answer, error);
    carom_text_free(&parameters);
    return status;
}

carom_status devtools_evaluate(devtools *self, const char *expression, carom_text *value, carom_error *error)
{
    carom_text whole = {0}, parameters = {0};
    carom_json json = {.text = &parameters};
    const char *answer = "";
    carom_text_append(&whole, "Promise.resolve(%s).then(String)", expression);
    carom_json_object_begin(&json, NULL);
    carom_json_text(&json, "expression", whole.failed ? "" : whole.bytes);
    carom_json_bool(&json, "awaitPromise", true);
    carom_json_object_end(&json);
    carom_status status = whole.failed || parameters.failed ? carom_fail_memory(error) : CAROM_OK;
    if (status == CAROM_OK)
        status = call(self, "Runtime.evaluate", parameters.bytes, ANSWER_SECONDS, &answer, error);
    carom_text_free(&whole);
    carom_text_free(&parameters);
    if (status != CAROM_OK)
        return status;
    if (devtools_member(answer, "exceptionDetails") ||
        !devtools_text(devtools_member(answer, "value"), value))
        return carom_fail(error, CAROM_FAILED, "the page of the film does not work in this browser: %.300s",
                          answer);
    return CAROM_OK;
}

carom_status devtools_picture(devtools *self, FILE *stream, carom_error *error)
{
    const char *answer;
    const carom_status status =
        call(self, "Page.captureScreenshot", "{\"format\":\"png\",\"optimizeForSpeed\":true}", ANSWER_SECONDS,
             &answer, error);
    if (status != CAROM_OK)
        return status;
    const char *data = devtools_member(answer, "data");
    if (!data || *data != '"' || !devtools_write_base64(data + 1, stream))
        return carom_fail(error, CAROM_FAILED, "the browser gives no picture: %.300s", answer);
    return CAROM_OK;
}
