#!/bin/sh
# Writes the manual pages as HTML, with links between them and to the pages of other programs.
#
# usage: docs.sh FOLDER
set -eu
cd "$(dirname "$0")/.."
folder=$1

mkdir -p "$folder"
cp man/manual.css "$folder/"
for page in man/*.[1-9]; do
  name=${page##*/}
  # Pages of other programs are in Debian's manual; each page is for a small screen, too.
  mandoc -T html -O 'style=manual.css,toc,man=%N.%S.html' "$page" |
    sed -e 's|href="archtool|href=":archtool|g' \
      -e 's|href="\([a-z0-9]*\.[1-9]\)\.html"|href="https://manpages.debian.org/\1"|g' \
      -e 's|href=":archtool|href="archtool|g' \
      -e 's|<meta charset="utf-8"/>|&<meta name="viewport" content="width=device-width, initial-scale=1"/>|' \
      >"$folder/$name.html"
done
{
  printf '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"/>'
  printf '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
  printf '<link rel="stylesheet" href="manual.css" type="text/css"/><title>archtool</title></head>\n'
  printf '<body class="mandoc">\n<main>\n<h1>archtool</h1>\n<dl>\n'
  for name in archtool.1 archtool-tutorial.7 archtool-app.7 archtool-migrate.1 archtool-schema.5 archtool-formats.7 \
    archtool-classes.7 archtool-lints.7 archtool-journal.5; do
    about=$(sed -n 's/^\.Nd //p' "man/$name" | head -1)
    printf '<dt><a href="%s.html">%s(%s)</a></dt><dd>%s</dd>\n' "$name" "${name%.*}" "${name##*.}" "$about"
  done
  printf '</dl>\n</main>\n</body>\n</html>\n'
} >"$folder/index.html"
