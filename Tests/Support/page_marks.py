"""Works out the place of every mark of a report from the page's own tables and the ticks of each axis, and the lines through
medians as well.

The convention is that of ReportPage.swift. A place is compared to a tenth, as it is written; a night or a minute may be one
tenth more off where ticks are rounded as well.
"""

import re
import statistics
from datetime import date, datetime, time, timedelta

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
        self.target = None if row.attrib.get("data-target") is None else float(row.attrib["data-target"])

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


def table_of(tree, which):
    """A table and its rows without the first, which has the headings."""
    for table in tree.iter(HTML + "table"):
        if table.attrib.get("id") == which:
            rows = [row for row in table.iter(HTML + "tr")]
            return table, [text(cell) for cell in rows[0]], rows[1:]
    return None, [], []


def nights_of(tree):
    _, headings, rows = table_of(tree, "nights-table")
    return [Night(row, headings) for row in rows]


def times_of(row):
    return [datetime.fromisoformat(part.attrib["datetime"]) for part in row.iter() if name(part) == "time"]


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
        yield svg, chart, axes, marks


def line_of(svg):
    """The places that the line of medians goes through."""
    for group in svg.iter(SVG + "g"):
        if group.attrib.get("class") == "med":
            for path in group.iter(SVG + "path"):
                numbers = [float(word) for word in re.findall(r"-?[\d.]+", path.attrib["d"])]
                return list(zip(numbers[::2], numbers[1::2]))
    return []


def same_line(found, wanted, say, where):
    say(len(found) == len(wanted), where, "has", len(found), "places and not", len(wanted))
    for at, (one, other) in enumerate(zip(found, wanted)):
        near = abs(one[0] - other[0]) <= NEAR and abs(one[1] - other[1]) <= NEAR
        say(near, where, "place", at, "is", one, "and not", other)


JUDGED = ("on_time", "early", "late", "skipped", "not_recorded")


def look_at_every_night(nights, marks, numbered, say):
    """A column a week and a row a weekday, at equal distances; after some columns the next stand below."""
    if not nights:
        return
    first = 0 if numbered else -date.fromisoformat(nights[0].key[:10]).weekday() - nights[0].day
    by_day = {}
    for night in nights:
        by_day.setdefault(night.day, []).append(night)

    def rank(night):
        return 0 if night.outcome in JUDGED else 1 if night.elapsed("Dose 1") is not None else 2

    wanted = {}
    for day, own in by_day.items():
        best = min(own, key=rank)
        wanted[best.key] = (day, best.outcome or "unknown", rank(best))
    placed = {}
    for mark in marks:
        key, kind = mark.attrib.get("data-night"), mark.attrib["data-mark"]
        if key is None:
            continue
        say(key in wanted, "every-night has a mark", kind, "of", key)
        if key in wanted:
            day, outcome, _ = wanted.pop(key)
            say(kind == outcome, "every-night mark", kind, "of", key, "and not", outcome)
            week, row = divmod(day - first, 7)
            placed[key] = (week, row, *place(mark))
    for key, (_, _, how) in wanted.items():
        # A session with entries of the day alone is no night. A session with a dose is a night.
        say(how == 2, "every-night has no mark of", key)
    if len(placed) < 2:
        return
    marks = sorted(placed.items(), key=lambda item: item[1][:2])
    # The distance is the median over pairs of marks: pairs in one week, and pairs in neighbouring weeks.
    steps = [(b[3] - a[3]) / (b[1] - a[1]) for (_, a), (_, b) in zip(marks, marks[1:]) if a[0] == b[0]]
    steps += [(b[2] - a[2]) / (b[0] - a[0]) for (_, a), (_, b) in zip(marks, marks[1:]) if b[0] == a[0] + 1 and b[2] > a[2]]
    if not steps:
        return
    pitch = statistics.median(steps)
    say(pitch > 2, "every-night: cells at", pitch)
    left = statistics.median(x - week * pitch for _, (week, _, x, _) in marks if week == marks[0][1][0])
    turned = [week - round((x - left) / pitch) for _, (week, _, x, _) in marks]
    columns = next((turn for turn in turned if turn > 0), None)
    tops = {}
    for key, (week, row, x, y) in marks:
        band, column = divmod(week, columns) if columns else (0, week)
        tops.setdefault(band, []).append(y - row * pitch)
        say(abs(left + column * pitch - x) <= NEAR, "every-night mark of", key, "at x", x, "and not", left + column * pitch)
    middles = {band: statistics.median(values) for band, values in tops.items()}
    for key, (week, row, x, y) in marks:
        at = middles[week // columns if columns else 0] + row * pitch
        say(abs(at - y) <= NEAR, "every-night mark of", key, "at y", y, "and not", at)
    bands = sorted(middles)
    for one, other in zip(bands, bands[1:]):
        say(middles[other] - middles[one] >= (other - one) * 7 * pitch, "every-night: weeks lie over each other")


def look_at_night(tree, by_key, x, marks, say):
    table, _, rows = table_of(tree, "night-table")
    night = by_key.get(table.attrib.get("data-night")) if table is not None else None
    say(night is not None, "night: the table is of none of the nights")
    if night is None:
        return
    least, most = min(value for value, _ in x.ticks), max(value for value, _ in x.ticks)

    def minutes(moment):
        return (moment - night.origin).total_seconds() / 60

    points, bars = [], []
    for row in rows:
        kind = row.attrib["data-mark"]
        if kind in ("dose1", "dose2", "extra_dose"):
            points.append((kind, minutes(times_of(row)[0])))
    _, _, stages = table_of(tree, "stages-table")
    for row in stages:
        bars.append((row.attrib["data-mark"], *map(minutes, times_of(row))))
    if not stages:
        bars += [("asleep", *map(minutes, times_of(row))) for row in table_of(tree, "asleep-table")[2]]
        spans = [(f"{start:.1f}", f"{end:.1f}") for start, end in night.spans("Slept")]
        say([(f"{start:.1f}", f"{end:.1f}") for _, start, end in bars] == spans, "night: not the sleep of the table of all nights")
    heights = {}
    for mark in marks:
        kind, (at, y) = mark.attrib["data-mark"], place(mark)
        say(mark.attrib.get("data-night") == night.key, "night: a mark of another night", mark.attrib.get("data-night"))
        heights.setdefault(kind if name(mark) == "rect" else "doses", set()).add(y)
        if name(mark) == "rect":
            end = at + float(mark.attrib["width"])
            hit = next((bar for bar in bars if bar[0] == kind and abs(x(bar[1]) - at) <= NEAR
                        and (abs(x(bar[2]) - end) <= max(NEAR, 0.7) or bar[2] > most)), None)
            say(hit is not None, "night mark", kind, "from", at, "to", end, "is in no table")
            if hit:
                bars.remove(hit)
        else:
            hit = next((point for point in points if point[0] == kind and abs(x(point[1]) - at) <= NEAR), None)
            say(hit is not None, "night mark", kind, "at", at, "is in no table")
            if hit:
                points.remove(hit)
    # The axis goes a little beyond its ticks.
    for kind, at in points:
        say(not least <= at <= most, "night has no mark", kind, "at minute", at)
    for kind, start, end in bars:
        say(start < least or end > most, "night has no mark", kind, "from minute", start)
    for kind, places in heights.items():
        say(len(places) == 1, "night: marks", kind, "at several heights", sorted(places))
    order = ["stage-" + stage for stage in ("deep", "asleep", "light", "rem", "awake")]
    ups = [next(iter(heights[stage])) for stage in order if stage in heights]
    gaps = [one - other for one, other in zip(ups, ups[1:])]
    say(all(gap > 0 for gap in gaps), "night: the stages are not in their order", ups)
    say(not gaps or max(gaps) - min(gaps) <= 2 * NEAR, "night: the stages are not at equal distances", ups)


def look_at_sleeps(tree, x, y, marks, say):
    """Recorded sleep without a night: a row a date, which begins at 18:00."""
    _, headings, rows = table_of(tree, "sleeps-table")
    wanted = []
    for row in rows:
        start, end = times_of(row)
        evening = start.date() if start.hour >= 18 else start.date() - timedelta(days=1)
        begun = (start - datetime.combine(evening, time(18), start.tzinfo)).total_seconds() / 60
        length = (end - start).total_seconds() / 60
        wanted.append((evening.isoformat(), x(begun), x(min(begun + length, 1_440))))
    for mark in marks:
        key, (at, up) = mark.attrib["data-night"], place(mark)
        end, middle = at + float(mark.attrib["width"]), up + float(mark.attrib["height"]) / 2
        hit = next((one for one in wanted if one[0] == key and abs(one[1] - at) <= NEAR
                    and abs(one[2] - end) <= max(NEAR, 0.7)), None)
        say(hit is not None, "sleeps mark of", key, "from", at, "to", end, "is in no row of the table")
        row = y(number(key)) if y.known else y.ticks[0][1]
        say(abs(row - middle) <= NEAR, "sleeps mark of", key, "at", middle, "and not", row)
        if hit:
            wanted.remove(hit)
    for key, start, _ in wanted:
        say(False, "sleeps has no mark of", key, "at", start)


def look_at_medicines(tree, x, marks, say):
    _, headings, rows = table_of(tree, "medicines-table")
    wanted, names = [], []
    for row in rows:
        cells = dict(zip(headings, row))
        wanted.append((row.attrib["data-night"], x(float(cells["Time"].attrib["data-value"])), text(cells["Medicine"])))
        names.append(wanted[-1][2])
    counts = sorted(((-names.count(one), one) for one in set(names)))
    # A medicine beyond the twenty most frequent ones is in the table only.
    shown = [one for _, one in counts[:20]]
    wanted = [one for one in wanted if one[2] in shown]
    heights = sorted({place(mark)[1] for mark in marks})
    say(len(heights) == len(shown), "medicines:", len(heights), "rows for", len(shown), "medicines")
    gaps = [other - one for one, other in zip(heights, heights[1:])]
    say(not gaps or max(gaps) - min(gaps) <= NEAR, "medicines: rows at", heights)
    rank = {one: row for row, one in enumerate(shown)}
    for mark in marks:
        key, (at, y) = mark.attrib.get("data-night"), place(mark)
        row = heights.index(y)
        hit = next((one for one in wanted if one[0] == key and abs(one[1] - at) <= NEAR and rank[one[2]] == row), None)
        say(hit is not None, "medicines mark of", key, "at", at, y, "is in no row of the table")
        if hit:
            wanted.remove(hit)
    for key, at, what in wanted:
        say(False, "medicines has no mark of", what, "in the night", key)


def look(tree, say):
    """- Returns: how many marks were worked out."""
    nights = nights_of(tree)
    by_key = {night.key: night for night in nights}
    say(len(by_key) == len(nights), "two rows of one night")
    seen = 0
    numbered = bool(nights) and "-" not in nights[0].key
    for svg, chart, axes, marks in charts_of(tree, say):
        expected = {}  # (night, mark) -> [(x, y, end)]; None is not worked out
        x, y = axes["x"], axes["y"]

        def across(night, chart_axis):
            """A night on its axis, from the value of its own tick."""
            first = nights[0].day
            base = min(value for value, _ in chart_axis.ticks) if chart_axis.known else chart_axis.ticks[0][0]
            dated = base > 100_000
            value = number(night.key[:10]) if dated else night.day + 1
            return chart_axis(value) if chart_axis.known else chart_axis.ticks[0][1]

        def at_day(day, chart_axis):
            """A day of the report on an axis of nights; a part of one lies beside its night."""
            if not chart_axis.known:
                return None
            base = 1 if numbered else number(nights[0].key[:10]) - nights[0].day
            return chart_axis(base + day)

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
            held = lambda value: y(min(max(value, bottom), top))
            stretches = []
            for night in nights:
                if night.target is None:
                    continue
                if stretches and stretches[-1][0] == night.target:
                    stretches[-1][2] = night.day
                else:
                    stretches.append([night.target, night.day, night.day])
            lines = [mark for mark in marks if mark.attrib["data-mark"] == "target"]
            say(len(lines) == len(stretches), "interval has", len(lines), "targets and not", len(stretches))
            for mark, (value, start, until) in zip(lines, stretches):
                found = [float(mark.attrib[end]) for end in ("x1", "x2", "y1", "y2")]
                wanted = [at_day(start - 0.5, x), at_day(until + 0.5, x), held(value), held(value)]
                near = all(two is None or abs(one - two) <= NEAR for one, two in zip(found, wanted))
                say(near and float(mark.attrib["data-value"]) == value, "interval target", found, "and not", wanted)
            known = [night for night in nights if (night.number("Interval") or -1) >= 0]
            wanted = []
            for at in range(len(known) if len(known) >= 15 else 0):
                around = known[max(0, at - 7):at + 8]
                middle = statistics.median(night.number("Interval") for night in around)
                wanted.append((across(known[at], x), held(middle)))
            same_line(line_of(svg), wanted, say, "interval: the median")
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
        elif chart == "every-night":
            look_at_every_night(nights, marks, numbered, say)
            seen += len(marks)
            continue
        elif chart == "night":
            look_at_night(tree, by_key, x, marks, say)
            seen += len(marks)
            continue
        elif chart == "sleeps":
            look_at_sleeps(tree, x, y, marks, say)
            seen += len(marks)
            continue
        elif chart == "medicines":
            look_at_medicines(tree, x, marks, say)
            seen += len(marks)
            continue
        elif chart.startswith("weeks-"):
            measure = chart.removeprefix("weeks-")
            monday = 0 if numbered or not nights else -date.fromisoformat(nights[0].key[:10]).weekday() - nights[0].day
            weeks, last_day = {}, max((night.day for night in nights), default=0)
            if measure == "naps":
                for night in nights:
                    cell = night.cells.get("Naps")
                    if cell is not None and cell.attrib.get("data-sum") is not None:
                        week = (night.day - monday) // 7
                        weeks[week] = weeks.get(week, 0) + float(cell.attrib["data-sum"])
                low, high = min(value for value, _ in y.ticks), max(value for value, _ in y.ticks)
                for mark in marks:
                    at_x, at_y = place(mark)
                    day = next((night.day for night in nights if night.key == mark.attrib["data-week"]), None)
                    if day is None:
                        day = (int(mark.attrib["data-week"]) - 1 if numbered else
                               number(mark.attrib["data-week"]) - number(nights[0].key[:10]) + nights[0].day)
                    week = int((day - monday) // 7)
                    value = weeks.pop(week, None)
                    say(value is not None, "weeks-naps: a bar of the week", mark.attrib["data-week"], "without naps")
                    if value is None:
                        continue
                    foot = at_y + float(mark.attrib["height"])
                    say(abs(y(min(max(value, low), high)) - at_y) <= NEAR and abs(y(low) - foot) <= NEAR,
                        "weeks-naps: bar of", mark.attrib["data-week"], "from", at_y, "to", foot, "for", value)
                    start, until = max(0, monday + 7 * week), min(last_day + 1, monday + 7 * week + 7)
                    left, right = at_day(start - 0.5, x), at_day(until - 0.5, x)
                    wide = float(mark.attrib["width"])
                    say(left is None or abs(left - at_x) <= NEAR and (at_x + wide <= right + NEAR or wide <= 1),
                        "weeks-naps: bar of", mark.attrib["data-week"], "at", at_x, "and not", left)
                    seen += 1
                say(not weeks, "weeks-naps has no bar of", sorted(weeks))
                continue
            heading = MEASURES.get(measure)
            for night in nights:
                value = night.number(heading) if heading else None
                if value is not None:
                    value = value / 60 if measure in ("asleep", "recorded-asleep") else value
                    add(night, measure, across(night, x), y(value))
                    weeks.setdefault((night.day - monday) // 7, []).append(value)
            wanted = []
            for week, values in sorted(weeks.items()):
                if len(values) >= 3 and x.known:
                    middle = min(max(monday + 7 * week + 3, -0.5), last_day + 0.5)
                    wanted.append((at_day(middle, x), y(statistics.median(values))))
            if x.known:
                same_line(line_of(svg), wanted if len(wanted) > 1 else [], say, chart + ": the median")
        else:
            say(False, "nobody looks at the chart", chart)
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
