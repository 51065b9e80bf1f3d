/* The types and numbers of SQLite; its functions are looked up when the first database is opened. */
#include <sqlite3.h>

/* The functions that are called, by the names that archtool has for them. */
#define ARCHTOOL_SQLITE(F) \
  F(open, sqlite3_open_v2) \
  F(close, sqlite3_close_v2) \
  F(message, sqlite3_errmsg) \
  F(extendedCode, sqlite3_extended_errcode) \
  F(limit, sqlite3_limit) \
  F(authorize, sqlite3_set_authorizer) \
  F(progress, sqlite3_progress_handler) \
  F(prepare, sqlite3_prepare_v2) \
  F(step, sqlite3_step) \
  F(finalize, sqlite3_finalize) \
  F(type, sqlite3_column_type) \
  F(integer, sqlite3_column_int64) \
  F(blob, sqlite3_column_blob) \
  F(text, sqlite3_column_text) \
  F(byteCount, sqlite3_column_bytes) \
  F(configuration, sqlite3_db_config) \
  F(real, sqlite3_column_double) \
  F(value, sqlite3_column_value) \
  F(bindInteger, sqlite3_bind_int64) \
  F(bindText, sqlite3_bind_text) \
  F(bindBlob, sqlite3_bind_blob) \
  F(bindValue, sqlite3_bind_value) \
  F(reset, sqlite3_reset) \
  F(changes, sqlite3_changes) \
  F(beginBackup, sqlite3_backup_init) \
  F(backup, sqlite3_backup_step) \
  F(endBackup, sqlite3_backup_finish)

#define ARCHTOOL_POINTER(name, function) __typeof__(function) *_Nonnull name;
#define ARCHTOOL_NAME(name, function) #function,

/* Pointers to them. */
struct archtool_sqlite {
  ARCHTOOL_SQLITE(ARCHTOOL_POINTER)
  /* Removes the modules of virtual tables; missing before 3.30. */
  int (*_Nullable dropModules)(sqlite3 *, const char **);
  /* Reads a database in memory; missing before 3.23, and where it is left out. */
  int (*_Nullable deserialize)(
    sqlite3 *, const char *, unsigned char *, sqlite3_int64, sqlite3_int64, unsigned);
};

/* Their names: those that the library has, NULL, those that it may lack, NULL. */
static inline const char *_Nullable const *_Nonnull archtool_sqlite_names(void) {
  static const char *const names[] = {
    ARCHTOOL_SQLITE(ARCHTOOL_NAME) 0, "sqlite3_drop_modules", "sqlite3_deserialize", 0};
  return names;
}

#undef ARCHTOOL_POINTER
#undef ARCHTOOL_NAME

/* Sets an option of a connection. sqlite3_db_config takes a variable number of arguments, which Swift cannot pass
   through a pointer that was looked up. */
static inline int archtool_sqlite3_configure(
  struct archtool_sqlite library, sqlite3 *database, int option, int value
) {
  int result = 0;
  return library.configuration(database, option, value, &result);
}
