#include "CSQLite.h"

#include <malloc.h>

static const struct {
    int option, value;
} settings[] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
    {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0}, {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
};

int csqlite_distrust(sqlite3 *database) {
    int result = SQLITE_OK;
    for (unsigned i = 0; i < sizeof settings / sizeof *settings && result == SQLITE_OK; i++)
        result = sqlite3_db_config(database, settings[i].option, settings[i].value, (void *)0);
    return result;
}

int csqlite_is_distrustful(sqlite3 *database) {
    for (unsigned i = 0; i < sizeof settings / sizeof *settings; i++) {
        int value = -1;
        if (sqlite3_db_config(database, settings[i].option, -1, &value) != SQLITE_OK || value != settings[i].value)
            return 0;
    }
    return 1;
}

void csqlite_trim(void) { (void)malloc_trim(0); }

/* Functions of libdispatch, which GRDB links. A C target does not find its headers. Programs without GRDB lack it. */
extern void *dispatch_get_current_queue(void) __attribute__((weak));
extern void dispatch_retain(void *object) __attribute__((weak));

void csqlite_keep_current_queue(void) {
    void *queue = dispatch_get_current_queue && dispatch_retain ? dispatch_get_current_queue() : (void *)0;
    if (queue) dispatch_retain(queue);
}
