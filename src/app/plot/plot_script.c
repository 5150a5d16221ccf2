/* The gnuplot script of a plot: readable, so that people can change it. */
#include <math.h>
#include <string.h>

#include "app/plot_parts.h"

/* Okabe and Ito's colours for all kinds of colour vision; yellow, too pale for lines, is replaced by grey. */
static const char *const palette[CAROM_PALETTE_SIZE] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                        "#E69F00", "#56B4E9", "#333333", "#999999"};

/* Points of viridis, the sequential colour map, without its palest end. */
static const unsigned char viridis[][3] = {{68, 1, 84},    {72, 40, 120},  {62, 74, 137},
                                           {49, 104, 142}, {38, 130, 142}, {31, 158, 137},
                                           {53, 183, 121}, {110, 206, 88}, {181, 222, 43}};

static void append_member_colour(carom_text *script, int member, int count)
{
    int last = (int)(sizeof viridis / sizeof *viridis) - 1;
    double place = count > 1 ? (double)member * last / (count - 1) : 0.0;
    int below = (int)place < last ? (int)place : last - 1;
    double part = place - below;
    unsigned colour[3];
    for (int i = 0; i < 3; i++)
        colour[i] = (unsigned)lround((1.0 - part) * viridis[below][i] + part * viridis[below + 1][i]);
    carom_text_append(script, "#%02X%02X%02X", colour[0], colour[1], colour[2]);
}

/* One character of a text in double quotes. Where gnuplot itself looks into its script before it knows of texts - for
 * commands of the shell in backquotes, macros, ends of quotes and of blocks, comments - it finds letters only: all marks
 * are octal numbers. Those of enhanced text (_ ^ { } @ & ~ \) have a backslash before them. */
static void append_character(carom_text *script, const char *bytes, size_t length)
{
    const unsigned char c = (unsigned char)bytes[0];
    if (length > 1 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
        strchr(" .,:;+-*/=()<>|", c))
        carom_text_append_bytes(script, bytes, length);
    else if (c < 0x20)
        carom_text_append(script, " ");
    else if (strchr("_^&~", c))
        carom_text_append(script, "\\\\%c", c);
    else
        carom_text_append(script, strchr("{}@\\", c) ? "\\134\\%03o" : "\\%03o", c);
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Subscripts and superscripts: x_1, F_N, x_12, m^2, x_{any}; one or two letters or digits without braces, so that names such as
 * kinetic_energy stay as they are. The length of what is lowered or raised, 0: it is none; `skip` characters stand before it and
 * behind it (braces). */
static size_t script_length(const char *text, const char *at, size_t *skip)
{
    enum {
        LONGEST = 2
    };
    size_t length = 0;
    *skip = 0;
    if ((*at != '_' && *at != '^') || at == text)
        return 0;
    if (at[1] == '{') {
        *skip = 1;
        length = strcspn(at + 2, "{}");
        return at[2 + length] == '}' ? length : 0;
    }
    while (is_word(at[1 + length]))
        length++;
    return length <= LONGEST && at[1 + length] != '_' ? length : 0;
}

static void append_plain_characters(carom_text *script, const char *from, const char *end, bool is_format)
{
    for (const char *at = from; at < end; at += carom_utf8_length(at)) {
        append_character(script, at, carom_utf8_length(at));
        if (is_format && *at == '%') /* %% is one of them */
            append_character(script, at, 1);
    }
}

static void append_string(carom_text *script, const char *text, bool is_format)
{
    carom_text plain = {0};
    carom_text_append_plain(&plain, text);
    carom_text_append(script, "\"");
    const char *whole = plain.bytes ? plain.bytes : "", *at = whole;
    while (*at) {
        size_t skip = 0;
        const size_t lowered = script_length(whole, at, &skip);
        const char *next = at + carom_utf8_length(at);
        if (lowered > 0) {
            const char *inner = at + 1 + skip;
            carom_text_append(script, "%c{", *at);
            append_plain_characters(script, inner, inner + lowered, is_format);
            carom_text_append(script, "}");
            next = inner + lowered + skip;
        } else {
            append_plain_characters(script, at, next, is_format);
        }
        at = next;
    }
    carom_text_append(script, "\"");
    script->failed = script->failed || plain.failed;
    carom_text_free(&plain);
}

void plot_append_quoted(carom_text *script, const char *text)
{
    append_string(script, text, false);
}

void plot_append_text(carom_text *script, const carom_text *text)
{
    script->failed = script->failed || text->failed;
    plot_append_quoted(script, text->bytes ? text->bytes : "");
}

void plot_append_tic_label(carom_text *script, const char *text)
{
    append_string(script, text, true);
}

void plot_append_comment(carom_text *script, const char *text)
{
    carom_text plain = {0};
    carom_text_append_plain(&plain, text ? text : "");
    for (const char *at = plain.bytes ? plain.bytes : ""; *at; at++)
        carom_text_append_bytes(script, (unsigned char)*at < 0x20 || strchr("`@\\", *at) ? " " : at, 1);
    script->failed = script->failed || plain.failed;
    carom_text_free(&plain);
}

void plot_append_palette(carom_text *script)
{
    const int count = (int)(sizeof viridis / sizeof *viridis);
    carom_text_append(script, "set palette defined (");
    for (int i = 0; i < count; i++)
        carom_text_append(script, "%s%d '#%02X%02X%02X'", i ? ", " : "", i, (unsigned)viridis[i][0],
                          (unsigned)viridis[i][1], (unsigned)viridis[i][2]);
    carom_text_append(script, ")   # viridis\n");
}

static void append_setting(carom_text *script, const char *setting, const char *text)
{
    if (plot_text_given(text)) {
        carom_text_append(script, "    set %s ", setting);
        plot_append_quoted(script, text);
        carom_text_append(script, "\n");
    } else {
        carom_text_append(script, "    unset %s\n", setting);
    }
}

/* ---- head ------------------------------------------------------------------------------------------ */

static bool uses_member_styles(const plot_drawing *drawing)
{
    const carom_figure *figure = drawing->figure;
    for (int i = 0; i < figure->panel_count; i++)
        for (int k = 0; k < figure->panel[i].curve_count; k++)
            if (figure->panel[i].curve[k].tint == CAROM_TINT_SEQUENCE)
                return true;
    return false;
}

static void append_member_styles(const plot_drawing *drawing, carom_text *script)
{
    if (!uses_member_styles(drawing))
        return;
    carom_text_append(script, "# members of the family, first to last (viridis)\n");
    for (int i = 0; i < drawing->member_count; i++) {
        carom_text_append(script, "set style line %d linecolor rgb '", PLOT_STYLE_MEMBER + i);
        append_member_colour(script, i, drawing->member_count);
        carom_text_append(script, "' linewidth 1.3\n");
    }
}

/* Early profiles are light, late ones dark. */
static void append_time_colours(const plot_drawing *drawing, carom_text *script)
{
    bool used = false;
    for (int i = 0; i < drawing->figure->panel_count; i++)
        used = used || plot_has_colour_box(&drawing->box[i]);
    if (!used)
        return;
    carom_text_append(script, "# colours of the profiles, first to last time (viridis)\n"
                              "set palette defined (");
    const int count = (int)(sizeof viridis / sizeof *viridis);
    for (int i = 0; i < count; i++) {
        const unsigned char *colour = viridis[count - 1 - i];
        carom_text_append(script, "%s%d '#%02X%02X%02X'", i == 0 ? "" : ", ", i, colour[0], colour[1],
                          colour[2]);
    }
    carom_text_append(script, ")\n"
                              "set cblabel 't'\n");
}

static void append_styles(carom_text *script)
{
    carom_text_append(script, "# colours that all kinds of colour vision can tell apart (Okabe, Ito)\n");
    for (int i = 0; i < CAROM_PALETTE_SIZE; i++)
        carom_text_append(script, "set style line %d linecolor rgb '%s' linewidth 1.6\n", i + 1, palette[i]);
    carom_text_append(script, "# the main run beside a family; outlines\n");
    carom_text_append(script, "set style line %d linecolor rgb '#222222' linewidth 1.6\n", PLOT_STYLE_MAIN);
    carom_text_append(script, "set style line %d linecolor rgb '#444444' linewidth 1.0\n",
                      PLOT_STYLE_OUTLINE);
}

void plot_append_head(carom_text *script, const char *name)
{
    carom_text_append(
        script,
        "# Made by carom. To draw it again after a change, run in this folder:\n"
        "#\n"
        "#     gnuplot %s.gp\n"
        "#\n"
        "# It reads %s.dat, where each block says what it holds, and makes %s.svg, %s.png and %s.pdf.\n\n"
        "data = '%s.dat'\n"
        "png_scale = 1   # 2 or 3: a png with more pixels\n\n",
        name, name, name, name, name, name);
    carom_text_append(script, "set encoding utf8\n"
                              "set minussign\n"
                              "set border 15 linecolor rgb '#808080' linewidth 0.8\n"
                              "set tics out nomirror scale 0.6 textcolor rgb '#303030'\n"
                              "set grid linetype 1 linecolor rgb '#E2E2E2' linewidth 0.7\n"
                              "set clip two\n"
                              "set style increment user\n");
    append_styles(script);
}

void plot_append_terminals(carom_text *script, const char *name, int width, int height)
{
    /* svg counts fonts in pixels, png in points of 4/3 pixels. */
    carom_text_append(
        script,
        "kinds = strstrt(GPVAL_TERMINALS, 'pdfcairo') > 0 ? 'svg png pdf' : 'svg png'\n"
        "do for [kind in kinds] {\n"
        "    if (kind eq 'svg') {\n"
        "        set terminal svg size %d,%d fixed enhanced font 'DejaVu Sans,10' fontscale 1.33 \\\n"
        "            background rgb 'white'\n"
        "    }\n    if (kind eq 'pdf') {\n"
        "        set terminal pdfcairo size %d./96,%d./96 enhanced font 'DejaVu Sans,10' fontscale 0.75 \\\n"
        "            linewidth 1.4\n"
        "    }\n    if (kind eq 'png') {\n"
        "        set terminal pngcairo size png_scale*%d,png_scale*%d enhanced "
        "font 'DejaVu Sans,10' \\\n"
        "            fontscale png_scale linewidth png_scale pointscale png_scale\n"
        "    }\n"
        "    set output '%s.' . kind\n",
        width, height, width, height, width, height, name);
}

/* ---- panels ---------------------------------------------------------------------------------------- */

void plot_append_range(carom_text *script, const char *axis, carom_range range)
{
    carom_text_append(script, "    set %srange [%.10g:%.10g]\n", axis, range.low, range.high);
    /* Numbers that differ late need more digits than usual. */
    double size = fmax(fabs(range.low), fabs(range.high));
    bool narrow = fabs(range.high - range.low) < 1e-4 * size;
    carom_text_append(script, "    set format %s '%s'\n", axis, narrow ? "%.11g" : "%h");
}

/* From the box upwards: the key when it is above, then the title. */
static void append_title_and_key(const plot_box *box, const char *title, carom_text *script)
{
    const double gap = 7.0; /* pixels between the box and the key */
    bool key_above = box->key_entries > 0 && !box->key_at_right, titled = plot_text_given(title);
    append_setting(script, "title", title);
    if (titled && key_above)
        carom_text_append(script, "    set title offset 0,1.2\n");
    carom_text_append(script, "    set tmargin %g\n", 1.0 + (titled ? 1.8 : 0.0) + (key_above ? 1.6 : 0.0));
    if (box->key_entries == 0)
        carom_text_append(script, "    unset key\n");
    else if (box->key_at_right)
        carom_text_append(script, "    set key outside right top vertical Left reverse samplen 1.8 "
                                  "spacing 1.15 textcolor rgb '#303030'\n");
    else
        carom_text_append(script,
                          "    set key at graph 0,%.3f left bottom horizontal Left reverse samplen 1.8 "
                          "textcolor rgb '#303030'\n",
                          1.0 + gap / box->height);
}

static const char *dash_of(const char *style)
{
    if (style && strcmp(style, "dashed") == 0)
        return " dashtype (10,5)";
    if (style && strcmp(style, "dotted") == 0)
        return " dashtype (2.5,3.5)";
    return "";
}

static bool is_point_style(const char *style)
{
    return style && strcmp(style, "solid") != 0 && strcmp(style, "dashed") != 0 &&
           strcmp(style, "dotted") != 0;
}

static const char *point_of(const carom_curve *curve)
{
    const char *style = curve->layer->style ? curve->layer->style : "";
    if (strcmp(style, "cross") == 0)
        return " pointtype 2 pointsize 0.8";
    if (strcmp(style, "plus") == 0)
        return " pointtype 1 pointsize 0.8";
    if (strcmp(style, "circle") == 0)
        return " pointtype 6 pointsize 0.8";
    if (strcmp(style, "dot") == 0)
        return " pointtype 7 pointsize 0.2";
    if (curve->layer->kind == CAROM_LAYER_CONTACTS)
        return " pointtype 5 pointsize 0.25";
    const size_t crowd = 400;
    return curve->count > crowd ? " pointtype 7 pointsize 0.25" : " pointtype 7 pointsize 0.5";
}

/* Full marks where something begins, open ones where it ends. */
static int mark_of(int kind)
{
    static const int point_type[] = {
        [CAROM_EVENT_IMPACT] = 7,  [CAROM_EVENT_CONTACT] = 7, [CAROM_EVENT_STICK] = 5,
        [CAROM_EVENT_RELEASE] = 6, [CAROM_EVENT_SLIP] = 4,    [CAROM_EVENT_STOP] = 9};
    return point_type[kind];
}

static int style_of(const carom_curve *curve)
{
    switch (curve->tint) {
    case CAROM_TINT_PALETTE:
        return 1 + curve->tint_number;
    case CAROM_TINT_SEQUENCE:
        return PLOT_STYLE_MEMBER + curve->tint_number;
    case CAROM_TINT_MAIN:
        return PLOT_STYLE_MAIN;
    case CAROM_TINT_OUTLINE:
        break;
    }
    return PLOT_STYLE_OUTLINE;
}

static void append_drawn(const plot_box *box, const carom_curve *curve, carom_text *script)
{
    const char *style = curve->layer->style;
    const int line_style = style_of(curve);
    if (curve->mark >= 0) {
        carom_text_append(script, "2:3 with points linestyle %d pointtype %d pointsize 0.7", line_style,
                          mark_of(curve->mark));
        return;
    }
    switch (curve->layer->kind) {
    case CAROM_LAYER_PROFILE:
        carom_text_append(script, plot_has_colour_box(box) ? "2:3:1" : "2:3");
        carom_text_append(script, " with lines linestyle %d%s linewidth 1.2%s", line_style, dash_of(style),
                          plot_has_colour_box(box) ? " linecolor palette" : "");
        break;
    case CAROM_LAYER_LINE:
        if (curve->layer->numbered)
            carom_text_append(script, "2:3 with linespoints linestyle %d%s pointtype 7 pointsize 0.4",
                              line_style, dash_of(style));
        else
            carom_text_append(script, "2:3 with lines linestyle %d%s", line_style, dash_of(style));
        break;
    case CAROM_LAYER_CONTACTS:
    case CAROM_LAYER_POINTS:
        carom_text_append(script, "2:3 with points linestyle %d%s", line_style, point_of(curve));
        break;
    case CAROM_LAYER_VALUES:
        carom_text_append(script, "2:3 with linespoints linestyle %d linewidth 0.7%s", line_style,
                          point_of(curve));
        break;
    case CAROM_LAYER_SCENE:
        carom_text_append(script, "2:3:4 with lines linewidth 1%s linecolor rgb variable", dash_of(style));
        break;
    case CAROM_LAYER_SEGMENTS:
        carom_text_append(script, "2:3:($4-$2):($5-$3) with vectors nohead linestyle %d%s", line_style,
                          dash_of(style));
        break;
    case CAROM_LAYER_OUTLINE:
        if (is_point_style(style))
            carom_text_append(script, "1:2 with points linestyle %d%s", line_style, point_of(curve));
        else
            carom_text_append(script, "1:2 with lines linestyle %d%s", line_style, dash_of(style));
        break;
    }
}

static void append_curve(const plot_box *box, int index, carom_text *script)
{
    const carom_curve *curve = &box->shown->curve[index];
    carom_text_append(script, "data index %d using ", box->first_block + index);
    append_drawn(box, curve, script);
    if (curve->label) {
        carom_text_append(script, " title ");
        plot_append_quoted(script, curve->label);
    } else {
        carom_text_append(script, " notitle");
    }
}

static void append_numbers(const plot_box *box, int index, carom_text *script)
{
    const char *columns = box->shown->curve[index].x2 ? "6:7:8" : "4:5:6";
    carom_text_append(script,
                      "data index %d using %s with labels center font ',9' textcolor rgb '#303030' notitle",
                      box->first_block + index, columns);
}

static void append_separator(carom_text *script, int *drawn)
{
    carom_text_append(script, (*drawn)++ == 0 ? "    plot " : ", \\\n         ");
}

static void append_plot_command(const plot_box *box, carom_text *script)
{
    int drawn = 0;
    for (int i = 0; i < box->shown->curve_count; i++) {
        append_separator(script, &drawn);
        append_curve(box, i, script);
    }
    /* Numbers last, above all lines. */
    for (int i = 0; i < box->shown->curve_count; i++) {
        const carom_curve *curve = &box->shown->curve[i];
        if (curve->mark >= 0 || !curve->layer->numbered || curve->layer->kind == CAROM_LAYER_OUTLINE)
            continue;
        append_separator(script, &drawn);
        append_numbers(box, i, script);
    }
    if (drawn == 0)
        carom_text_append(script, "    set label 1 'no data' at graph 0.5,0.5 center\n"
                                  "    plot NaN notitle\n"
                                  "    unset label 1");
    carom_text_append(script, "\n");
}

static void append_panel(const plot_drawing *drawing, int index, carom_text *script)
{
    const plot_box *box = &drawing->box[index];
    const carom_panel *panel = box->shown->panel;
    const carom_plot *plot = drawing->figure->plot;
    bool single = plot->panel_count == 1;
    const char *title = single && !plot_text_given(panel->title) ? plot->title : panel->title;
    if (!single)
        carom_text_append(script, "\n    # panel %d\n", index + 1);
    append_title_and_key(box, title, script);
    append_setting(script, "xlabel", panel->xlabel);
    append_setting(script, "ylabel", panel->ylabel);
    carom_text_append(script, "    %s logscale x\n    %s logscale y\n", panel->xlog ? "set" : "unset",
                      panel->ylog ? "set" : "unset");
    plot_append_range(script, "x", box->shown->x);
    plot_append_range(script, "y", box->shown->y);
    if (plot_has_colour_box(box))
        plot_append_range(script, "cb", box->shown->time);
    carom_text_append(script, panel->equal ? "    set size ratio -1\n" : "    set size noratio\n");
    append_plot_command(box, script);
}

void plot_write_script(const plot_drawing *drawing, carom_text *script)
{
    const carom_figure *figure = drawing->figure;
    const carom_plot *plot = figure->plot;
    bool single = plot->panel_count == 1;
    plot_append_head(script, drawing->file_name);
    append_member_styles(drawing, script);
    append_time_colours(drawing, script);
    carom_text_append(script, "\n");
    plot_append_terminals(script, drawing->file_name, drawing->width, drawing->height);
    if (!single) {
        carom_text_append(script, "    set multiplot layout %d,%d", figure->rows, figure->columns);
        if (plot_text_given(plot->title)) {
            carom_text_append(script, " title ");
            plot_append_quoted(script, plot->title);
            carom_text_append(script, " font ',13'");
        }
        carom_text_append(script, "\n");
        if (figure->columns == 1)
            carom_text_append(script, "    set lmargin 11   # boxes below each other begin together\n");
    }
    for (int i = 0; i < plot->panel_count; i++)
        append_panel(drawing, i, script);
    if (!single)
        carom_text_append(script, "    unset multiplot\n");
    carom_text_append(script, "    unset output\n}\n");
}
