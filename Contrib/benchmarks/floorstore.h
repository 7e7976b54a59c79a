// The floor's store: the rows of a logged and an undone dose 1 in the service's own tables, one durable transaction each.
#ifndef FLOORSTORE_H
#define FLOORSTORE_H
#include "common.h"
#include "sha256.h"
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <sys/random.h>

struct night {
    char session[40], dose[40], opened[40], date[16], stamp[32];
    int64_t at;
    int open;
};

static sqlite3 *db;
static sqlite3_stmt *put_event, *find_key, *put_session, *put_dose, *put_current, *put_cursor, *drop_dose,
    *drop_session, *drop_current, *begin_it, *commit_it;
static int64_t newest;
static char chain[65];
static int head_file = -1, is_minimal;
static const char *schema_path;

static void sql(const char *text) {
    char *message = NULL;
    if (sqlite3_exec(db, text, NULL, NULL, &message)) {
        fprintf(stderr, "%s: %s\n", text, message);
        exit(1);
    }
}

static sqlite3_stmt *prepared(const char *text) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v3(db, text, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL)) {
        fprintf(stderr, "%s: %s\n", text, sqlite3_errmsg(db));
        exit(1);
    }
    return statement;
}

// Binds by letter (s text or NULL, i integer), runs and resets the statement, and returns the result of sqlite3_step.
static int run(sqlite3_stmt *statement, const char *letters, ...) {
    va_list values;
    va_start(values, letters);
    for (int i = 0; letters[i]; i++)
        if (letters[i] == 's') sqlite3_bind_text(statement, i + 1, va_arg(values, const char *), -1, SQLITE_STATIC);
        else sqlite3_bind_int64(statement, i + 1, va_arg(values, int64_t));
    va_end(values);
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code;
}

static void new_id(char out[40]) {
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) fail("getrandom", errno);
    uint64_t ms = (uint64_t)(clock_ns(CLOCK_REALTIME) / 1000000);
    for (int i = 0; i < 6; i++) bytes[i] = (unsigned char)(ms >> (40 - 8 * i));
    bytes[6] = (bytes[6] & 15) | 0x70;
    bytes[8] = (bytes[8] & 63) | 0x80;
    for (int i = 0, at = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) out[at++] = '-';
        at += sprintf(out + at, "%02x", bytes[i]);
    }
}

static void stamp(char out[32], int64_t us) {
    time_t seconds = us / 1000000;
    struct tm parts;
    char text[24];
    gmtime_r(&seconds, &parts);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(out, 32, "%s.%03dZ", text, (int)(us / 1000 % 1000));
}

static void hashed(unsigned char *out, size_t *length, const char *text) {
    uint32_t size = text ? (uint32_t)strlen(text) : UINT32_MAX;
    for (int i = 0; i < 4; i++) out[(*length)++] = (unsigned char)(size >> (24 - 8 * i));
    if (text) memcpy(out + *length, text, size);
    if (text) *length += size;
}

static int add_event(const char *id, const char *type, const char *about, const char *entity, const char *session,
                     int64_t now, int64_t at, const char *surface, const char *key, const char *payload) {
    static const char boot[] = "0f0e0d0c-0b0a-4908-8706-050403020100", device[] = "a0a1a2a3-a4a5-46a7-a8a9-aaabacadaeaf";
    char when[32], then[32], number[24], uptime[24], hash[65];
    int64_t up = clock_ns(CLOCK_BOOTTIME) / 1000;
    unsigned char bytes[4096];
    size_t length = 0;
    stamp(when, now);
    stamp(then, at);
    snprintf(number, sizeof number, "%lld", (long long)newest + 1);
    snprintf(uptime, sizeof uptime, "%lld", (long long)up);
    const char *columns[] = {number, id, type, about, entity, session, when, then, "Europe/Vienna", "60", uptime, boot,
                             device, surface, key, payload, chain};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) hashed(bytes, &length, columns[i]);
    sha256_hex(bytes, length, hash);
    int code = run(put_event, "issssssssiissssss" "s", newest + 1, id, type, about, entity, session, when, then,
                   "Europe/Vienna", (int64_t)60, up, boot, device, surface, key, payload, chain, hash);
    if (code != SQLITE_DONE) return code;
    newest++;
    memcpy(chain, hash, sizeof chain);
    return code;
}

static void write_head(void) {
    char line[200];
    int length = snprintf(line, sizeof line, "dosetap-head 1 %036d %019lld %s %016llx\n", 0, (long long)newest, chain,
                          (unsigned long long)newest);
    if (pwrite(head_file, line, (size_t)length, 0) != length) return;
}

static void open_store(const char *path) {
    if (sqlite3_open(path, &db)) fail("open", EIO);
    sql("PRAGMA locking_mode=EXCLUSIVE;PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA temp_store=MEMORY;"
        "PRAGMA foreign_keys=ON;PRAGMA trusted_schema=OFF;PRAGMA cell_size_check=ON");
    sqlite3_stmt *look = prepared("SELECT 1 FROM sqlite_schema WHERE name='dose_events'");
    int is_new = sqlite3_step(look) != SQLITE_ROW;
    sqlite3_finalize(look);
    if (is_new) {
        FILE *file = fopen(schema_path, "r");
        if (!file) fail(schema_path, errno);
        static char text[65536];
        text[fread(text, 1, sizeof text - 1, file)] = 0;
        fclose(file);
        sql(text);
    }
    put_event = prepared("INSERT INTO events VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,NULL,1)");
    find_key = prepared("SELECT seq,session_id FROM events WHERE idempotency_key=?");
    put_session = prepared("INSERT OR REPLACE INTO sleep_sessions VALUES(?,?,?,NULL,NULL,?,?)");
    put_dose = prepared("INSERT OR REPLACE INTO dose_events VALUES(?,?,?,?,?,?,?)");
    put_current = prepared("INSERT OR REPLACE INTO current_session VALUES(1,?,NULL,0,0,?,?,?,NULL,NULL,?)");
    put_cursor = prepared("INSERT INTO plugin_cursors VALUES(?,?) ON CONFLICT(plugin_id) DO UPDATE SET seq=excluded.seq");
    drop_dose = prepared("DELETE FROM dose_events WHERE id=?");
    drop_session = prepared("DELETE FROM sleep_sessions WHERE session_id=?");
    drop_current = prepared("DELETE FROM current_session WHERE id=?");
    begin_it = prepared("BEGIN IMMEDIATE");
    commit_it = prepared("COMMIT");
    sqlite3_stmt *last = prepared("SELECT seq,hash FROM events ORDER BY seq DESC LIMIT 1");
    if (sqlite3_step(last) == SQLITE_ROW) {
        newest = sqlite3_column_int64(last, 0);
        snprintf(chain, sizeof chain, "%s", (const char *)sqlite3_column_text(last, 1));
    }
    sqlite3_finalize(last);
    char head[4096];
    snprintf(head, sizeof head, "%s.head", path);
    head_file = open(head, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

static const char RULES[] =
    "{\"target_minutes\":165,\"snooze_step_minutes\":10,\"max_snoozes\":3,\"wake\":\"07:00\",\"prep\":\"18:00\","
    "\"checkin_cutoff_hours\":4,\"rollover_hour\":18,\"undo_window_seconds\":60,\"once_nightly\":false}";
static const char ORIGIN[] = "\"origin\":{\"sender\":\":1.42\",\"pid\":12345,\"comm\":\"client\"}";
static const char METADATA[] = "{\"is_early\":false,\"is_late\":false,\"is_extra_dose\":false,\"surface\":\"dbus\","
                               "\"source\":\"manual\",\"local_offset_minutes\":60}";

// The rows are durable only when this returns SQLITE_DONE.
static int log_dose(struct night *night, const char *key, int64_t now) {
    char payload[1024];
    new_id(night->dose);
    stamp(night->stamp, night->at);
    snprintf(night->date, sizeof night->date, "%.10s", night->stamp);
    if (is_minimal) {
        int code = run(put_dose, "sssssss", night->dose, "dose1", night->stamp, night->date, night->session, METADATA,
                       night->stamp);
        night->open = code == SQLITE_DONE;
        return code;
    }
    new_id(night->session);
    new_id(night->opened);
    if (run(find_key, "s", key) == SQLITE_ROW) return SQLITE_CONSTRAINT;
    run(begin_it, "");
    snprintf(payload, sizeof payload,
             "{\"v\":1,\"session_date\":\"%s\",\"backfilled\":false,\"rules\":%s,\"cause\":\"%s\",%s}", night->date,
             RULES, night->dose, ORIGIN);
    add_event(night->opened, "session_opened", "session", night->session, night->session, now, night->at, "service",
              NULL, payload);
    snprintf(payload, sizeof payload, "{\"v\":1,\"kind\":\"dose1\",\"request\":{},%s}", ORIGIN);
    add_event(night->dose, "dose_recorded", "dose", night->dose, night->session, now, night->at, "dbus", key, payload);
    run(put_session, "sssss", night->session, night->date, night->stamp, night->stamp, night->stamp);
    run(put_current, "sssss", night->stamp, night->date, night->session, night->stamp, night->stamp);
    run(put_dose, "sssssss", night->dose, "dose1", night->stamp, night->date, night->session, METADATA, night->stamp);
    run(put_cursor, "si", "journal", newest);
    int code = run(commit_it, "");
    if (code == SQLITE_DONE) write_head();
    night->open = code == SQLITE_DONE;
    return code;
}

static int undo_dose(struct night *night, const char *key, int64_t now) {
    char payload[1024], id[40];
    if (is_minimal) {
        night->open = 0;
        return run(drop_dose, "s", night->dose);
    }
    new_id(id);
    if (run(find_key, "s", key) == SQLITE_ROW) return SQLITE_CONSTRAINT;
    run(begin_it, "");
    snprintf(payload, sizeof payload, "{\"v\":1,\"action\":\"%s\",\"events\":[\"%s\",\"%s\"],\"request\":{},%s}",
             night->dose, night->opened, night->dose, ORIGIN);
    add_event(id, "action_undone", "dose", night->dose, night->session, now, now, "dbus", key, payload);
    run(drop_dose, "s", night->dose);
    run(drop_session, "s", night->session);
    run(drop_current, "i", (int64_t)1);
    run(put_cursor, "si", "journal", newest);
    int code = run(commit_it, "");
    if (code == SQLITE_DONE) write_head();
    night->open = 0;
    return code;
}
#endif
