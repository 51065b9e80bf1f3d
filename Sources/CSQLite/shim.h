/* The types and numbers of SQLite; its functions are looked up when the first database is opened. */
#include <sqlite3.h>

/* Sets an option of a connection. sqlite3_db_config takes a variable number of arguments, which Swift cannot pass
   through a pointer that was looked up. */
static inline int archtool_sqlite3_configure(void *function, sqlite3 *database, int option, int value) {
  int result = 0;
  return ((int (*)(sqlite3 *, int, ...))function)(database, option, value, &result);
}
