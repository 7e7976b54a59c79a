#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

/* sqlite3_db_config(), which Swift cannot call for its variable number of arguments: no code of a file runs, and no
   statement changes the schema or the pages behind SQLite's back. Returns SQLite's result code. */
int csqlite_distrust(sqlite3 *database);

/* True if all of these settings hold. */
int csqlite_is_distrustful(sqlite3 *database);

/* malloc_trim(3): gives freed memory back to the system, also from between used blocks. */
void csqlite_trim(void);

/* Keeps the dispatch queue whose block runs now for the life of the process. */
void csqlite_keep_current_queue(void);

#endif
