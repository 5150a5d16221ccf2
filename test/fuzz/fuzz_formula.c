/* Any text as a formula of x and m: what is read is differentiated and evaluated. */
#include "carom/expr.h"
#include "fuzz.h"

static carom_node find(void *context, const char *name, bool rate)
{
    carom_graph *graph = context;
    if (strcmp(name, "x") == 0)
        return carom_leaf(graph, rate ? CAROM_OP_VELOCITY : CAROM_OP_COORDINATE, 0);
    return strcmp(name, "m") == 0 && !rate ? carom_leaf(graph, CAROM_OP_PARAMETER, 0) : CAROM_NO_NODE;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = fuzz_text(bytes, size);
    carom_graph *graph = carom_graph_create(100000);
    const carom_symbols symbols = {.find = find, .context = graph};
    carom_error error = {0};
    const carom_node node = carom_formula(graph, text, &symbols, &error);
    if (node == CAROM_NO_NODE)
        fuzz_expect(error.text[0] != '\0' && carom_is_plain(error.text));
    else
        carom_time_derivative(graph, node);
    carom_graph_free(graph);
    free(text);
    return 0;
}
