// The floor for looking back: a C service with libsystemd and SQLite, whose statements are prepared.
//   lookback --store FILE --name NAME --nights SQL --months SQL
// FindSessions answers the newest 30 nights, Intervals the months, in messages with the keys and types of the real
// ones.
#include "common.h"
#include <sqlite3.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-event.h>

#define PATH "/org/dosetap/DoseTap1"
#define HISTORY "org.dosetap.DoseTap1.History"
#define MINUTE 60000000LL
#define PUT(key, ...) do { if ((code = sd_bus_message_append(reply, "{sv}", key, __VA_ARGS__)) < 0) return code; } while (0)

static sqlite3 *db;
static sqlite3_stmt *nights, *months;

static sqlite3_stmt *prepared(const char *path) {
    static char text[8192];
    FILE *file = fopen(path, "r");
    if (!file) fail(path, errno);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v3(db, text, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL)) {
        fprintf(stderr, "%s: %s\n", path, sqlite3_errmsg(db));
        exit(1);
    }
    return statement;
}

static int number(const char *text, int digits) {
    int value = 0;
    while (digits--) value = value * 10 + *text++ - '0';
    return value;
}

// Microseconds since 1970 of a text such as "2025-07-01T21:00:00.000Z"; 0 for no text.
static int64_t instant(const char *text) {
    if (!text || strlen(text) < 24) return 0;
    int year = number(text, 4), month = number(text + 5, 2), day = number(text + 8, 2);
    int shifted = year - (month <= 2), era = shifted / 400, of_era = shifted - era * 400;
    int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t days = era * 146097LL + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
    int64_t seconds = days * 86400 + number(text + 11, 2) * 3600 + number(text + 14, 2) * 60 + number(text + 17, 2);
    return seconds * 1000000 + number(text + 20, 3) * 1000;
}

static const char *column(int index) { return (const char *)sqlite3_column_text(nights, index); }

static int write_night(sd_bus_message *reply) {
    int64_t dose1 = 0, dose2 = 0, extra = 0, snoozes = 0, skipped = 0;
    int code;
    for (const char *at = column(5); at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        int64_t then = instant(strchr(at, ' ') + 1);
        if (!strncmp(at, "dose1 ", 6)) dose1 = dose1 && dose1 < then ? dose1 : then;
        else if (!strncmp(at, "dose2 ", 6)) dose2 = dose2 && dose2 < then ? dose2 : then;
        else if (!strncmp(at, "dose2_skipped ", 14)) skipped = 1;
        else if (!strncmp(at, "extra_dose ", 11)) extra++;
        else if (!strncmp(at, "snooze ", 7)) snoozes++;
    }
    if (dose2) skipped = 0;
    sd_bus_message_open_container(reply, 'a', "{sv}");
    PUT("session_id", "s", column(0));
    PUT("session_date", "s", column(1));
    PUT("start_utc", "t", (uint64_t)instant(column(2)));
    PUT("end_utc", "t", (uint64_t)instant(column(3)));
    if (column(4)) PUT("terminal_state", "s", column(4));
    PUT("dose1_time", "t", (uint64_t)dose1);
    PUT("dose2_time", "t", (uint64_t)dose2);
    PUT("dose2_skipped", "b", (int)skipped);
    PUT("extra_doses", "u", (uint32_t)extra);
    PUT("snooze_count", "u", (uint32_t)snoozes);
    if (dose1 && dose2) {
        PUT("interval_min", "x", (dose2 - dose1) / MINUTE);
        PUT("on_time", "b", dose2 - dose1 >= 150 * MINUTE && dose2 - dose1 < 240 * MINUTE);
    }
    PUT("time_zone", "s", column(6));
    if (column(7)) PUT("wellness_score", "x", (int64_t)atoi(column(7)));
    if (column(8)) PUT("pre_sleep", "s", column(8));
    if (column(9)) PUT("outcome", "s", column(9));
    if (sqlite3_column_type(nights, 10) != SQLITE_NULL) PUT("night_score", "x", (int64_t)sqlite3_column_int64(nights, 10));
    return sd_bus_message_close_container(reply);
}

static int on_sessions(sd_bus_message *call, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    uint32_t limit, count = 0;
    const char *key;
    char next[80] = "", last[80] = "";
    sd_bus_message *reply = NULL;
    int code = sd_bus_message_read(call, "a{sv}", 1, &key, "u", &limit);
    if (code < 0 || (code = sd_bus_message_new_method_return(call, &reply)) < 0) return code;
    sd_bus_message_open_container(reply, 'a', "a{sv}");
    while (sqlite3_step(nights) == SQLITE_ROW) {
        if (count++ == limit) {
            strcpy(next, last);
            break;
        }
        if ((code = write_night(reply)) < 0) return code;
        snprintf(last, sizeof last, "%s|%s", column(2), column(0));
    }
    sqlite3_reset(nights);
    sd_bus_message_close_container(reply);
    if ((code = sd_bus_message_append(reply, "s", next)) >= 0) code = sd_bus_send(NULL, reply, NULL);
    sd_bus_message_unref(reply);
    return code < 0 ? code : 1;
}

static int on_intervals(sd_bus_message *call, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    static char keys[1200][8];
    static char *names[1201];
    static uint32_t counts[1200];
    static double means[1200], shortest[1200], longest[1200];
    sd_bus_message *reply = NULL;
    size_t found = 0;
    int code = sd_bus_message_skip(call, "a{sv}");
    if (code < 0 || (code = sd_bus_message_new_method_return(call, &reply)) < 0) return code;
    for (; found < 1200 && sqlite3_step(months) == SQLITE_ROW; found++) {
        snprintf(keys[found], sizeof keys[found], "%s", (const char *)sqlite3_column_text(months, 0));
        names[found] = keys[found];
        counts[found] = (uint32_t)sqlite3_column_int64(months, 1);
        means[found] = (double)sqlite3_column_int64(months, 2) / counts[found] / 60000;
        shortest[found] = (double)sqlite3_column_int64(months, 3) / 60000;
        longest[found] = (double)sqlite3_column_int64(months, 4) / 60000;
    }
    names[found] = NULL;
    sqlite3_reset(months);
    sd_bus_message_append_strv(reply, names);
    sd_bus_message_append_array(reply, 'u', counts, found * sizeof *counts);
    sd_bus_message_append_array(reply, 'd', means, found * sizeof *means);
    sd_bus_message_append_array(reply, 'd', shortest, found * sizeof *shortest);
    if ((code = sd_bus_message_append_array(reply, 'd', longest, found * sizeof *longest)) >= 0)
        code = sd_bus_send(NULL, reply, NULL);
    sd_bus_message_unref(reply);
    return code < 0 ? code : 1;
}

static const sd_bus_vtable members[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("FindSessions", "a{sv}", "aa{sv}s", on_sessions, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("Intervals", "a{sv}", "asauadadad", on_intervals, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END};

int main(int count, char **words) {
    const char *store = NULL, *name = NULL, *nights_path = NULL, *months_path = NULL;
    for (int i = 1; i + 1 < count; i += 2) {
        if (!strcmp(words[i], "--store")) store = words[i + 1];
        else if (!strcmp(words[i], "--name")) name = words[i + 1];
        else if (!strcmp(words[i], "--nights")) nights_path = words[i + 1];
        else if (!strcmp(words[i], "--months")) months_path = words[i + 1];
    }
    if (!store || !name || !nights_path || !months_path) return 64;
    if (sqlite3_open(store, &db)) fail("open", EIO);
    sqlite3_exec(db, "PRAGMA locking_mode=EXCLUSIVE;PRAGMA journal_mode=WAL;PRAGMA cell_size_check=ON", NULL, NULL, NULL);
    nights = prepared(nights_path);
    months = prepared(months_path);
    sd_event *loop;
    sd_bus *bus;
    int code = sd_event_default(&loop);
    if (code < 0 || (code = sd_bus_open_user(&bus)) < 0) fail("bus", code);
    if ((code = sd_bus_add_object_vtable(bus, NULL, PATH, HISTORY, members, NULL)) < 0) fail("object", code);
    sd_bus_attach_event(bus, loop, 0);
    if ((code = sd_bus_request_name(bus, name, 0)) < 0) fail("name", code);
    return sd_event_loop(loop);
}
