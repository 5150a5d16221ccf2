/* The picture of a system with two contacts: where in the square of their restitutions Newton's law is
 * monotone. Outside, the sign of G12 decides between "energy-consistent only" and "neither". */
#include "app/impact_output.h"
#include "app/plot_parts.h"

enum {
    WIDTH = 600,
    HEIGHT = 620,
    COLUMNS = 400,
};

static void append_data(const impact_case *made, const char *name, double c2, double g12, carom_text *data)
{
    carom_text_append(
        data,
        "# Data of %s.gp, made by carom: c^2 = %.10g, G12 = %.10g.\n"
        "# index 0: restitution of contact 1, lowest and highest of contact 2 that are monotone\n",
        name, c2, g12);
    for (int i = 0; i <= COLUMNS; i++) {
        const double e1 = (double)i / COLUMNS;
        double low = 0.0, high = 1.0;
        carom_monotone_restitutions(c2, e1, &low, &high);
        carom_text_append(data, "%.10g %.10g %.10g\n", e1, low, high);
    }
    carom_text_append(data, "\n\n# index 1: the restitutions of the system\n%.10g %.10g\n",
                      made->impact.restitution[0], made->impact.restitution[1]);
}

static void append_label(const impact_case *made, const char *axis, int contact, carom_text *script)
{
    char number[16];
    carom_text label = {0};
    carom_text_append(&label, "restitution of contact %s",
                      impact_label(made->contact, contact, number, sizeof number));
    carom_text_append(script, "    set %slabel ", axis);
    plot_append_text(script, &label);
    carom_text_append(script, "\n");
    carom_text_free(&label);
}

static void append_script(const impact_case *made, const char *name, double c2, double g12,
                          carom_text *script)
{
    const bool energy = g12 > 0.0;
    plot_append_head(script, name);
    carom_text_append(script, "\n");
    plot_append_terminals(script, name, WIDTH, HEIGHT);
    carom_text title = {0};
    carom_text_append(&title, "%s: Newton's law, c² = %.4g", made->title, c2);
    carom_text_append(script, "    set title ");
    plot_append_text(script, &title);
    carom_text_free(&title);
    carom_text_append(script,
                      " font ',12'\n    set xrange [0:1]\n    set yrange [0:1]\n    set size ratio 1\n"
                      "    set xtics 0.2\n    set ytics 0.2\n    set grid front\n");
    append_label(made, "x", 0, script);
    append_label(made, "y", 1, script);
    carom_text_append(
        script,
        "    set bmargin 6.6\n    set key at screen 0.52,0.012 center bottom horizontal Left reverse samplen "
        "1.5 width 1\n"
        "    set object 1 rectangle from 0,0 to 1,1 behind fillstyle solid 1.0 noborder fillcolor rgb '%s'\n"
        "    plot data index 0 using 1:2:3 with filledcurves fillcolor rgb '#7FB8D8' fillstyle solid 1.0 "
        "title 'monotone', \\\n",
        energy ? "#F5D08A" : "#EBAA88");
    if (c2 > 0.0)
        carom_text_append(
            script,
            "         NaN with boxes fillstyle solid 1.0 noborder fillcolor rgb '%s' title '%s', \\\n",
            energy ? "#F5D08A" : "#EBAA88", energy ? "energy-consistent only" : "neither");
    carom_text_append(
        script, "         data index 0 using 1:2 with lines linestyle 1 notitle, \\\n"
                "         data index 0 using 1:3 with lines linestyle 1 notitle, \\\n"
                "         x with lines linecolor rgb '#606060' dashtype (6,5) linewidth 1 title 'equal', \\\n"
                "         data index 1 using 1:2 with points pointtype 7 pointsize 1 linecolor rgb '#222222' "
                "title 'this system'\n"
                "    unset output\n}\n");
}

carom_status draw_impact_map(const impact_case *made, const picture_place *place, carom_error *error)
{
    carom_impact_geometry geometry;
    const carom_status taken = carom_impact_geometry_take(made->arena, &made->impact, &geometry, error);
    if (taken != CAROM_OK)
        return taken;
    const double *g = geometry.delassus; /* 2 x 2 */
    const double c2 = g[0] > 0.0 && g[3] > 0.0 ? g[1] * g[1] / (g[0] * g[3]) : 0.0;
    carom_text data = {0}, script = {0};
    append_data(made, place->name, c2, g[1], &data);
    append_script(made, place->name, c2, g[1], &script);
    const carom_status status = plot_write_and_draw(place->directory, place->name, &data, &script, error);
    carom_text_free(&data);
    carom_text_free(&script);
    return status;
}
