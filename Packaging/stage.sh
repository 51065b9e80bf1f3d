#!/bin/sh
# Copies the program, its manual pages and its completions below a folder, as `make install` and every package do.
#
# usage: stage.sh PROGRAM FOLDER
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
program=$1
folder=$2

install -d "$folder/bin" "$folder/share/man/man1" "$folder/share/man/man5" "$folder/share/man/man7" \
  "$folder/share/bash-completion/completions" "$folder/share/zsh/site-functions" \
  "$folder/share/fish/vendor_completions.d"
install -m 755 "$program" "$folder/bin/archtool"
for section in 1 5 7; do
  install -m 644 "$root"/man/*."$section" "$folder/share/man/man$section"
done
# place SHELL FILE: written beside its place, so that it is never half there.
place() {
  "$program" completions "$1" > "$folder/share/$2.new"
  chmod 644 "$folder/share/$2.new"
  mv "$folder/share/$2.new" "$folder/share/$2"
}
place bash bash-completion/completions/archtool
place zsh zsh/site-functions/_archtool
place fish fish/vendor_completions.d/archtool.fish
