#include "show_study.h"

#include <math.h>
#include <stdio.h>

/* What holds when an input is left out. */
static void append_usual(const carom_study_input *input, carom_text *text)
{
    if (input->choices)
        carom_text_append(text, "%s", input->choices[0]);
    else if (input->usual)
        carom_text_append(text, "%s", input->usual);
    else if (isnan(input->value))
        carom_text_append(text, "must be given");
    else if (input->kind == CAROM_STUDY_FLAG)
        carom_text_append(text, "%s", input->value != 0.0 ? "true" : "false");
    else
        carom_text_append(text, "%.10g", input->value);
}

static void print_text(const carom_study_ops *study)
{
    printf("%s: %s\n\ninputs\n", study->name, study->summary);
    for (const carom_study_input *input = study->inputs; input->name; input++) {
        carom_text usual = {0};
        append_usual(input, &usual);
        printf("  %-18s %s%s%s%s  [%s; %s", input->name, input->doc, input->unit ? " (" : "",
               input->unit ? input->unit : "", input->unit ? ")" : "", carom_study_kind_word(input->kind),
               whole_text(&usual));
        for (int i = 0; input->choices && input->choices[i]; i++)
            printf("%s%s", i ? ", " : "; of ", input->choices[i]);
        printf("]\n");
        carom_text_free(&usual);
    }
    printf("outputs\n");
    for (const carom_study_output *output = study->outputs; output->name; output++)
        printf("  %-18s %s%s%s%s  [%s]\n", output->name, output->doc, output->unit ? " (" : "",
               output->unit ? output->unit : "", output->unit ? ")" : "",
               carom_study_kind_word(output->kind));
}

static void write_row(carom_json *json, const char *name, carom_study_kind kind, const char *unit,
                      const char *doc)
{
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "name", name);
    carom_json_text(json, "kind", carom_study_kind_word(kind));
    carom_json_text(json, "unit", unit ? unit : "");
    carom_json_text(json, "doc", doc);
}

static void write_json(const carom_study_ops *study, carom_json *json)
{
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "name", study->name);
    carom_json_text(json, "summary", study->summary);
    carom_json_array_begin(json, "inputs");
    for (const carom_study_input *input = study->inputs; input->name; input++) {
        carom_text usual = {0};
        append_usual(input, &usual);
        write_row(json, input->name, input->kind, input->unit, input->doc);
        carom_json_text(json, "default", whole_text(&usual));
        carom_json_object_end(json);
        carom_text_free(&usual);
    }
    carom_json_array_end(json);
    carom_json_array_begin(json, "outputs");
    for (const carom_study_output *output = study->outputs; output->name; output++) {
        write_row(json, output->name, output->kind, output->unit, output->doc);
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
    carom_json_object_end(json);
}

carom_status show_study(const char *name, carom_json *json, carom_error *error)
{
    const carom_study_ops *study = carom_study_find(name, error);
    if (!study)
        return CAROM_BAD_INPUT;
    if (json)
        write_json(study, json);
    else
        print_text(study);
    return CAROM_OK;
}
