#ifndef CIMPORTERS_H
#define CIMPORTERS_H

#include <expat.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

/* Reads bytes of a file: how many came, fewer than asked for at its end alone; negative where it cannot be read. */
typedef int64_t (*cimporters_read)(void *context, void *room, int64_t count, int64_t offset);

/* A file: how it is read, with what context, and its size in bytes. */
struct cimporters_bytes {
    cimporters_read read; /* NULL: there is none */
    void *context;
    int64_t size;
};

/* Opens an SQLite database whose bytes come from a function: SQLite opens no file, so it works in a process that cannot
   open any. It is read as one that nobody changes.

   log: its write-ahead log. What was committed to it is read as a part of the database, in memory alone; nothing else beside
   the database is looked for.

   What was opened before has to be closed first. The contexts must outlive the database. Returns SQLite's result code. */
int cimporters_open(sqlite3 **database, struct cimporters_bytes file, struct cimporters_bytes log);

/* A parser of XML that takes no more memory than that, in all: expat keeps every name that it meets. There is one of them at
   a time. NULL without memory. */
XML_Parser cimporters_parser(size_t memory);

/* inflateInit2() of data without a head, as ZIP has it; a macro that Swift does not see. */
int cimporters_inflate_begin(z_stream *stream);

#endif
