"""Plots, pages, tables."""

import matplotlib.pyplot as pyplot
import numpy as np
import pytest

import carom


@pytest.fixture(autouse=True)
def no_figures_stay():
    yield
    pyplot.close("all")


def test_columns_over_time(ball):
    r = ball.run(h=0.01)
    ax = r.plot("y", "energy")
    assert [line.get_label() for line in ax.lines] == ["y", "energy"]
    assert (ax.lines[0].get_ydata() == r["y"]).all() and (ax.lines[0].get_xdata() == r.t).all()
    other = pyplot.figure().add_subplot()
    assert r.plot("y", ax=other) is other
    with pytest.raises(KeyError):
        r.plot("z")
    assert r.plot().axes[0].lines  # no plot in the file: carom makes one


@pytest.mark.parametrize("name", ["moreau-1986/trial-04", "bodies/pyramid", "dumont-paoli-2008/convex", "bruls-2018/ball"])
def test_plots_of_the_model_file(name):
    r = carom.run(name)
    for which in r.plots:
        figure = r.plot(which=which)
        drawn = [line for ax in figure.axes for line in ax.lines] + [c for ax in figure.axes for c in ax.collections]
        assert drawn
        figure.savefig("picture.png")
    with pytest.raises(carom.ModelError, match="there is no plot"):
        r.plot(which="nothing")
    r.save("run.h5")
    assert carom.load("run.h5").plot()


def test_curves_are_those_of_the_run():
    r = carom.run("moreau-1986/trial-04")
    lines = [np.column_stack([line.get_xdata(), line.get_ydata()]) for line in r.plot().axes[0].lines]
    assert any(line.shape == r.q.shape and (line == r.q).all() for line in lines)


@pytest.mark.parametrize("name", ["moreau-1986/trial-04", "bodies/pyramid"])
def test_pages(name):
    r = carom.run(name)
    r.report("run.html")
    page = open("run.html").read()
    assert page.startswith("<!doctype html>") or page.lower().startswith("<!doctype html")
    shown = r._repr_html_()
    assert "<iframe" in shown and "trusted" in shown and "<script" not in shown.split("<iframe")[0]
    assert "&lt;script" in shown  # the page is the text of an attribute
    r.save("run.h5")
    assert "<iframe" in carom.load("run.h5")._repr_html_()


def test_foreign_texts_do_not_become_marks():
    model = carom.Model('experiment { title = "a<b>&\\"c" }\n' + """
        local x = coordinates("x")  mass(1)  initial { x = 1 }
        integrate { scheme = "moreau-jean", h = 0.1, until_t = 1 }
    """)
    assert "<b>" not in model.run()._repr_html_()


def test_tables(ball):
    r = ball.run(h=0.01)
    frame = pytest.importorskip("pandas") and r.to_pandas()
    assert list(frame.columns) == ["y", "dot(y)", "energy", "height"] and (frame["y"].to_numpy() == r["y"]).all()
    assert frame.index.name == "t"
    data = pytest.importorskip("xarray") and r.to_xarray()
    assert (data["impulse floor"].values == r.impulses["floor"][:, 0]).all() and data.attrs["scheme"] == "moreau-jean"
