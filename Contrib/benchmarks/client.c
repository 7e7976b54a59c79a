// A bare client of the contract, with libsystemd.
//   client status NAME COUNT    one connection, COUNT calls of Status, each timed
//   client dose NAME COUNT      one connection, LogDose1 timed, Undo after it not
//   client nights NAME COUNT    one connection, COUNT calls for the newest 30 nights, each timed
//   client months NAME COUNT    one connection, COUNT calls for the interval means of all months, each timed
//   client once NAME MEMBER [KEY]   connects, calls once, prints the first string of the answer, exits
#include "common.h"
#include <systemd/sd-bus.h>

#define PATH "/org/dosetap/DoseTap1"
#define SESSION "org.dosetap.DoseTap1.Session"
#define HISTORY "org.dosetap.DoseTap1.History"

static void look_back(sd_bus *bus, const char *name, int is_months) {
    sd_bus_message *answer = NULL;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    int code = is_months
        ? sd_bus_call_method(bus, name, PATH, HISTORY, "Intervals", &error, &answer, "a{sv}", 1, "by", "s", "month")
        : sd_bus_call_method(bus, name, PATH, HISTORY, "FindSessions", &error, &answer, "a{sv}", 1, "limit", "u", 30);
    if (code < 0) {
        fprintf(stderr, "%s: %s\n", error.name ? error.name : "?", error.message ? error.message : "?");
        exit(1);
    }
    sd_bus_message_unref(answer);
}

static void call(sd_bus *bus, const char *name, const char *member, const char *key, int print) {
    sd_bus_message *question = NULL, *answer = NULL;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    int code = sd_bus_message_new_method_call(bus, &question, name, PATH, SESSION, member);
    if (code < 0) fail("call", code);
    code = key ? sd_bus_message_append(question, "a{sv}", 1, "key", "s", key)
               : sd_bus_message_append(question, "a{sv}", 0);
    if (code < 0) fail("append", code);
    code = sd_bus_call(bus, question, 25000000, &error, &answer);
    if (code < 0) {
        fprintf(stderr, "%s: %s: %s\n", member, error.name ? error.name : "?", error.message ? error.message : "?");
        exit(1);
    }
    if (print) sd_bus_message_dump(answer, stdout, 0);
    sd_bus_message_unref(answer);
    sd_bus_message_unref(question);
}

int main(int count, char **words) {
    if (count < 4) return 64;
    sd_bus *bus;
    int code = sd_bus_open_user(&bus);
    if (code < 0) fail("bus", code);
    const char *name = words[2];
    if (!strcmp(words[1], "once")) {
        call(bus, name, words[3], count > 4 ? words[4] : NULL, 1);
        sd_bus_flush_close_unref(bus);
        return 0;
    }
    int rounds = atoi(words[3]), dose = !strcmp(words[1], "dose"), months = !strcmp(words[1], "months");
    int looks = months || !strcmp(words[1], "nights");
    int64_t *took = calloc((size_t)rounds, sizeof *took);
    if (!took) fail("calloc", ENOMEM);
    int64_t run = clock_ns(CLOCK_REALTIME);
    for (int i = -20; i < rounds; i++) {
        char key[80], undo[96];
        snprintf(key, sizeof key, "bench-%llx-%d", (unsigned long long)run, i);
        snprintf(undo, sizeof undo, "%s-undo", key);
        int64_t start = clock_ns(CLOCK_MONOTONIC);
        if (looks) look_back(bus, name, months);
        else call(bus, name, dose ? "LogDose1" : "Status", dose ? key : NULL, 0);
        if (i >= 0) took[i] = clock_ns(CLOCK_MONOTONIC) - start;
        if (dose) call(bus, name, "Undo", undo, 0);
    }
    report(took, (size_t)rounds);
    sd_bus_flush_close_unref(bus);
    return 0;
}
