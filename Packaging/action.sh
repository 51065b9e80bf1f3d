#!/usr/bin/env bash
# The steps of action.yml.
#
# usage: action.sh install|validate
set -euo pipefail

# Sets `lines` to the lines of a text that are not empty.
read_lines() {
  lines=()
  local line
  while IFS= read -r line; do
    [[ -z $line ]] || lines+=("$line")
  done <<< "$1"
}

case $1 in
  install)
    # Downloads the release of this version, checks its hash, and unpacks it.
    if [[ -z $PROGRAM ]]; then
      source=$(dirname "$0")/../Sources/ArchtoolCommands/Version.swift
      version=$(sed -n 's/.*number = "\(.*\)"/\1/p' "$source")
      system=$(uname -s | tr '[:upper:]' '[:lower:]' | sed 's/^darwin$/macos/')
      name=archtool-$version-$system-$(uname -m)
      folder=$RUNNER_TEMP/archtool
      mkdir -p "$folder"
      for file in "$name.tar.gz" "$name.tar.gz.sha256"; do
        curl --fail --silent --show-error --location --retry 3 -o "$folder/$file" "$RELEASES/v$version/$file"
      done
      if command -v sha256sum >/dev/null; then check=(sha256sum -c --quiet); else check=(shasum -a 256 -c --quiet); fi
      (cd "$folder" && "${check[@]}" "$name.tar.gz.sha256")
      tar -xzf "$folder/$name.tar.gz" -C "$folder"
      PROGRAM=$folder/$name/bin/archtool
    fi
    "$PROGRAM" --version
    echo "program=$PROGRAM" >> "$GITHUB_OUTPUT"
    ;;
  validate)
    read_lines "$ARGUMENTS"
    arguments=(${lines[@]+"${lines[@]}"})
    read_lines "$PATHS"
    status=0
    "$PROGRAM" validate --format sarif --recursive --archives-only --exclude .git \
      ${arguments[@]+"${arguments[@]}"} -- "${lines[@]}" > "$SARIF_FILE" || status=$?
    echo "status=$status" >> "$GITHUB_OUTPUT"
    case $status in
      # A file does not fit, or cannot be decoded: the report has each.
      0 | 1 | 65) ;;
      *) exit "$status" ;;
    esac
    ;;
esac
