// The manual page's prose about archives in databases and backups.

import CommandLineInterface

extension ManualPage {
  func databases(_ page: inout MdocDocument) {
    page.section("DATABASES")
    page.text(
      """
      The commands dump, info, query, find, classes, validate and scan take a column of a SQLite \
      database in place of a file, and each value in it is an input:
      """)
    page.display("$ archtool validate 'Library.db#feeds.archive'")
    page.paragraph("A row is named by its rowid, also for get:")
    page.display("$ archtool get 'Library.db#feeds.archive@17' '$.title'")
    page.paragraph(
      """
      The name of the database ends at the last # before which there is a database; if a file has \
      the whole name, it is that file. A name of a table or column with one of . @ # and the \
      quotation mark is in quotation marks, and those within it are doubled, as in \
      Library.db#"my.table".value. In a table without rowids the number is the position of the row \
      in the order of the primary key, from 1. Rows come in the order of their numbers. NULL, and \
      values that are neither archives nor property lists, are passed over and counted; an archive \
      that is damaged is an error.
      """, placeholders: [])
    page.paragraph(
      """
      A database is only read, and neither it nor anything beside it is changed. If it has a write-ahead \
      log or a journal, a private copy of both is read, in the folder for temporary files (TMPDIR), and \
      removed; otherwise the file is read without locks, and a change meanwhile is an error. Views, \
      triggers, virtual tables and columns that are computed never run. SQLite is loaded when the first database is read.
      """, placeholders: [])
    page.paragraph(
      """
      The other commands refuse databases: to change archives in them, pass the values through \
      --records of migrate or rename-class and write back what comes out.
      """, placeholders: [])
  }
}
