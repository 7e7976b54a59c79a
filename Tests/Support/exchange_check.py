#!/usr/bin/env python3
"""Says whether a file that dosetap-exchange wrote tells what the nights say, without any code of DoseTap.

exchange_check.py fhir|ndjson|ical|ios FILE [NIGHTS] [--profile PROFILE] [--models]

NIGHTS is the stream it was made of: the file must then have what follows from it, and no more. --models also reads the
file with fhir.resources 6.2.2 or icalendar. Prints how many things were looked at, or what is wrong, one line each.
"""

import csv
import io
import json
import re
import sys
import zipfile
from datetime import date, datetime, timedelta

complaints = []
looked = 0


def check(holds, *what):
    global looked
    looked += 1
    if not holds and len(complaints) < 40:
        complaints.append(" ".join(str(part)[:300] for part in what))


# The values that a file may have: words of R4 (hl7.org/fhir/R4) and codes with a source.
STATUS = {
    "MedicationAdministration": {"completed", "not-done", "unknown", "entered-in-error"},
    "MedicationStatement": {"active", "completed", "unknown"},
    "Observation": {"final", "entered-in-error"},
    "QuestionnaireResponse": {"in-progress", "completed", "amended", "stopped"},
    "Patient": {None},
}
KEYS = {
    "Patient": "resourceType id",
    "MedicationAdministration": "resourceType id identifier status extension statusReason medicationCodeableConcept "
    "subject effectiveDateTime effectivePeriod supportingInformation note dosage",
    "MedicationStatement": "resourceType id identifier status medicationCodeableConcept subject effectiveDateTime "
    "effectivePeriod dateAsserted note dosage",
    "Observation": "resourceType id identifier status category code subject effectiveDateTime effectivePeriod "
    "valueQuantity dataAbsentReason component note",
    "QuestionnaireResponse": "resourceType id identifier status questionnaire subject authored item",
}
CODES = {
    "http://www.whocc.no/atc": {"N07XX04"},
    "http://hl7.org/fhir/sid/ndc": {"68727-100", "68727-150", "13551-001"},
    "http://www.nlm.nih.gov/research/umls/rxnorm": {"2393795"},
    "http://loinc.org": {"93832-4", "93831-6", "93830-8", "93829-0"},
    "http://hl7.org/fhir/uv/phr/CodeSystem/sleep-episode-codes": {
        "latencyToSleepOnset", "wakeAfterSleepOnset", "numberOfAwakenings", "sleepEfficiencyPercentage",
    },
    "http://terminology.hl7.org/CodeSystem/observation-category": {"survey", "activity"},
    "http://terminology.hl7.org/CodeSystem/data-absent-reason": {"unknown"},
    "urn:dosetap:reason": {"skipped-by-person", "not-recorded", "superseded-by-dose2", "corrected"},
}
# The words of the contract are open sets, but each value is a word.
OWN_WORDS = {"urn:dosetap:sleep-event", "urn:dosetap:answer", "urn:dosetap:figure"}
BRANDS = {
    "xyrem": {"N07XX04", "68727-100"}, "xywav": {"N07XX04", "68727-150", "2393795"}, "lumryz": {"N07XX04", "13551-001"},
}
UNITS = {"mg", "min", "%", "1"}
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-](0\d|1[0-3]):[0-5]\d|[+-]14:00)")
DATE = re.compile(r"\d{4}-\d\d-\d\d")
DOSES = ("dose1", "dose2", "extra_dose")


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def plain(value, where):
    """No null, nothing empty: FHIR has neither."""
    check(value is not None and value != "" and value != [] and value != {}, "empty", where)
    if isinstance(value, dict):
        for key, part in value.items():
            plain(part, f"{where}.{key}")
    elif isinstance(value, list):
        for part in value:
            plain(part, where)


def walk(value):
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from walk(part)
    elif isinstance(value, list):
        for part in value:
            yield from walk(part)


def codings(concept):
    return {coding["code"] for coding in concept.get("coding", [])}


def resource_alone(resource, known):
    kind = resource.get("resourceType")
    check(kind in KEYS, "resource", kind)
    if kind not in KEYS:
        return
    for key in resource:
        check(key in KEYS[kind].split(), kind, "has", key)
    check(UUID.fullmatch(resource["id"]), "id", resource["id"])
    check(resource.get("status") in STATUS[kind], kind, "status", resource.get("status"))
    plain(resource, kind)
    for part in walk(resource):
        if "system" in part and "code" in part and "unit" not in part:
            words = CODES.get(part["system"])
            check(words is not None or part["system"] in OWN_WORDS, "code system", part["system"])
            check(words is None or part["code"] in words, "code", part)
            check(re.fullmatch(r"[^\s]+", part["code"]), "code", part)
        if "unit" in part:
            check(part["system"] == "http://unitsofmeasure.org" and part["unit"] == part["code"], "unit", part)
            # Only a median may be a half.
            is_whole = isinstance(part["value"], int)
            check(part["code"] in UNITS and (is_whole or part["value"] % 1 == 0.5), "unit", part)
        if "reference" in part:
            check(part["reference"] in known, "a reference leads nowhere:", part)
        for key in ("effectiveDateTime", "dateAsserted", "authored", "valueDateTime"):
            if key in part:
                check(MOMENT.fullmatch(part[key]) and moment(part[key]), key, part[key])
        for key in ("effectivePeriod",):
            if key in part:
                ends = [part[key].get("start"), part[key].get("end")]
                for end in filter(None, ends):
                    check(MOMENT.fullmatch(end) or DATE.fullmatch(end), key, end)
                check(ends[0] and (not ends[1] or ends[0][:10] <= ends[1][:10]), key, ends)
    if kind == "Patient":
        return
    identifier = resource["identifier"]
    check(isinstance(identifier, dict) == (kind == "QuestionnaireResponse"), kind, "identifier", identifier)
    one = identifier if isinstance(identifier, dict) else identifier[0]
    check(one == {"system": "urn:ietf:rfc:3986", "value": "urn:uuid:" + resource["id"]}, "identifier", one)
    check("reference" in resource["subject"], "subject", resource)
    if kind == "MedicationAdministration":
        check(("effectiveDateTime" in resource) != ("effectivePeriod" in resource), "effective", resource)
        check(resource["medicationCodeableConcept"]["text"], "medicine", resource)
        check(resource["extension"][0]["url"] == "urn:dosetap:extension:dose", "extension", resource)
        check(resource["extension"][0]["valueCode"] in DOSES, "extension", resource)
        reason = [codings(concept) for concept in resource.get("statusReason", [])]
        needed = {"not-done": [{"skipped-by-person"}], "unknown": [{"not-recorded"}], "completed": []}
        if resource["status"] in needed:
            check(reason == needed[resource["status"]], "reason", reason, resource["status"])
        else:
            check(reason in ([{"corrected"}], [{"superseded-by-dose2"}]), "reason", reason)
        if "dosage" in resource:
            check(resource["dosage"]["dose"]["value"] > 0, "dose", resource["dosage"])
    if kind == "Observation":
        value = [key for key in resource if key.startswith("value")]
        check(len(value) <= 1 and not (value and "dataAbsentReason" in resource), "value", resource)
        check(resource["code"]["text"] and codings(resource["code"]), "code", resource)


def resources_of(path, lines):
    text = open(path, encoding="utf-8").read()
    check(text.endswith("\n"), "the file does not end with its last line")
    if lines:
        resources = [json.loads(line) for line in text.splitlines()]
        return resources, {f"{r['resourceType']}/{r['id']}" for r in resources}
    bundle = json.loads(text)
    check(bundle["resourceType"] == "Bundle" and bundle["type"] == "collection", "bundle", bundle.get("type"))
    check(set(bundle) <= {"resourceType", "type", "entry"}, "bundle", list(bundle))
    entries = bundle.get("entry", [])
    check("entry" not in bundle or entries, "an empty list of entries")
    for entry in entries:
        check(set(entry) == {"fullUrl", "resource"}, "entry", list(entry))
        check(entry["fullUrl"] == "urn:uuid:" + entry["resource"]["id"], "fullUrl", entry["fullUrl"])
    return [entry["resource"] for entry in entries], {entry["fullUrl"] for entry in entries}


def fhir(path, nights, profile, models, lines):
    resources, known = resources_of(path, lines)
    check(len(known) == len(resources), "two resources have one id")
    for resource in resources:
        resource_alone(resource, known)
    check(sum(r["resourceType"] == "Patient" for r in resources) == (1 if resources else 0), "one person")
    if nights is not None and profile in ("full", "clinic"):
        told(resources, nights, profile)
    if models:
        from fhir.resources import construct_fhir_element
        from fhir.resources.bundle import Bundle

        if not lines:
            Bundle.parse_file(path)
        for resource in resources:
            read = construct_fhir_element(resource["resourceType"], resource)
            check(same(json.loads(read.json()), resource), "the models read something else:", resource)


def same(one, other):
    """Equal but for the spelling of moments and numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, str) and isinstance(other, str) and MOMENT.fullmatch(other):
        return moment(one) == moment(other)
    return one == other


def told(resources, nights, profile):
    """What follows from the nights, worked out from their JSON."""
    of = {}
    for resource in resources:
        of.setdefault(resource["resourceType"], []).append(resource)
    administrations = of.get("MedicationAdministration", [])
    counts = {}
    for resource in administrations:
        counts[resource["status"]] = counts.get(resource["status"], 0) + 1
    shown = [night for line in nights for night in line.get("nights", [])]
    entries = [(night, entry) for night in shown for entry in night["entries"]]
    doses = [(night, entry) for night, entry in entries if entry["type"] in DOSES]
    skips = [night for night, entry in entries if entry["type"] == "dose2_skipped"]
    check(counts.get("completed", 0) == len(doses), "doses", counts, len(doses))
    check(counts.get("not-done", 0) == sum(n["dose2_time"] is None for n in skips), "skips", counts, len(skips))
    check(counts.get("unknown", 0) == sum(n["outcome"] == "not_recorded" for n in shown), "not recorded", counts)

    # Unknown amounts are left out of a file; 0 stands for them here.
    expected = sorted(
        (
            moment(e["timestamp"]), e["metadata"].get("amount_mg") or 0,
            sorted(BRANDS.get(e["metadata"].get("medication_id"), ())), e["type"],
        )
        for _, e in doses
    )
    found = sorted(
        (
            moment(r["effectiveDateTime"]), r.get("dosage", {}).get("dose", {}).get("value", 0),
            sorted(codings(r["medicationCodeableConcept"])), r["extension"][0]["valueCode"],
        )
        for r in administrations if r["status"] == "completed"
    )
    check(found == expected, "doses differ", found[:3], expected[:3])
    for night in shown:
        if night["outcome"] == "not_recorded":
            begin = moment(night["dose1_time"]) + timedelta(minutes=150)
            check(
                any(r["status"] == "unknown" and moment(r["effectivePeriod"]["start"]) == begin
                    and moment(r["effectivePeriod"]["end"]) == begin + timedelta(minutes=90)
                    for r in administrations), "no window for", night["session_date"])
    ids = {r["id"] for r in administrations}
    own = {entry["id"] for _, entry in doses}
    check(own <= ids if profile == "full" else not own & ids, "ids", profile)
    loose = [e for line in nights for key in ("pre_sleep", "medications") for e in line.get(key, [])]
    everything = [e for _, e in entries] + loose
    check(
        len(of.get("QuestionnaireResponse", [])) == sum(e["type"] in ("checkin", "pre_sleep") for e in everything),
        "questionnaires")
    history = [r for line in nights for r in line.get("history", [])]
    # The regimen that was set last comes first. Each is told for each period in which no later one is in force.
    spans = [
        (date.fromisoformat(r["from"]).toordinal(),
         date.fromisoformat(r["until"]).toordinal() + 1 if r["until"] else 10 ** 7) for r in history]
    held = [
        next((place for place, (begin, end) in enumerate(spans) if begin <= day < end), None)
        for day in sorted({day for span in spans for day in span})]
    regimens = [place for place, before in zip(held, [None] + held) if place is not None and place != before]
    check(
        len(of.get("MedicationStatement", []))
        == sum(e["type"] == "medication" for e in everything) + len(regimens), "statements")
    events = [
        e for _, e in entries
        if e["type"] not in DOSES + ("dose2_skipped", "dose2_not_recorded", "snooze", "checkin", "pre_sleep",
                                     "medication", "regimen", "inventory", "sleep_record")
    ]
    naps = [n for night in shown for n in night["naps"] if n["state"] == "complete"]
    diaries = [
        d for d in (night["sleep_diary"] for night in shown)
        if any(d[k] is not None for k in (
            "sleep_onset_latency_min", "wake_after_sleep_onset_min", "awakenings", "total_sleep_min",
            "sleep_efficiency_percent"))
    ]
    final = [r for r in of.get("Observation", []) if r["status"] == "final"]
    recorded = [e for _, e in entries if e["type"] == "sleep_record"]
    check(
        len(final) == len(events) + len(naps) + len(diaries) + len(recorded), "observations", len(final), len(events),
        len(naps), len(recorded))
    sleep = [r for r in final if "93832-4" in codings(r["code"])]
    check(
        sorted(r["valueQuantity"]["value"] for r in sleep if "valueQuantity" in r)
        == sorted(
            d["total_sleep_min"] for d in diaries + [e["metadata"]["sleep"] for e in recorded]
            if d["total_sleep_min"] is not None), "sleep durations")
    stages = {"93831-6": "deep", "93830-8": "light", "93829-0": "rem"}
    found = sorted(
        (code, part["valueQuantity"]["value"]) for r in sleep for part in r.get("component", [])
        for code in codings(part["code"]) if code in stages)
    check(
        found == sorted(
            (code, e["metadata"]["stage_s"][stage] // 60) for e in recorded for code, stage in stages.items()
            if stage in e["metadata"]["stage_s"]), "stages", found)


def ical(path, nights, profile, models):
    data = open(path, "rb").read()
    check(data.endswith(b"\r\n") and b"\n" not in data.replace(b"\r\n", b"") and b"\r" not in data.replace(b"\r\n", b""),
          "line ends")
    for line in data.split(b"\r\n"):
        check(len(line) <= 75, "a line of", len(line))
        line.decode("utf-8")
    rows = data.decode("utf-8").replace("\r\n ", "").split("\r\n")[:-1]
    check(rows[0] == "BEGIN:VCALENDAR" and rows[-1] == "END:VCALENDAR" and rows.count("VERSION:2.0") == 1, "frame")
    events, event = [], None
    for row in rows[1:-1]:
        if row == "BEGIN:VEVENT":
            event = {}
        elif row == "END:VEVENT":
            events.append(event)
            event = None
        elif event is not None:
            name, _, value = row.partition(":")
            check(name not in event, "twice", name)
            event[name] = value
    for event in events:
        check(
            set(event) == {"UID", "DTSTAMP", "DTSTART", "SUMMARY", "SEQUENCE", "STATUS", "CLASS", "TRANSP"}, "keys", event)
        check(event["CLASS"] == "PRIVATE" and UUID.fullmatch(event["UID"]), "event", event)
        check(re.fullmatch(r"Night entry( [12])?", event["SUMMARY"]), "summary", event)
        check(event["STATUS"] in ("CONFIRMED", "CANCELLED"), "status", event)
        for key in ("DTSTAMP", "DTSTART"):
            check(datetime.strptime(event[key], "%Y%m%dT%H%M%SZ"), key, event)
    check(len({e["UID"] for e in events}) == len(events), "two events have one id")
    if nights is not None:
        doses = [e for line in nights for n in line.get("nights", []) for e in n["entries"] if e["type"] in DOSES]
        standing = [e for e in events if e["STATUS"] == "CONFIRMED"]
        check(len(standing) == len(doses), "events", len(standing), len(doses))
        if profile == "full":
            times = {e["id"]: moment(e["timestamp"]).strftime("%Y%m%dT%H%M%SZ") for e in doses}
            check({e["UID"]: e["DTSTART"] for e in standing} == times, "times")
    if models:
        from icalendar import Calendar

        calendar = Calendar.from_ical(data)
        read = list(calendar.walk("VEVENT"))
        check(len(read) == len(events), "icalendar reads", len(read))
        for event in read:
            check(not event.errors and event.decoded("dtstart").tzinfo is not None, "icalendar", event.errors)


HEADS = {
    "events.csv": "event_type,occurred_at_utc,details,device_time",
    "sessions.csv": "started_utc,ended_utc,window_target_min,window_actual_min,adherence_flag,whoop_recovery,avg_hr,"
    "sleep_efficiency,notes",
    "inventory.csv": "as_of_utc,bottles_remaining,doses_remaining,estimated_days_left,next_refill_date,notes",
}


def ios(path, nights, profile):
    archive = zipfile.ZipFile(path)
    check(archive.testzip() is None, "a checksum is wrong")
    check(archive.namelist() == list(HEADS) + ["insights_bundle.json"], "files", archive.namelist())
    tables = {}
    for name, head in HEADS.items():
        text = archive.read(name).decode("utf-8")
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        check(rows[0] == head.split(","), name, rows[0])
        for row in rows[1:]:
            check(len(row) == len(rows[0]), name, row)
        tables[name] = [dict(zip(rows[0], row)) for row in rows[1:]]
    bundle = json.loads(archive.read("insights_bundle.json"))
    check(bundle["schemaVersion"] == 1 and set(bundle) == {"schemaVersion", "exportedAtUTC", "sessions"}, "bundle")
    check(datetime.strptime(bundle["exportedAtUTC"], "%Y-%m-%dT%H:%M:%SZ"), "exportedAtUTC")
    for row in tables["events.csv"]:
        check(MOMENT.fullmatch(row["occurred_at_utc"]) and DATE.fullmatch(row["device_time"]), "row", row)
        if row["event_type"] in DOSES + ("dose2_skipped", "snooze"):
            check(isinstance(json.loads(row["details"]), dict), "details", row)
    for row in tables["sessions.csv"]:
        check(row["adherence_flag"] in ("missed", "late", "ok", ""), "flag", row)
    for session in bundle["sessions"]:
        check(set(session) <= {"sessionDate", "preSleep", "morning", "medications"}, "session", list(session))
        for key in ("sleepQuality", "mentalClarity", "readinessForDay"):
            check("morning" not in session or isinstance(session["morning"][key], int), key, session)
        for medication in session["medications"]:
            check(medication["doseUnit"] == "mg" and isinstance(medication["doseMg"], int), "medicine", medication)
    if nights is None:
        return
    shown = [night for line in nights for night in line.get("nights", [])]
    check(len(bundle["sessions"]) == len(shown), "sessions", len(bundle["sessions"]), len(shown))
    check(len(tables["sessions.csv"]) == sum(n["dose1_time"] is not None for n in shown), "rows of sessions")
    left_out = ("dose2_not_recorded", "checkin", "pre_sleep", "medication", "regimen", "inventory", "sleep_record")
    kept = [e for n in shown for e in n["entries"] if e["type"] not in left_out]
    check(len(tables["events.csv"]) == len(kept), "rows of events", len(tables["events.csv"]), len(kept))
    if profile == "full":
        notes = {(e["type"], e["timestamp"]) for e in kept}
        check({(r["event_type"], r["occurred_at_utc"]) for r in tables["events.csv"]} == notes, "events")
        flags = {n["dose1_time"]: n["outcome"] for n in shown if n["dose1_time"]}
        for row in tables["sessions.csv"]:
            outcome = flags[row["started_utc"]]
            word = {"skipped": "missed", "not_recorded": "missed", "late": "late", "on_time": "ok", "early": "ok",
                    "once_nightly": "ok"}.get(outcome, "")
            check(row["adherence_flag"] == word, "flag", row, outcome)


def main(arguments):
    models = "--models" in arguments
    profile = "full"
    if "--profile" in arguments:
        profile = arguments[arguments.index("--profile") + 1]
        arguments = [a for a in arguments if a not in ("--profile", profile)]
    kind, path, *rest = [a for a in arguments if a != "--models"]
    nights = [json.loads(line) for line in open(rest[0], encoding="utf-8")] if rest else None
    if nights is not None:
        nights = [{"nights": [line]} if "session_id" in line else line for line in nights]
    if kind in ("fhir", "ndjson"):
        fhir(path, nights, profile, models, kind == "ndjson")
    elif kind == "ical":
        ical(path, nights, profile, models)
    else:
        ios(path, nights, profile)
    for complaint in complaints:
        print(complaint)
    if not complaints:
        print(f"ok {looked}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
