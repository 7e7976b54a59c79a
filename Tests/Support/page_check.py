#!/usr/bin/env python3
"""Says whether pages that DoseTap wrote hold in a real browser, without any code of DoseTap.

page_check.py FILE.html… [--screenshots DIR] [--few] [--sheet [--text WORDS]…]
page_check.py --pdf FILE.pdf [--pages N] [--text WORDS]…
page_check.py --self-test

A page is read strictly by html5lib and opened by Chromium, without a network, in light and dark, at 390 and 1000 px. It
must have no script and no outside address, ask for nothing, satisfy axe-core, not scroll sideways, and keep its text in
its boxes and readable. The place of each mark is worked out again from the page's own table and the ticks of its axis.
With --few each page has one or two of the views. With --sheet it
must fit on one sheet of A4 and of Letter, printed by Chromium and by WeasyPrint.
A PDF must have its fonts in it and its text as text. The self-test plants a fault for each of these.
Prints how many things were looked at, or what is wrong, one line each.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import page_marks

complaints = []
looked = 0


def check(holds, *what):
    global looked
    looked += 1
    if not holds and len(complaints) < 40:
        complaints.append(" ".join(str(part)[:300] for part in what))


# The source of a page.

HTML = "{http://www.w3.org/1999/xhtml}"
ADDRESSES = {"src", "href", "xlink:href", "action", "formaction", "poster", "data", "srcset", "background", "ping"}
BARRED = {"script", "iframe", "object", "embed", "base", "form", "link", "audio", "video", "foreignobject", "animate", "set"}


def attribute_name(name):
    """Attributes of SVG come with a name space."""
    return name.replace("{http://www.w3.org/1999/xlink}", "xlink:")


def look_at_source(source, has_table=True):
    import html5lib

    try:
        tree = html5lib.HTMLParser(strict=True).parse(source)
    except html5lib.html5parser.ParseError as fault:
        check(False, "HTML:", fault)
        tree = html5lib.parse(source)
    ids = set()
    policies = []
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        tag = element.tag.rpartition("}")[2].lower()
        check(tag not in BARRED, "element", tag)
        for name, value in element.attrib.items():
            name = attribute_name(name).lower()
            check(not name.startswith("on"), "script in", tag, name)
            if name in ADDRESSES:
                check(value.startswith(("#", "data:image/")), "outside address in", tag, name, value)
            check("url(" not in value or "url(#" in value, "outside address in", tag, name, value)
            if name == "id":
                check(value not in ids, "two elements have the id", value)
                ids.add(value)
        if tag == "meta":
            said = element.attrib.get("http-equiv", "").lower()
            check(said in ("", "content-security-policy"), "meta", said)
            if said:
                policies.append(element.attrib.get("content", ""))
        if tag == "style":
            check(not re.search(r"@import|url\((?!#)|@font-face", element.text or ""), "outside address in the style")
    check(len(policies) == 1, len(policies), "content security policies")
    for policy in policies:
        rules = dict((part.split() + [""])[:2] for part in policy.split(";") if part.strip())
        check(rules.get("default-src") == "'none'", "content security policy", policy)
        check("script-src" not in rules and "unsafe-eval" not in policy, "content security policy lets scripts", policy)
    html = tree if tree.tag == HTML + "html" else tree.find(HTML + "html")
    check(html is not None and html.attrib.get("lang"), "the page says no language")
    # The one sheet has no table: its chart is the same as in the report.
    if has_table:
        page_marks.look(tree, check)
    return tree


# The page in a browser.

# The script looks at the whole page in one call and returns [[holds, words]…].
LOOK = r"""
const found = [], say = (holds, ...words) => { if (!holds) found.push(words.join(' ')); else count++ };
let count = 0;
const root = document.documentElement, wide = root.clientWidth;
say(root.scrollWidth <= wide, 'the page scrolls sideways:', root.scrollWidth, 'of', wide);
const parse = (colour) => {
  const part = colour.match(/rgba?\(([^)]+)\)/);
  if (!part) return null;
  const [r, g, b, a = 1] = part[1].split(/[ ,\/]+/).map(Number);
  return {r, g, b, a};
};
const light = ({r, g, b}) => [r, g, b].map(v => v / 255)
  .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
const contrast = (one, two) => { const [a, b] = [light(one), light(two)].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05) };
const page = parse(getComputedStyle(document.body).backgroundColor) || {r: 255, g: 255, b: 255, a: 1};
say(page.a === 1, 'the page has no colour of its own');
const scrolled = (element) => { // what the person can scroll to is not lost
  for (let e = element; e && e !== root; e = e.parentElement)
    if (/(auto|scroll)/.test(getComputedStyle(e).overflowX)) return true;
  return false;
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const placed = new Map();
for (let node; node = walker.nextNode();) {
  const words = node.data.trim();
  if (!words) continue;
  const element = node.parentElement, style = getComputedStyle(element);
  if (['STYLE', 'TITLE', 'title', 'desc', 'TEMPLATE'].includes(element.tagName)) continue;
  const range = document.createRange(); range.selectNodeContents(node);
  const boxes = [...range.getClientRects()].filter(b => b.width && b.height);
  if (!boxes.length) continue;
  const svg = element.closest('svg');
  if (svg) {
    const box = element.getBoundingClientRect(), edge = svg.getBoundingClientRect();
    say(box.left >= edge.left - 1 && box.right <= edge.right + 1 && box.top >= edge.top - 2 && box.bottom <= edge.bottom + 2,
      'text outside its chart:', words);
    const fill = parse(style.fill);
    if (fill) say(contrast(fill, page) >= 4.5, 'text of a chart with contrast', contrast(fill, page).toFixed(2) + ':', words);
    if (!placed.has(svg)) placed.set(svg, []);
    for (const [other, at] of placed.get(svg)) {
      const w = Math.min(box.right, at.right) - Math.max(box.left, at.left);
      const h = Math.min(box.bottom, at.bottom) - Math.max(box.top, at.top);
      say(!(w > 1 && h > 0.4 * Math.min(box.height, at.height)), 'text over text:', other, '/', words);
    }
    placed.get(svg).push([words, box]);
  } else {
    let block = element;
    while (getComputedStyle(block).display.startsWith('inline') && block.parentElement) block = block.parentElement;
    const edge = block.getBoundingClientRect();
    for (const box of boxes) {
      say(box.left >= edge.left - 1 && box.right <= edge.right + 1, 'text outside its box:', words.slice(0, 60));
      say(scrolled(element) || (box.left >= -1 && box.right <= wide + 1), 'text outside the page:', words.slice(0, 60));
    }
  }
}
for (const mark of document.querySelectorAll('svg [data-mark]')) {
  const style = getComputedStyle(mark), inks = [parse(style.stroke), parse(style.fill)].filter(c => c && c.a > 0);
  if (inks.length) say(Math.max(...inks.map(c => contrast(c, page))) >= 3, 'a mark with too little contrast:', mark.dataset.mark, style.stroke, style.fill);
}
for (const chart of document.querySelectorAll('svg:not([aria-hidden=true])'))
  say(chart.getAttribute('role') !== 'img' || chart.querySelector('title') || chart.getAttribute('aria-label'), 'a chart without a name');
return [count, found];
"""


def browser(folder):
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for option in (
        "--headless=new", f"--user-data-dir={folder}/profile", "--disable-gpu", "--disable-dev-shm-usage",
        "--disable-extensions", "--no-first-run", "--disable-background-networking", "--disable-component-update",
        "--disable-sync", "--disable-default-apps", "--allow-file-access-from-files", "--hide-scrollbars",
        # No host name has an address except this machine, where the self-test listens.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--no-proxy-server",
    ):
        options.add_argument(option)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    # The driver is Debian's. Selenium would look for one in the network.
    service = webdriver.ChromeService(executable_path="/usr/bin/chromedriver")
    driver = webdriver.Chrome(options=options, service=service)
    # The time is long because the machine may be busy.
    driver.set_script_timeout(120)
    return driver


def axe_source():
    import importlib.util

    found = importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0]
    return next(Path(found).rglob("axe.min.js")).read_text()


def requests_of(driver):
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            yield message["params"]["request"]["url"]
        elif message["method"] == "Network.webSocketCreated":
            yield message["params"]["url"]


# Rows are alike, and so are marks. axe-core takes seconds for a thousand, so it gets the first of them.
ALIKE = """
for (const [all, most] of [['tbody', 40], ['svg', 80]])
  for (const group of document.querySelectorAll(all)) {
    const parts = group.querySelectorAll(all === 'svg' ? '[data-mark]' : 'tr');
    for (const part of [...parts].slice(most)) part.remove();
  }
"""
# A page of years takes a browser seconds. Each scheme and each width is used once.
LARGE = 1 << 20
TWO_VIEWS = [("light", 390), ("dark", 1000)]
ONE_VIEW = [("light", 1000)]
VIEWS = [(scheme, width) for scheme in ("light", "dark") for width in (390, 1000)]


def look_in_browser(driver, axe, path, screenshots=None, views=VIEWS):
    global looked
    address = path.resolve().as_uri()
    driver.get_log("performance")
    driver.get_log("browser")
    for scheme, width in views:
        where = f"{path.name}, {scheme}, {width} px:"
        driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        driver.get(address)
        # Folded parts are opened, so that they are checked.
        driver.execute_script("for (const d of document.querySelectorAll('details')) d.open = true;")
        count, found = driver.execute_script(LOOK)
        looked += count
        for what in found:
            check(False, where, what)
        if screenshots:
            size = driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
            driver.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride",
                {"width": width, "height": min(int(size["height"]), 8000), "deviceScaleFactor": 1, "mobile": False})
            driver.save_screenshot(str(screenshots / f"{path.stem}-{scheme}-{width}.png"))
        driver.execute_script(ALIKE)
        driver.execute_script(axe)
        result = driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run(document, {resultTypes: ['violations']}).then(done, e => done({error: String(e)}));")
        check("violations" in result, where, "axe-core:", result.get("error"))
        for finding in result.get("violations", []):
            check(False, where, "axe-core:", finding["id"], finding["help"], finding["nodes"][0]["html"][:120])
        check(result.get("passes"), where, "axe-core looked at nothing")
    for url in requests_of(driver):
        # The browser has its own pictures, such as a mark of a field, within itself.
        check(url == address or url.startswith(("data:", "chrome:")), path.name, "asks for", url)
    for entry in driver.get_log("browser"):
        check(entry["level"] not in ("SEVERE", "WARNING"), path.name, "console:", entry["message"])



def command(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def look_at_pdf(path, pages, words):
    told = dict(re.findall(r"^(\S[^:]*):\s*(.*)$", command("pdfinfo", path), re.M))
    check(int(told["Pages"]) == pages if pages else int(told["Pages"]) > 0, path, "has", told["Pages"], "pages")
    check(told.get("JavaScript") == "no", path, "has a script")
    check(told.get("Encrypted") == "no", path, "is encrypted")
    check(told.get("Title"), path, "has no title")
    fonts = command("pdffonts", path).splitlines()[2:]
    check(fonts, path, "has no fonts")
    for font in fonts:
        # The columns are name, type, encoding, emb, sub, uni, object and id. A name may have spaces, so they are read
        # from the right.
        embedded, _, unicode = font.split()[-5:-2]
        check(embedded == "yes", path, "font is not in it:", font)
        check(unicode == "yes", path, "font without letters:", font)
    text = " ".join(command("pdftotext", "-layout", path, "-").split())
    check(text, path, "has no text")
    for word in words:
        check(" ".join(word.split()) in text, path, "does not say", word)


# Faults for the self-test: each check must be able to fail.

MARKED = """<table id="nights-table"><thead><tr><th>Night</th><th>Dose 1</th><th>Interval</th><th>Outcome</th><th>Slept</th></tr>
</thead><tbody><tr data-night="2026-01-01" data-day="0" data-origin="2026-01-01T18:00:00.000+01:00"><th>1</th><td>
<time datetime="2026-01-01T22:30:00.000+01:00">22:30</time></td><td data-value="170">170</td><td data-value="on_time">on time</td>
<td data-value="300 700">23-5</td></tr><tr data-night="2026-01-02" data-day="1" data-origin="2026-01-02T18:00:00.000+01:00">
<th>2</th><td>-</td><td>-</td><td data-value="skipped">skipped</td><td>-</td></tr></tbody></table>
<svg data-chart="interval"><line data-axis="y" data-tick="120" x1="0" y1="200"/><line data-axis="y" data-tick="180" x1="0" y1="140"/>
<line data-axis="y" data-tick="240" x1="0" y1="80"/><line data-axis="x" data-tick="2026-01-01" x1="10" y1="0"/>
<line data-axis="x" data-tick="2026-01-02" x1="30" y1="0"/><circle data-night="2026-01-01" data-mark="on_time" cx="10" cy="150"/>
<path data-night="2026-01-02" data-mark="skipped" transform="translate(30 220)"/></svg>
<svg data-chart="nights"><line data-axis="x" data-tick="0" x1="0" y1="0"/><line data-axis="x" data-tick="1440" x1="1440" y1="0"/>
<line data-axis="y" data-tick="2026-01-01" x1="0" y1="5"/><line data-axis="y" data-tick="2026-01-02" x1="0" y1="15"/>
<circle data-night="2026-01-01" data-mark="dose1" cx="270" cy="5"/>
<rect data-night="2026-01-01" data-mark="asleep" x="300" y="3" width="400" height="4"/></svg>"""
MARK_FAULTS = [
    ('cy="150"', 'cy="151"', "interval mark on_time of 2026-01-01"), ('cx="10" cy', 'cx="12" cy', "interval mark on_time"),
    ('<circle data-night="2026-01-01" data-mark="on_time"', '<circle data-x=""', "interval has no mark on_time"),
    ('data-mark="skipped"', 'data-mark="late"', "interval mark late"), ('y1="140"', 'y1="143"', "interval y: tick 180"),
    ('data-value="170"', 'data-value="175"', "interval mark on_time"), ("22:30:00", "22:31:00", "nights mark dose1"),
    ('width="400"', 'width="380"', "nights mark asleep"), ('y="3"', 'y="9"', "nights mark asleep"),
    ("300 700", "300 700;800 900", "nights has no mark asleep"),
]



def more_marked():
    """The other charts, of sixteen nights from Thursday 1 January on: a column of every-night has a place of 20."""
    intervals = [170, 180, 160, 190, 200, 175, 185, 165, 195, 205, 172, 182, 162, 192, 202, 178]
    rows, marks, cells, dots, line = [], [], [], [], []
    for day, interval in enumerate(intervals):
        night, target = f"2026-01-{day + 1:02d}", 165 if day < 8 else 180
        nap = f' data-value="1200 1230" data-sum="30"' if day == 9 else ""
        rows.append(
            f'<tr data-night="{night}" data-day="{day}" data-origin="{night}T18:00:00.000+01:00" data-target="{target}"><th>'
            f'{day + 1}</th><td><time datetime="{night}T22:30:00.000+01:00">22:30</time></td><td data-value="{interval}">'
            f'{interval}</td><td data-value="on_time">on time</td><td{nap}>-</td><td data-value="{70 + day}">{70 + day}</td></tr>')
        marks.append(f'<circle data-night="{night}" data-mark="on_time" cx="{10 * day}" cy="{300 - interval}"/>')
        week, row = divmod(day + 3, 7)
        cells.append(f'<path data-night="{night}" data-mark="on_time" transform="translate({40 + 20 * week} {20 + 20 * row})"/>')
        dots.append(f'<circle data-night="{night}" data-mark="score" cx="{10 * day}" cy="{100 - 70 - day}"/>')
        around = sorted(intervals[max(0, day - 7):day + 8])
        middle = (around[(len(around) - 1) // 2] + around[len(around) // 2]) / 2
        line.append(f"{10 * day} {300 - middle:g}")
    days = '<line data-axis="x" data-tick="2026-01-01" x1="0" y1="0"/><line data-axis="x" data-tick="2026-01-16" x1="150" y1="0"/>'
    up = '<line data-axis="y" data-tick="120" x1="0" y1="180"/><line data-axis="y" data-tick="240" x1="0" y1="60"/>'
    weekly = '<line data-axis="y" data-tick="0" x1="0" y1="100"/><line data-axis="y" data-tick="100" x1="0" y1="0"/>'
    hours = '<line data-axis="x" data-tick="240" x1="240" y1="0"/><line data-axis="x" data-tick="600" x1="600" y1="0"/>'
    day = '<line data-axis="x" data-tick="0" x1="0" y1="0"/><line data-axis="x" data-tick="1440" x1="144" y1="0"/>'

    def time(clock, date="2026-01-16"):
        return f'<td><time datetime="{date}T{clock}:00.000+01:00">{clock}</time></td>'

    def taken(night, minutes, medicine):
        return f'<tr data-night="{night}"><td>x</td><td data-value="{minutes}">x</td><td>{medicine}</td></tr>'

    return f"""<table id="nights-table"><tr><th>Night</th><th>Dose 1</th><th>Interval</th><th>Outcome</th><th>Naps</th><th>Score</th>
</tr>{"".join(rows)}</table><table id="night-table" data-night="2026-01-16"><tr><th>Time</th><th>What</th></tr>
<tr data-mark="dose1">{time("22:30")}</tr><tr data-mark="dose2">{time("01:28", "2026-01-17")}</tr></table>
<table id="stages-table" data-night="2026-01-16"><tr><th>From</th><th>Until</th></tr>
<tr data-mark="stage-light">{time("23:00")}{time("23:30")}</tr><tr data-mark="stage-deep">{time("23:30")}{time("23:50")}</tr></table>
<table id="medicines-table"><tr><th>Night</th><th>Time</th><th>Medicine</th></tr>{taken("2026-01-02", 840, "Modafinil")}
{taken("2026-01-03", 850, "Modafinil")}{taken("2026-01-03", 860, "Other")}</table>
<svg data-chart="interval">{days}{up}{"".join(marks)}<line data-mark="target" data-value="165" x1="-5" x2="75" y1="135" y2="135"/>
<line data-mark="target" data-value="180" x1="75" x2="155" y1="120" y2="120"/><g class="med"><path d="M{"L".join(line)}"/></g></svg>
<svg data-chart="every-night">{"".join(cells)}</svg>
<svg data-chart="weeks-score">{days}{weekly}{"".join(dots)}<g class="med"><path d="M0 28.5L70 23L140 17"/></g></svg>
<svg data-chart="weeks-naps">{days}{weekly}<rect data-week="2026-01-05" data-mark="naps" x="35" y="70" width="60" height="30"/></svg>
<svg data-chart="night">{hours}<circle data-night="2026-01-16" data-mark="dose1" cx="270" cy="128"/>
<path data-night="2026-01-16" data-mark="dose2" transform="translate(448 128)"/>
<rect data-night="2026-01-16" data-mark="stage-light" x="300" y="36" width="30" height="4"/>
<rect data-night="2026-01-16" data-mark="stage-deep" x="330" y="60" width="20" height="4"/></svg>
<svg data-chart="medicines">{day}<circle data-night="2026-01-02" data-mark="medicine" cx="84" cy="37"/>
<circle data-night="2026-01-03" data-mark="medicine" cx="85" cy="37"/><circle data-night="2026-01-03" data-mark="medicine" cx="86" cy="59"/></svg>"""


MORE_FAULTS = [
    ('transform="translate(60 60)"', 'transform="translate(60 61)"', "every-night mark of 2026-01-07"),
    ('transform="translate(60 80)"', 'transform="translate(80 80)"', "every-night mark of 2026-01-08"),
    ('"on_time" transform="translate(80 20)"', '"late" transform="translate(80 20)"', "every-night mark late"),
    ('<path data-night="2026-01-10"', "<path", "every-night has no mark of 2026-01-10"),
    ('"dose1" cx="270"', '"dose1" cx="274"', "night mark dose1"), ("translate(448 128)", "translate(448 120)", "at several heights"),
    ('x="330" y="60" width="20"', 'x="330" y="60" width="40"', "night mark stage-deep"),
    ('y="36" width="30"', 'y="84" width="30"', "not in their order"), ('"dose2" transform', '"dose3" transform', "has no mark dose2"),
    ('"medicine" cx="84"', '"medicine" cx="88"', "medicines mark of 2026-01-02"), ('cx="86" cy="59"', 'cx="86" cy="37"', "medicines: 1 rows"),
    ('cx="85" cy="37"', 'cx="85" cy="59"', "is in no row"),
    ('y="70" width="60" height="30"', 'y="60" width="60" height="40"', "weeks-naps: bar of"), ('x="35" y="70"', 'x="45" y="70"', "weeks-naps: bar"),
    ('data-sum="30"', 'data-sum="40"', "weeks-naps: bar of"), ('<rect data-week="2026-01-05" data-mark', "<rect", "weeks-naps has no bar"),
    ('x2="75" y1="135"', 'x2="85" y1="135"', "interval target"), ('data-value="180" x1="75"', 'data-value="175" x1="75"', "interval target"),
    ('y1="120" y2="120"/>', 'y1="118" y2="118"/>', "interval target"), ('<g class="med"><path d="M0 ', '<g class="med"><path d="M1 ', "interval: the median"),
    ("L70 23L", "L70 26L", "weeks-score: the median"),
]

SOUND = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>Test page</title>
<style>:root{color-scheme:light dark}body{background-color:#fff;color:#111;font:16px sans-serif;margin:1rem}svg{width:100%;height:auto;overflow:visible}
.t{fill:#333}.m{fill:#205080}@media(prefers-color-scheme:dark){body{background-color:#111;color:#eee}.t{fill:#ddd}.m{fill:#8bf}}</style>
</head><body><main><h1>Test</h1><p>Words.</p><svg viewBox="0 0 300 100" role="img" aria-label="A chart"><text class="t" x="10" y="50"
 font-size="14">label</text><circle class="m" data-mark="dose1" data-night="2026-01-01" cx="100" cy="50" r="4"/></svg></main></body></html>
"""
LIGHT, DARK, SMALL = [("light", 1000)], [("dark", 1000)], [("light", 390)]
# Each fault: the old text, the new text, the words of the complaint, and the views that show it. HOST is an address
# that answers.
FAULTS = [
    ("<p>", "<p><b></p>", "HTML:", []),
    ("<p>", "<script>1</script><p>", "element script", []),
    ("<p>", '<p onclick="x()">', "script in p onclick", []),
    ("<p>", '<p><img alt="" src="http://HOST/a.png">', "outside address in img", []),
    ("<p>", '<p><a href="https://example.org/">there</a>', "outside address in a", []),
    (".t{", "@import 'x.css';.t{", "outside address in the style", []),
    ("<meta http-equiv", "<meta name=x data-http-equiv", "0 content security policies", []),
    ("default-src 'none'", "default-src *", "content security policy", []),
    (' lang="en"', "", "says no language", []),
    ("<p>", '<p id="a"><b id="a">x</b>', "two elements have the id", []),
    ("<p>", '<p style="width:2000px">', "scrolls sideways", SMALL),
    ("<p>", '<p style="width:20px;white-space:nowrap">', "text outside its box", SMALL),
    ('x="10"', 'x="290"', "text outside its chart", LIGHT),
    (".t{fill:#333}", ".t{fill:#bbb}", "light, 390 px: text of a chart with contrast", SMALL),
    (".t{fill:#ddd}", ".t{fill:#333}", "dark, 1000 px: text of a chart with contrast", DARK),
    (".m{fill:#205080}", ".m{fill:#def}", "a mark with too little contrast", LIGHT),
    ("<circle", '<text class="t" x="12" y="51" font-size="14">other</text><circle', "text over text", LIGHT),
    (' aria-label="A chart"', "", "a chart without a name", LIGHT),
    ("<p>Words.", '<p style="color:#ddd">Words.', "axe-core: color-contrast", LIGHT),
    # The content security policy then forbids the style, and the page says so on the console.
    ("; style-src 'unsafe-inline'", "", "console:", LIGHT),
]


def self_test():
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(404)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host = f"127.0.0.1:{server.server_port}"
    failed = 0

    def expect(page, said, views=VIEWS):
        nonlocal failed
        complaints.clear()
        path.write_text(page.replace("HOST", host), encoding="utf-8")
        look_at_source(path.read_text(encoding="utf-8"))
        look_in_browser(driver, axe, path, views=views)
        if complaints if said is None else not any(said in complaint for complaint in complaints):
            failed += 1
            print("self-test: expected", said or "no complaint", "and heard", complaints[:5])

    import html5lib

    more = more_marked()
    planted = [(MARKED, *fault) for fault in [("", "", None)] + MARK_FAULTS]
    planted += [(more, *fault) for fault in [("", "", None)] + MORE_FAULTS]
    for page, old, new, said in planted:
        complaints.clear()
        if old not in page:
            failed += 1
            print("self-test of marks: nothing to change:", old)
        page_marks.look(html5lib.parse(page.replace(old, new, 1)), check)
        if complaints if said is None else not any(said in complaint for complaint in complaints):
            failed += 1
            print("self-test of marks: expected", said or "no complaint", "and heard", complaints[:5])
    with tempfile.TemporaryDirectory(prefix="page-check-") as folder:
        path, driver, axe = Path(folder) / "page.html", browser(folder), axe_source()
        try:
            expect(SOUND, None)
            for old, new, said, views in FAULTS:
                if SOUND.count(old) < 1:
                    failed += 1
                    print("self-test: nothing to change:", old)
                expect(SOUND.replace(old, new, 1), said, views)
            # This policy allows images, so that the request itself is found, not its sign in the source.
            open_page = SOUND.replace("default-src 'none'; ", "default-src 'none'; img-src *; ")
            expect(open_page.replace("<p>", f'<p><img alt="" src="http://{host}/b.png">'), f"asks for http://{host}/b.png", LIGHT)
            expect(open_page.replace("<p>", '<p><img alt="" src="http://example.org/c.png">'), "asks for http://example.org", LIGHT)
            failed += self_test_pdf(driver, Path(folder))
        finally:
            driver.quit()
            server.shutdown()
    print(f"{len(FAULTS) + len(MARK_FAULTS) + len(MORE_FAULTS) + 7} planted faults, {failed} not noticed or wrong")
    return 1 if failed else 0


def self_test_pdf(driver, folder):
    """A page as PDF, and what would be wrong with others."""
    import base64

    driver.get((folder / "page.html").resolve().as_uri())
    path = folder / "page.pdf"
    path.write_bytes(base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", {})["data"]))
    failed = 0
    bare = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" \
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n" \
        b"4 0 obj<</Length 37>>stream\nBT /F 12 Tf 72 720 Td (Words) Tj ET  \nendstream endobj\n" \
        b"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
    outside = folder / "outside.pdf"
    outside.write_bytes(bare)
    for file, pages, words, said in (
        (path, 1, ["Words."], None), (path, 2, [], "has 1 pages"), (path, 1, ["Other words"], "does not say"),
        (outside, 1, ["Words"], "font is not in it"), (outside, 1, [], "has no title"),
    ):
        complaints.clear()
        look_at_pdf(str(file), pages, words)
        if complaints if said is None else not any(said in complaint for complaint in complaints):
            failed += 1
            print("self-test of PDF: expected", said or "no complaint", "and heard", complaints[:5])
    return failed


PAPERS = {"A4": (8.27, 11.69), "Letter": (8.5, 11)}


def look_at_sheets(driver, path, words):
    """A page that is to fit on one sheet, printed by both programs on both papers."""
    import base64

    # A browser prints in light colours, whatever the screen shows.
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    for paper, (width, height) in PAPERS.items():
        driver.get(path.resolve().as_uri())
        made = driver.execute_cdp_cmd("Page.printToPDF", {"paperWidth": width, "paperHeight": height})
        printed = path.with_suffix(f".chromium-{paper}.pdf")
        printed.write_bytes(base64.b64decode(made["data"]))
        look_at_pdf(str(printed), 1, words)
        source = path.with_suffix(f".{paper}.html")
        source.write_text(path.read_text(encoding="utf-8").replace("size:auto", f"size:{paper}"), encoding="utf-8")
        printed = path.with_suffix(f".weasyprint-{paper}.pdf")
        command("weasyprint", "--quiet", str(source), str(printed))
        look_at_pdf(str(printed), 1, words)


def report():
    for complaint in complaints:
        print(complaint)
    print(f"{looked} things looked at, {len(complaints)} wrong")
    return 1 if complaints else 0


def main():
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("pages", nargs="*", type=Path)
    reader.add_argument("--screenshots", type=Path)
    reader.add_argument("--few", action="store_true")
    reader.add_argument("--sheet", action="store_true")
    reader.add_argument("--pdf", type=Path, action="append", default=[])
    reader.add_argument("--pages", dest="count", type=int)
    reader.add_argument("--text", action="append", default=[])
    reader.add_argument("--self-test", action="store_true")
    said = reader.parse_args()
    if said.self_test:
        return self_test()
    if not said.pages and not said.pdf:
        reader.error("no file")
    if said.screenshots:
        said.screenshots.mkdir(parents=True, exist_ok=True)
    for path in said.pdf:
        look_at_pdf(path, said.count, said.text)
    if said.pages:
        with tempfile.TemporaryDirectory(prefix="page-check-") as folder:
            driver, axe = browser(folder), axe_source()
            try:
                for path in said.pages:
                    source = path.read_text(encoding="utf-8")
                    look_at_source(source, has_table=not said.sheet)
                    views = [TWO_VIEWS, ONE_VIEW] if said.few else [VIEWS, TWO_VIEWS]
                    look_in_browser(driver, axe, path, said.screenshots, views[len(source) >= LARGE])
                    if said.sheet:
                        look_at_sheets(driver, path, said.text)
            finally:
                driver.quit()
    return report()


if __name__ == "__main__":
    sys.exit(main())
