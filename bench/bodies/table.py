"""The rows of bench/run-bodies as a page: a table for each scene, and what they say together.

    table.py <ROWS     SCENE PROGRAM SETTING SECONDS STEPS SAMPLES CONTACTS COULOMB WORST MOMENTUM PENETRATION ENERGY NOTE

Other lines are passed over: what run-bodies prints will do.
"""
import math
import sys

NAMES = {"box2d": "Box2D", "bullet": "Bullet", "ode": "ODE", "siconos": "Siconos", "carom": "carom"}
TITLES = {
    "fall": "{} discs fall into a bin, 1 s",
    "bin": "{} discs in a bin, settled",
    "settling": "{} discs in a bin, settling",
    "pyramid": "pyramid of {} rows",
    "spheres": "{} balls in a box, settled",
    "stack": "stack of {} boxes",
    "kapla": "tower of planks, {} levels",
}
ITERATIVE = ("Box2D", "Bullet", "ODE")  # whose error is compared at equal time


class Row:
    def __init__(self, line):
        words = line.split()
        self.scene, self.program, setting = words[0], NAMES[words[1]], words[2]
        numbers = [float(word) for word in words[3:12]]
        self.time, self.steps, self.samples, self.contacts, self.error, self.worst = numbers[:6]
        self.momentum, self.penetration, self.gain = numbers[6:]
        self.note = words[12].replace("_", " ").strip("- ") if len(words) > 12 else ""
        if self.program in ("carom", "Siconos"):
            self.setting = "tolerance " + setting
        else:
            self.setting = setting + " iterations" if setting != "0" else "direct"


def is_row(line):
    words = line.split()
    return len(words) == 13 and words[1] in NAMES


def number(x, form="%.1e"):
    if math.isnan(x):
        return "-"
    return "0" if x == 0 else form % x


def ratio(x):
    if x is None:
        return "-"
    return "%.2g" % x if x < 100 else "%.0f" % x if x < 1e6 else "%.0e" % x


def at_equal_time(row, ours):
    """By what the error is smaller of the best of ours that take no longer a step."""
    errors = [own.error for own in ours if own.time <= row.time and not math.isnan(own.error)]
    return row.error / max(min(errors), 1e-16) if errors and not math.isnan(row.error) else None


def at_equal_error(row, ours):
    """By what the fastest of ours with no larger error is faster."""
    times = [own.time for own in ours if own.error <= row.error]
    return row.time / min(times) if times else None


def words_of(row, steps):
    """The setting, and what is to be known of the row."""
    notes = [row.note] if row.note else []
    if row.steps < steps:
        notes.insert(0, "%d steps of %d" % (row.steps, steps))
    return row.setting + (" (%s)" % ", ".join(notes) if notes else "")


def title_of(scene):
    kind, size = scene.rsplit("-", 1)
    return TITLES[kind].format("{:,}".format(int(size)))


def print_scene(scene, rows):
    ours = [row for row in rows if row.program == "carom"]
    steps = max(row.steps for row in rows)
    contacts = max((row.contacts for row in ours if not math.isnan(row.contacts)), default=0)
    print("### %s\n\nSome %d points of contact.\n" % (title_of(scene), contacts))
    print("| program | setting | ms a step | error of Coulomb's law | worst | momentum | penetration | energy gained"
          " | at equal time ours is smaller by | at equal error ours is faster by |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in rows:
        own = row.program == "carom"
        print("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |" % (
            row.program, words_of(row, steps), number(1e3 * row.time, "%.3g"),
            number(row.error), number(row.worst), number(row.momentum), number(row.penetration),
            number(row.gain), "" if own else ratio(at_equal_time(row, ours)),
            "" if own else ratio(at_equal_error(row, ours))))
    print()


def print_short(scenes):
    """The usual settings side by side."""
    usual = [("carom", "tolerance 1e-4"), ("carom", "tolerance 1e-8"), ("Box2D", "8 iterations"),
             ("Bullet", "10 iterations"), ("ODE", "20 iterations"), ("Siconos", "tolerance 1e-4")]
    print("Milliseconds a step, and the error of Coulomb's law:\n")
    print("| scene | %s |" % " | ".join("%s, %s" % pair for pair in usual))
    print("| --- |" + " --- |" * len(usual))
    for scene, rows in scenes.items():
        cells = []
        for pair in usual:
            found = [row for row in rows if (row.program, row.setting) == pair and not math.isnan(row.error)]
            cells.append("%s, %s" % (number(1e3 * found[0].time, "%.3g"), number(found[0].error)) if found else "-")
        print("| %s | %s |" % (title_of(scene), " | ".join(cells)))
    print()


def print_summary(scenes):
    print("### Where it is otherwise\n")
    print("Wanted beside Box2D, Bullet and ODE: at equal time an error smaller by 1,000; at equal error faster.\n")
    said = 0
    for scene, rows in scenes.items():
        ours = [row for row in rows if row.program == "carom"]
        for row in rows:
            if row.program not in ITERATIVE or math.isnan(row.error):
                continue
            smaller, faster = at_equal_time(row, ours), at_equal_error(row, ours)
            faults = []
            if smaller is None:
                faults.append("no setting of ours takes as little time")
            elif smaller < 1:
                faults.append("at equal time our error is larger, by %s" % ratio(1 / smaller))
            elif smaller < 1000:
                faults.append("at equal time our error is smaller by %s only" % ratio(smaller))
            if faster is None:
                faults.append("none of ours has as small an error")
            elif faster <= 1:
                faults.append("at equal error it is faster than we are, by %s" % ratio(1 / faster))
            if faults:
                said += 1
                print("- %s, %s, %s: %s." % (title_of(scene), row.program, row.setting, "; ".join(faults)))
    print("" if said else "Nowhere.\n")
    tight = [row for row in scenes.get("fall-100", []) if row.setting == "tolerance 1e-8"]
    own = [row for row in tight if row.program == "carom"]
    other = [row for row in tight if row.program == "Siconos"]
    if own and other and not math.isnan(other[0].time):
        ours, theirs = own[0].time * own[0].steps, other[0].time * other[0].steps
        finished = other[0].steps == own[0].steps
        print("100 discs for 1 s of motion at tolerance 1e-8: carom %.3g s, Siconos %s%.3g s%s: faster by %s%s "
              "(wanted: 30).\n" % (
                  ours, "" if finished else "more than ", theirs,
                  "" if finished else " (%d steps of %d)" % (other[0].steps, own[0].steps),
                  "" if finished else "more than ", ratio(theirs / ours)))


def main():
    scenes = {}
    for line in sys.stdin:
        if is_row(line):
            row = Row(line)
            scenes.setdefault(row.scene, []).append(row)
    print_short(scenes)
    print_summary(scenes)
    for scene, rows in scenes.items():
        print_scene(scene, rows)


main()
