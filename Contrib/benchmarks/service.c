// The floor: a C service with libsystemd and SQLite that does the same work, without rules.
//   service --store FILE --schema FILE --name NAME [--minimal]
// Status answers as much as the real one. LogDose1 and Undo commit the same rows and, after their reply, send the same
// signals and journal entries. With --minimal LogDose1 is one row in dose_events and sends nothing.
#include "floorstore.h"
#include <systemd/sd-bus.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-event.h>

#define PATH "/org/dosetap/DoseTap1"
#define SESSION "org.dosetap.DoseTap1.Session"
#define MINUTES 60000000LL

static struct night night;
static sd_bus *bus;

static uint64_t now_us(void) { return (uint64_t)(clock_ns(CLOCK_REALTIME) / 1000); }

#define PUT(key, ...) do { if ((code = sd_bus_message_append(reply, "{sv}", key, __VA_ARGS__)) < 0) return code; } while (0)

static int put_nested(sd_bus_message *reply, const char *key, const char *types, ...) {
    sd_bus_message_open_container(reply, 'e', "sv");
    sd_bus_message_append(reply, "s", key);
    sd_bus_message_open_container(reply, 'v', "a{sv}");
    va_list values;
    va_start(values, types);
    int code = sd_bus_message_appendv(reply, types, values);
    va_end(values);
    sd_bus_message_close_container(reply);
    sd_bus_message_close_container(reply);
    return code;
}

static void open_list(sd_bus_message *reply, const char *key) {
    sd_bus_message_open_container(reply, 'e', "sv");
    sd_bus_message_append(reply, "s", key);
    sd_bus_message_open_container(reply, 'v', "av");
    sd_bus_message_open_container(reply, 'a', "v");
}

static int close_list(sd_bus_message *reply) {
    sd_bus_message_close_container(reply);
    sd_bus_message_close_container(reply);
    return sd_bus_message_close_container(reply);
}

static int warn(sd_bus_message *reply, const char *code, const char *message) {
    return sd_bus_message_append(reply, "v", "a{sv}", 2, "code", "s", code, "message", "s", message);
}

static int write_status(sd_bus_message *reply) {
    int code;
    uint64_t now = now_us(), dose = night.open ? (uint64_t)night.at : 0;
    sd_bus_message_open_container(reply, 'a', "{sv}");
    PUT("phase", "s", night.open ? "before_window" : "no_dose1");
    put_nested(reply, "primary", "a{sv}", 2, "action", "s", night.open ? "waiting_until_earliest" : "disabled",
               "remaining_s", "x", (int64_t)9000);
    put_nested(reply, "snooze", "a{sv}", 2, "enabled", "b", 0, "reason", "s", "too_early");
    put_nested(reply, "skip", "a{sv}", 1, "enabled", "b", 1);
    PUT("elapsed_s", "x", night.open ? (int64_t)(now - dose) / 1000000 : 0);
    PUT("remaining_s", "x", night.open ? (int64_t)14400 - (int64_t)(now - dose) / 1000000 : 0);
    PUT("errors", "as", 0);
    PUT("at", "t", now);
    PUT("session_id", "s", night.session);
    PUT("session_date", "s", night.date);
    PUT("time_zone", "s", "Europe/Vienna");
    PUT("zone_in_force", "s", "Europe/Vienna");
    PUT("rollover_hour", "x", (int64_t)18);
    PUT("dose1_time", "t", dose);
    PUT("dose2_time", "t", (uint64_t)0);
    PUT("dose1_surface", "s", "dbus");
    PUT("certain", "b", 1);
    PUT("outcome", "s", "pending");
    PUT("dose2_skipped", "b", 0);
    PUT("extra_doses", "x", (int64_t)0);
    PUT("snooze_count", "x", (int64_t)0);
    PUT("snooze_limit", "x", (int64_t)3);
    PUT("window_opens", "t", dose + 150 * MINUTES);
    PUT("window_closes", "t", dose + 240 * MINUTES);
    PUT("alarm_time", "t", dose + 165 * MINUTES);
    PUT("checkin_pending", "b", 0);
    PUT("date", "s", night.date);
    PUT("present_date", "s", night.date);
    put_nested(reply, "next_reminder", "a{sv}", 3, "id", "s", "window_open", "at", "t", dose + 150 * MINUTES, "urgency",
               "s", "normal");
    put_nested(reply, "next", "a{sv}", 2, "when", "s", "now", "step", "s", "follow");
    open_list(reply, "clearance");
    sd_bus_message_append(reply, "v", "a{sv}", 5, "kind", "s", "earliest_drive", "at", "t", dose, "until", "t",
                          dose + 360 * MINUTES, "detail", "s", "at_least", "source", "s",
                          "Xyrem label: no driving or hazardous work for at least 6 h after a dose");
    close_list(reply);
    open_list(reply, "warnings");
    warn(reply, "channels", "No notification server answers.");
    warn(reply, "sound", "No sound can be played: the alarm will not be heard.");
    if ((code = close_list(reply)) < 0) return code;
    return sd_bus_message_close_container(reply);
}

static int on_status(sd_bus_message *call, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    sd_bus_message *reply = NULL;
    int code = sd_bus_message_skip(call, "a{sv}");
    if (code < 0 || (code = sd_bus_message_new_method_return(call, &reply)) < 0) return code;
    if ((code = write_status(reply)) >= 0) code = sd_bus_send(NULL, reply, NULL);
    sd_bus_message_unref(reply);
    return code < 0 ? code : 1;
}

static int read_options(sd_bus_message *call, char key[128], int64_t *at) {
    const char *name, *text;
    int code = sd_bus_message_enter_container(call, 'a', "{sv}");
    key[0] = 0;
    while (code >= 0 && (code = sd_bus_message_enter_container(call, 'e', "sv")) > 0) {
        sd_bus_message_read(call, "s", &name);
        uint64_t instant;
        if (!strcmp(name, "key") && sd_bus_message_read(call, "v", "s", &text) > 0) snprintf(key, 128, "%s", text);
        else if (!strcmp(name, "at") && sd_bus_message_read(call, "v", "t", &instant) > 0) *at = (int64_t)instant;
        else sd_bus_message_skip(call, "v");
        code = sd_bus_message_exit_container(call);
    }
    return code;
}

static int tell(const char *type, const char *id) {
    sd_bus_message *signal = NULL;
    int code = sd_bus_message_new_signal(bus, &signal, PATH, SESSION, "EventRecorded");
    if (code < 0) return code;
    sd_bus_message_append(signal, "ssa{sv}", type, id, 5, "session_id", "s", night.session, "session_date", "s",
                          night.date, "occurred_at", "t", now_us(), "effective_at", "t", (uint64_t)night.at, "surface",
                          "s", "dbus");
    code = sd_bus_send(bus, signal, NULL);
    sd_bus_message_unref(signal);
    return code;
}

static int tell_properties(void) {
    sd_bus_message *signal = NULL;
    int code = sd_bus_message_new_signal(bus, &signal, PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged");
    if (code < 0) return code;
    uint64_t dose = night.open ? (uint64_t)night.at : 0, minutes = night.open ? MINUTES : 0;
    sd_bus_message_append(signal, "sa{sv}as", SESSION, 7, "Phase", "s", night.open ? "before_window" : "no_dose1",
                          "SessionId", "s", night.session, "SessionDate", "s", night.date, "Dose1Time", "t", dose,
                          "WindowOpens", "t", dose + 150 * minutes, "WindowCloses", "t", dose + 240 * minutes,
                          "AlarmTime", "t", dose + 165 * minutes, 0);
    code = sd_bus_send(bus, signal, NULL);
    sd_bus_message_unref(signal);
    return code;
}

static void tell_journal(const char *text, const char *type, const char *id) {
    sd_journal_send("MESSAGE=%s", text, "PRIORITY=5", "SYSLOG_IDENTIFIER=floor", "MESSAGE_ID=b2732721a36b4715996fae21dba5a127",
                    "DOSETAP_EVENT=%s", type, "DOSETAP_EVENT_ID=%s", id, "DOSETAP_SEQUENCE=%lld", (long long)newest,
                    "DOSETAP_SURFACE=dbus", "DOSETAP_SESSION_ID=%s", night.session, "DOSETAP_SESSION_DATE=%s", night.date,
                    "DOSETAP_PHASE=%s", night.open ? "before_window" : "no_dose1", NULL);
}

static int answer(sd_bus_message *call, const char *id, const char *type, const char *phase) {
    sd_bus_message *reply = NULL;
    int code = sd_bus_message_new_method_return(call, &reply);
    if (code < 0) return code;
    sd_bus_message_open_container(reply, 'a', "{sv}");
    PUT("event_id", "s", id);
    PUT("type", "s", type);
    PUT("session_id", "s", night.session);
    PUT("session_date", "s", night.date);
    PUT("timestamp", "t", (uint64_t)night.at);
    PUT("phase", "s", phase);
    PUT("dose_index", "x", (int64_t)1);
    put_nested(reply, "metadata", "a{sv}", 6, "is_early", "b", 0, "is_late", "b", 0, "is_extra_dose", "b", 0,
               "surface", "s", "dbus", "source", "s", "manual", "local_offset_minutes", "x", (int64_t)60);
    PUT("duplicate", "b", 0);
    PUT("time_zone", "s", "Europe/Vienna");
    sd_bus_message_close_container(reply);
    code = sd_bus_send(NULL, reply, NULL);
    sd_bus_message_unref(reply);
    return code;
}

static int on_action(sd_bus_message *call, void *data, sd_bus_error *error) {
    (void)data;
    char key[128];
    int64_t now = (int64_t)now_us(), at = now;
    int code = read_options(call, key, &at), is_dose = !strcmp(sd_bus_message_get_member(call), "LogDose1");
    if (code < 0) return code;
    if (is_dose == night.open)
        return sd_bus_error_setf(error, "org.dosetap.DoseTap1.Error.Refused", "%s", is_dose ? "taken" : "nothing");
    if (is_dose) night.at = at;
    char dose[40];
    code = is_dose ? log_dose(&night, key, now) : undo_dose(&night, key, now);
    if (code != SQLITE_DONE)
        return sd_bus_error_setf(error, "org.dosetap.DoseTap1.Error.Internal", "%s", sqlite3_errmsg(db));
    snprintf(dose, sizeof dose, "%s", night.dose);
    code = answer(call, dose, is_dose ? "dose1" : "undo", is_dose ? "before_window" : "no_dose1");
    if (code < 0 || is_minimal) return code < 0 ? code : 1;
    if (is_dose) tell("session_opened", night.opened);
    tell(is_dose ? "dose_recorded" : "action_undone", dose);
    sd_bus_emit_signal(bus, PATH, SESSION, "PhaseChanged", "ss", is_dose ? "no_dose1" : "before_window",
                       is_dose ? "before_window" : "no_dose1");
    tell_properties();
    if (is_dose) tell_journal("Session opened", "session_opened", night.opened);
    tell_journal(is_dose ? "Recorded dose1" : "Undid an action", is_dose ? "dose_recorded" : "action_undone", dose);
    tell_journal(is_dose ? "Phase no_dose1 -> before_window" : "Phase before_window -> no_dose1", "phase_changed", dose);
    return 1;
}

static const sd_bus_vtable members[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Status", "a{sv}", "a{sv}", on_status, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("LogDose1", "a{sv}", "a{sv}", on_action, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("Undo", "a{sv}", "a{sv}", on_action, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_SIGNAL("EventRecorded", "ssa{sv}", 0),
    SD_BUS_SIGNAL("PhaseChanged", "ss", 0),
    SD_BUS_VTABLE_END};

int main(int count, char **words) {
    const char *store = NULL, *name = "org.dosetap.Floor1";
    for (int i = 1; i < count; i++) {
        if (!strcmp(words[i], "--minimal")) is_minimal = 1;
        else if (i + 1 == count) return 64;
        else if (!strcmp(words[i], "--store")) store = words[++i];
        else if (!strcmp(words[i], "--schema")) schema_path = words[++i];
        else if (!strcmp(words[i], "--name")) name = words[++i];
        else if (!strcmp(words[i], "--address")) setenv("DBUS_SESSION_BUS_ADDRESS", words[++i], 1);
        else return 64;
    }
    if (!store || !schema_path) return 64;
    open_store(store);
    sd_event *loop;
    int code = sd_event_default(&loop);
    if (code < 0 || (code = sd_bus_open_user(&bus)) < 0) fail("bus", code);
    if ((code = sd_bus_add_object_vtable(bus, NULL, PATH, SESSION, members, NULL)) < 0) fail("object", code);
    sd_bus_attach_event(bus, loop, 0);
    if ((code = sd_bus_request_name(bus, name, 0)) < 0) fail("name", code);
    return sd_event_loop(loop);
}
