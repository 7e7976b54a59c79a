#include "CImporters.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

struct open_file {
    sqlite3_file base;
    struct cimporters_bytes bytes;
    int kind;
};

/* The next database that SQLite opens, and its log. */
static struct cimporters_bytes next, next_log;

static int file_close(sqlite3_file *file) {
    (void)file;
    return SQLITE_OK;
}

static int file_read(sqlite3_file *base, void *room, int count, sqlite3_int64 offset) {
    struct open_file *file = (struct open_file *)base;
    const struct cimporters_bytes *bytes = &file->bytes;
    int64_t there = offset < 0 || offset >= bytes->size ? 0 : bytes->size - offset;
    int wanted = there < count ? (int)there : count;
    if (wanted > 0 && bytes->read(bytes->context, room, wanted, offset) != wanted) return SQLITE_IOERR_READ;
    if (wanted == count) return SQLITE_OK;
    memset((char *)room + wanted, 0, (size_t)(count - wanted));
    return SQLITE_IOERR_SHORT_READ;
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    (void)file, (void)bytes, (void)count, (void)offset;
    return SQLITE_READONLY;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    (void)file, (void)size;
    return SQLITE_READONLY;
}

static int file_flag(sqlite3_file *file, int flag) {
    (void)file, (void)flag;
    return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    *size = ((struct open_file *)file)->bytes.size;
    return SQLITE_OK;
}

static int file_reserved(sqlite3_file *file, int *is_reserved) {
    (void)file;
    *is_reserved = 0;
    return SQLITE_OK;
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
    (void)file, (void)operation, (void)argument;
    return SQLITE_NOTFOUND;
}

static int file_sector(sqlite3_file *file) {
    (void)file;
    return 4096;
}

static int file_kind(sqlite3_file *file) { return ((struct open_file *)file)->kind; }

static const sqlite3_io_methods methods = {
    .iVersion = 1, .xClose = file_close, .xRead = file_read, .xWrite = file_write, .xTruncate = file_truncate,
    .xSync = file_flag, .xFileSize = file_size, .xLock = file_flag, .xUnlock = file_flag,
    .xCheckReservedLock = file_reserved, .xFileControl = file_control, .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_kind,
};

static int system_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *out) {
    (void)vfs, (void)name;
    struct open_file *file = (struct open_file *)base;
    memset(file, 0, sizeof *file);
    const struct cimporters_bytes *bytes =
        flags & SQLITE_OPEN_MAIN_DB ? &next : flags & SQLITE_OPEN_WAL ? &next_log : NULL;
    if (!bytes || !bytes->read) return SQLITE_CANTOPEN;
    file->bytes = *bytes;
    /* SQLite looks for no log of a file that nobody can change. */
    file->kind = next_log.read ? 0 : SQLITE_IOCAP_IMMUTABLE;
    file->base.pMethods = &methods;
    if (out) *out = SQLITE_OPEN_READONLY;
    return SQLITE_OK;
}

static int system_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    (void)vfs, (void)name, (void)sync;
    return SQLITE_READONLY;
}

static int system_access(sqlite3_vfs *vfs, const char *name, int flags, int *is_there) {
    (void)vfs, (void)flags;
    size_t length = strlen(name);
    *is_there = next_log.read && length > 4 && strcmp(name + length - 4, "-wal") == 0;
    return SQLITE_OK;
}

static int system_path(sqlite3_vfs *vfs, const char *name, int room, char *path) {
    (void)vfs;
    sqlite3_snprintf(room, path, "%s", name);
    return SQLITE_OK;
}

static int system_random(sqlite3_vfs *vfs, int count, char *bytes) {
    (void)vfs;
    memset(bytes, 0, (size_t)count);
    return count;
}

static int system_sleep(sqlite3_vfs *vfs, int microseconds) {
    (void)vfs;
    return microseconds;
}

static int system_time(sqlite3_vfs *vfs, double *day) {
    (void)vfs;
    *day = 2440587.5;
    return SQLITE_OK;
}

static int system_error(sqlite3_vfs *vfs, int room, char *text) {
    (void)vfs, (void)room, (void)text;
    return 0;
}

static sqlite3_vfs system_files = {
    .iVersion = 1, .szOsFile = sizeof(struct open_file), .mxPathname = 64, .zName = "dosetap-import",
    .xOpen = system_open, .xDelete = system_delete, .xAccess = system_access, .xFullPathname = system_path,
    .xRandomness = system_random, .xSleep = system_sleep, .xCurrentTime = system_time, .xGetLastError = system_error,
};

int cimporters_open(sqlite3 **database, struct cimporters_bytes file, struct cimporters_bytes log) {
    int result = sqlite3_vfs_register(&system_files, 0);
    if (result != SQLITE_OK) return result;
    next = file;
    next_log = log;
    result = sqlite3_open_v2(
        "file", database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, system_files.zName);
    next = (struct cimporters_bytes){.read = 0};
    /* SQLite uses shared memory for a log. Without shared memory one connection alone reads the log. */
    if (result == SQLITE_OK && log.read) {
        result = sqlite3_exec(*database, "PRAGMA locking_mode=EXCLUSIVE", NULL, NULL, NULL);
    }
    return result;
}

static size_t most, taken;

static void *parser_memory(size_t size) {
    if (size > most || taken > most - size) return NULL;
    void *memory = malloc(size);
    if (memory) taken += malloc_usable_size(memory);
    return memory;
}

static void parser_free(void *memory) {
    if (memory) taken -= malloc_usable_size(memory);
    free(memory);
}

static void *parser_resized(void *memory, size_t size) {
    size_t old = memory ? malloc_usable_size(memory) : 0;
    if (size > most || taken - old > most - size) return NULL;
    void *resized = realloc(memory, size);
    if (resized) taken += malloc_usable_size(resized) - old;
    return resized;
}

XML_Parser cimporters_parser(size_t memory) {
    static const XML_Memory_Handling_Suite suite = {parser_memory, parser_resized, parser_free};
    most = memory;
    taken = 0;
    return XML_ParserCreate_MM(NULL, &suite, NULL);
}

int cimporters_inflate_begin(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }
