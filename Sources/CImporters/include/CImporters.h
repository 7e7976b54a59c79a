#ifndef CIMPORTERS_H
#define CIMPORTERS_H

#include <expat.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

/* Reads bytes of a file. Returns their number, less than asked for only at the end; negative if they cannot be read. */
typedef int64_t (*cimporters_read)(void *context, void *room, int64_t count, int64_t offset);

/* A file: the function that reads it, the context of that function, and the size in bytes. */
struct cimporters_bytes {
    cimporters_read read; /* NULL: no file */
    void *context;
    int64_t size;
};

/* Opens an SQLite database whose bytes come from a function: SQLite opens no file, so it works in a process that cannot
   open any. The database is read as one that nobody changes.

   log: the write-ahead log. Its commits are read as a part of the database, in memory alone; no other file beside the
   database is looked for.

   A database that was opened before has to be closed first. The contexts must outlive the database. Returns SQLite's
   result code. */
int cimporters_open(sqlite3 **database, struct cimporters_bytes file, struct cimporters_bytes log);

/* Returns a parser of XML that takes no more than that memory in all: expat keeps every name that it meets. Only one
   parser may exist at a time. NULL without memory. */
XML_Parser cimporters_parser(size_t memory);

/* inflateInit2() of data without a head, as ZIP has it; a macro that Swift does not see. */
int cimporters_inflate_begin(z_stream *stream);

#endif
