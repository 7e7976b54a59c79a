"""Works out the place of every mark of a report from the page's own table and the ticks of each axis.

The convention is that of ReportPage.swift. A place is compared to a tenth, as it is written; a night or a minute may be one
tenth more off where ticks are rounded as well.
"""

from datetime import date, datetime

HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
NEAR = 0.25
MEASURES = {
    "score": "Score", "rested": "Rested", "asleep": "Asleep, diary", "recorded-asleep": "Asleep, recorded",
    "awake": "Awake, diary", "recorded-awake": "Awake, recorded", "efficiency": "Efficiency, diary",
    "recorded-efficiency": "Efficiency, recorded",
}


def name(element):
    return element.tag.rpartition("}")[2]


def text(element):
    return " ".join("".join(element.itertext()).split())


def place(element):
    """Where an element lies."""
    get = element.attrib.get
    moved = get("transform")
    if moved:
        x, y = moved.removeprefix("translate(").removesuffix(")").split()
        return float(x), float(y)
    x, y = {"line": ("x1", "y1"), "circle": ("cx", "cy"), "rect": ("x", "y")}[name(element)]
    return float(get(x)), float(get(y))


def number(value):
    """A value of an axis: a number, or the days of a date."""
    try:
        return float(value)
    except ValueError:
        return float(date.fromisoformat(value).toordinal())


class Axis:
    """Places between ticks are in proportion; and all ticks lie on one line."""

    def __init__(self, ticks, say, where):
        self.ticks = sorted(ticks)
        if len(self.ticks) > 1:
            (a, p), (b, q) = self.ticks[0], self.ticks[-1]
            for value, at in self.ticks:
                say(a == b or abs(p + (q - p) * (value - a) / (b - a) - at) <= NEAR, where, "tick", value, "at", at)

    def __call__(self, value):
        (a, p), (b, q) = self.ticks[0], self.ticks[-1]
        return p if a == b else p + (q - p) * (value - a) / (b - a)

    @property
    def known(self):
        return len({value for value, _ in self.ticks}) > 1


class Night:
    def __init__(self, row, headings):
        self.key = row.attrib["data-night"]
        self.day = int(row.attrib["data-day"])
        self.origin = datetime.fromisoformat(row.attrib["data-origin"])
        self.extra = [float(word) for word in row.attrib.get("data-extra", "").split()]
        self.cells = dict(zip(headings, row))
        self.outcome = self.value("Outcome")

    def value(self, heading):
        cell = self.cells.get(heading)
        return None if cell is None else cell.attrib.get("data-value")

    def number(self, heading):
        value = self.value(heading)
        return None if value is None else float(value)

    def elapsed(self, heading):
        """Minutes since 18:00 of a time."""
        cell = self.cells.get(heading)
        times = [] if cell is None else [part for part in cell.iter() if name(part) == "time"]
        if not times:
            return None
        return (datetime.fromisoformat(times[0].attrib["datetime"]) - self.origin).total_seconds() / 60

    def spans(self, heading):
        value = self.value(heading)
        return [tuple(float(end) for end in span.split()) for span in value.split(";")] if value else []


def nights_of(tree):
    for table in tree.iter(HTML + "table"):
        if table.attrib.get("id") == "nights-table":
            rows = [row for row in table.iter(HTML + "tr")]
            headings = [text(cell) for cell in rows[0]]
            return [Night(row, headings) for row in rows[1:]]
    return []


def charts_of(tree, say):
    for svg in tree.iter():
        if not isinstance(svg.tag, str) or name(svg) != "svg" or "data-chart" not in svg.attrib:
            continue
        chart = svg.attrib["data-chart"]
        axes = {}
        for axis in "xy":
            ticks = [
                (number(part.attrib["data-tick"]), place(part)[axis == "y"])
                for part in svg.iter() if isinstance(part.tag, str) and part.attrib.get("data-axis") == axis
            ]
            axes[axis] = Axis(ticks, say, f"{chart} {axis}:") if ticks else None
        marks = [part for part in svg.iter() if isinstance(part.tag, str) and "data-mark" in part.attrib]
        yield chart, axes, marks


def look(tree, say):
    """- Returns: how many marks were worked out."""
    nights = nights_of(tree)
    by_key = {night.key: night for night in nights}
    say(len(by_key) == len(nights), "two rows of one night")
    seen = 0
    for chart, axes, marks in charts_of(tree, say):
        expected = {}  # (night, mark) -> [(x, y, end)]; None is not worked out
        x, y = axes["x"], axes["y"]

        def across(night, chart_axis):
            """A night on its axis, from the value of its own tick."""
            first = nights[0].day
            base = min(value for value, _ in chart_axis.ticks) if chart_axis.known else chart_axis.ticks[0][0]
            dated = base > 100_000
            value = number(night.key[:10]) if dated else night.day + 1
            return chart_axis(value) if chart_axis.known else chart_axis.ticks[0][1]

        def add(night, mark, *where):
            expected.setdefault((night.key, mark), []).append(where)

        if chart == "interval":
            bottom, top = (min(v for v, _ in y.ticks), max(v for v, _ in y.ticks))
            for night in nights:
                interval = night.number("Interval")
                if night.outcome in ("on_time", "late", "early") and interval is not None:
                    add(night, night.outcome, across(night, x), y(min(max(interval, bottom), top)))
                elif night.outcome in ("not_recorded", "skipped", "anomaly"):
                    add(night, night.outcome, across(night, x), None)
        elif chart == "nights":
            inside = lambda value: value is not None and 0 <= value <= 1_440
            for night in nights:
                row = across(night, y)
                for heading, mark in (("Dose 1", "dose1"), ("Dose 2", "dose2")):
                    at = night.elapsed(heading)
                    if inside(at):
                        add(night, mark, x(at), row)
                for at in night.extra:
                    if inside(at):
                        add(night, "extra_dose", x(at), row)
                for heading, mark in (("Slept", "asleep"), ("Naps", "nap")):
                    for start, end in night.spans(heading):
                        start, end = max(start, 0), min(end, 1_440)
                        if start < end:
                            add(night, mark, x(start), row, x(end))
        elif chart.startswith("weeks-"):
            measure = chart.removeprefix("weeks-")
            heading = MEASURES.get(measure)
            for night in nights:
                value = night.number(heading) if heading else None
                if value is not None:
                    value = value / 60 if measure in ("asleep", "recorded-asleep") else value
                    add(night, measure, across(night, x), y(value))
        else:
            continue
        for mark in marks:
            key, kind = mark.attrib.get("data-night"), mark.attrib["data-mark"]
            if key is None:
                continue
            seen += 1
            wanted = expected.get((key, kind))
            at_x, at_y = place(mark)
            if name(mark) == "rect":
                at_y += float(mark.attrib["height"]) / 2
            end = at_x + float(mark.attrib["width"]) if name(mark) == "rect" else None
            hit = next(
                (w for w in wanted or []
                 if abs(w[0] - at_x) <= NEAR and (w[1] is None or abs(w[1] - at_y) <= NEAR)
                 and (len(w) < 3 or end is None or abs(w[2] - end) <= max(NEAR, 1.0 if w[2] - w[0] < 1 else NEAR))), None)
            say(hit is not None, chart, "mark", kind, "of", key, "at", at_x, at_y, "and not at", wanted)
            if hit is not None:
                wanted.remove(hit)
        for (key, kind), left in expected.items():
            say(not left, chart, "has no mark", kind, "of", key)
    return seen
