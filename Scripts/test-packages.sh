#!/bin/sh
# Makes every package of the release program and uses it as its users do: in a clean Debian, as a GitHub runner, in git.
#
# What this system does not allow is skipped with a sentence. With CI=true or ARCHTOOL_REQUIRE_PACKAGES=1, missing
# programs are installed, and a skipped part is an error.
#
# HOMEPAGE and MAINTAINER come from the Makefile; PROGRAM names the release program, if it is another.
#
# usage: make test-packages
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
PROGRAM=${PROGRAM:-$root/.build/release/archtool}
export PROGRAM HOMEPAGE MAINTAINER
archives=$root/TestArchives
# Its name has a space, so that no script may forget its quotes.
work="$(mktemp -d)/test packages"
mkdir -p "$work"
trap 'rm -rf "${work%/*}"' EXIT
required=""
if [ "${CI:-}" = true ] || [ "${ARCHTOOL_REQUIRE_PACKAGES:-}" = 1 ]; then
  required=1
  sh "$root/Scripts/install-dependencies.sh" packages
fi

say() { echo "test-packages: $*"; }
fail() { echo "test-packages: error: $*" >&2; exit 1; }
skip() { if [ -n "$required" ]; then fail "$*"; else say "skipped: $*"; fi; }
has() { command -v "$1" >/dev/null 2>&1; }

# Runs the archtool of the clean root, with what each of its libraries is for.
use() {
  cp "$archives/Movie/v2" "$archives/WeatherFeed/v1-1-city" "$clean/tmp"
  chmod 644 "$clean"/tmp/v2 "$clean"/tmp/v1-1-city
  gzip -n -c "$archives/Movie/v2" > "$clean/tmp/v2.gz"
  [ "$(inside archtool --version)" = "archtool $version" ] || fail "the program has another version"
  inside archtool validate /tmp/v2 | grep -q "valid, Movie@v2" || fail "the program does not validate"
  inside archtool convert --to xml1 /tmp/v2.gz -o - | grep -q "<plist" || fail "the program does not write XML"
  inside archtool convert --to xml1 /tmp/v1-1-city -o - | inside archtool info - | grep -q XML ||
    fail "the program does not read XML"
  inside archtool find --text '^Tok' /tmp/v1-1-city | grep -q Tokyo || fail "the program has no patterns"
}

test_tarball() {
  package=$(sh "$root/Packaging/tarball.sh")
  name=$(basename "$package" .tar.gz)
  (cd "$(dirname "$package")" && for hash in "$name".tar.gz.sha256 "$name"-debug.tar.gz.sha256; do
    sha256sum -c --quiet "$hash"; done)
  tar -xzf "$package" -C "$work"
  # A user unpacks it into a folder such as /usr/local.
  mkdir -p "$work/local/tmp"
  tar -xzf "$package" -C "$work/local" --strip-components=1
  for file in share/man/man1/archtool.1 share/man/man5/archtool-schema.5 share/man/man7/archtool-tutorial.7 share/doc/archtool/README.md \
    share/bash-completion/completions/archtool share/zsh/site-functions/_archtool \
    share/fish/vendor_completions.d/archtool.fish; do
    [ -s "$work/local/$file" ] || fail "the tarball has no $file"
  done
  version=$("$work/local/bin/archtool" --version | sed 's/archtool //')
  # Nothing but the program itself is on its path, and the variables of this shell are gone.
  [ "$(env -i "$work/local/bin/archtool" get "$archives/Movie/v2" name)" = Avatar ] || fail "the tarball's program does not run"
  if readelf --sections --wide "$work/local/bin/archtool" | grep -q ' \.symtab '; then fail "the program is not stripped"; fi
  tar -xzf "$(dirname "$package")/$name-debug.tar.gz" -C "$work"
  for file in "$work/local/bin/archtool" "$work/archtool.debug"; do
    readelf --notes "$file" 2>/dev/null | sed -n 's/.*Build ID: //p'
  done | uniq | wc -l | grep -qx 1 || fail "the debug symbols are of another program"
  readelf --sections --wide "$work/archtool.debug" 2>/dev/null | grep -q ' \.debug_info ' || fail "there are no debug symbols"
  # No folder of this machine is in either file.
  if grep -aq "$root" "$work/local/bin/archtool" "$work/archtool.debug"; then fail "the program names $root"; fi
  say "the tarball unpacks and runs"
}

test_install() {
  # The targets of the Makefile, without building again.
  mkdir "$work/staged"
  make -s -C "$root" install DESTDIR="$work/staged" PREFIX=/opt/arch -o build
  [ "$(find "$work/staged" -type f | wc -l)" -ge 8 ] || fail "make install leaves files out"
  make -s -C "$root" uninstall DESTDIR="$work/staged" PREFIX=/opt/arch
  [ -z "$(find "$work/staged" -type f)" ] || fail "make uninstall leaves files"
  say "make install and uninstall leave nothing"
}

# inside COMMAND...: runs a command in the clean root as a user without rights. Swift reads its arguments from /proc, which
# is mounted for this command alone.
inside() {
  unshare --mount --propagation private sh -c \
    'mount -t proc proc "$0/proc" && exec chroot --userspec=nobody "$0" "$@"' "$clean" "$@"
}

# Makes a minimal Debian in $clean, of the release that this system has; a copy is kept for the next time.
make_clean_root() {
  suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  kept=$root/.build/clean-$suite.tar
  clean=$work/clean
  mkdir "$clean"
  if [ ! -f "$kept" ]; then
    if ! debootstrap --variant=minbase --include=libidn2-0,libpcre2-8-0,libsqlite3-0,libssl3,libxml2 \
      "$suite" "${work%/*}/debootstrap" > "${work%/*}/debootstrap.log" 2>&1; then
      tail -n 5 "${work%/*}/debootstrap.log" >&2
      return 1
    fi
    rm -f "${work%/*}/debootstrap"/var/cache/apt/archives/*.deb
    tar --one-file-system -cf "$kept.new" -C "${work%/*}/debootstrap" .
    rm -rf --one-file-system "${work%/*}/debootstrap"
    mv "$kept.new" "$kept"
  fi
  tar -xf "$kept" -C "$clean"
}

test_deb() {
  sh "$root/Packaging/deb.sh" > "$work/debs"
  deb=$(head -n 1 "$work/debs")
  symbols=$(tail -n 1 "$work/debs")
  if has lintian; then
    lintian --allow-root --fail-on error "$deb" "$symbols" > "$work/lintian" 2>&1 ||
      { cat "$work/lintian" >&2; fail "lintian finds errors"; }
    cat "$work/lintian"
  else
    skip "lintian is missing"
  fi
  if [ "$(id -u)" != 0 ] || ! has debootstrap; then
    skip "a clean root needs debootstrap, and to be root"
    return
  fi
  make_clean_root || { skip "debootstrap cannot make a clean root here"; return; }
  inside true 2>/dev/null || { skip "nothing may be mounted here, so that the clean root has no /proc"; return; }
  cp "$deb" "$clean/package.deb"
  chroot "$clean" dpkg -i /package.deb > "$work/dpkg" 2>&1 || { cat "$work/dpkg" >&2; fail "the package cannot be installed"; }
  use
  chroot "$clean" dpkg --verify archtool | grep -q . && fail "files of the package differ from its hashes"
  chroot "$clean" dpkg -L archtool | grep -v '/usr/share/doc' > "$work/files"
  grep -qx /usr/share/bash-completion/completions/archtool "$work/files" || fail "the package has no completions"
  chroot "$clean" dpkg -P archtool > "$work/dpkg" 2>&1 || { cat "$work/dpkg" >&2; fail "the package cannot be removed"; }
  [ -z "$(find "$clean/usr" -name '*archtool*')" ] || fail "the removed package leaves files"
  say "the Debian package is installed, run and removed"
  test_image
}

# The last stage of the Containerfile in the clean root: its packages are there, and what it copies runs.
test_image() {
  sed -n '/^FROM debian/,$p' "$root/Containerfile" > "$work/stage"
  for package in $(sed -n 's/.*--no-install-recommends \(.*\) \\/\1/p' "$work/stage"); do
    chroot "$clean" dpkg-query -W "$package" >/dev/null || fail "the image's $package is not in Debian"
  done
  sh "$root/Packaging/stage.sh" "$PROGRAM" "$clean/usr"
  grep -qx 'ENTRYPOINT \["archtool"\]' "$work/stage" || fail "the image starts another program"
  use
  say "the container's last stage runs"
}

test_rpm() {
  if ! has rpmbuild; then skip "rpmbuild is missing"; return; fi
  package=$(sh "$root/Packaging/rpm.sh")
  rpm -qp --requires "$package" | grep -q '^libpcre2-8.so.0()(64bit)$' || fail "the RPM does not require PCRE2"
  rpm -qpl "$package" | grep -qx /usr/share/zsh/site-functions/_archtool || fail "the RPM has no completions"
  if [ "$(id -u)" != 0 ]; then skip "to install an RPM needs to be root"; return; fi
  rpms=${work%/*}/rpm
  mkdir "$rpms"
  rpm --root "$rpms" --initdb
  # Debian's rpm warns of what it does, unless it is told to.
  debian=$(rpm --help | grep -o -e --force-debian || true)
  # The libraries that it requires are those of the system of this test.
  rpm --root "$rpms" --nodeps $debian -i "$package"
  [ "$("$rpms/usr/bin/archtool" get "$archives/Movie/v2" name)" = Avatar ] || fail "the RPM's program does not run"
  rpm --root "$rpms" --nodeps -V archtool || fail "files of the RPM differ from its hashes"
  rpm --root "$rpms" $debian -e archtool
  [ -z "$(find "$rpms/usr" -name '*archtool*' 2>/dev/null)" ] || fail "the removed RPM leaves files"
  say "the RPM is installed, run and removed"
}

# Makes an environment with pre-commit, and PyYAML that it needs.
make_python() {
  environment=$root/.build/packages-python
  requirements=$root/Tests/Packages/requirements.txt
  if ! cmp -s "$requirements" "$environment/requirements.txt"; then
    python3 -m venv "$environment" &&
      "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" &&
      cp "$requirements" "$environment/requirements.txt"
  fi
}

test_action() {
  folder=$work/repository
  mkdir -p "$folder/Fixtures" "${work%/*}/releases/v$version"
  cp "$root"/.build/packages/archtool-"$version"-linux-*.tar.gz* "${work%/*}/releases/v$version"
  cp "$archives/Movie/v1" "$archives/Movie/v2" "$folder/Fixtures"
  run() { "$environment/bin/python" "$root/Tests/Packages/run_action.py" "$root" "file://${work%/*}/releases" "$folder" "$@"; }
  run 0 > "$work/action" 2>&1 || { cat "$work/action" >&2; fail "the action fails where all is valid"; }
  grep -qx "results: 0" "$work/action" || fail "the action reports what is valid"
  cp "$archives/Broken/wrong-types-v1" "$folder/Fixtures/wrong types"
  run 1 "paths=Fixtures" > "$work/action" 2>&1 || { cat "$work/action" >&2; fail "the action accepts what is not valid"; }
  grep -qx "status: 1" "$work/action" || fail "the action gives no status"
  grep -q "results: [1-9]" "$work/action" || fail "the action reports nothing"
  run 0 "fail=false" "paths=Fixtures/v1
Fixtures/wrong types" "program=$PROGRAM" > "$work/action" 2>&1 || { cat "$work/action" >&2; fail "the action fails against its inputs"; }
  # What is not the release is not run.
  for file in "${work%/*}/releases/v$version"/*64.tar.gz; do printf x >> "$file"; done
  run 1 > "$work/action" 2>&1 || fail "the action runs a program with another hash"
  grep -q "status: $" "$work/action" || fail "the action validates with a program with another hash"
  say "the steps of the action run"
}

test_pre_commit() {
  PATH=$(dirname "$PROGRAM"):$environment/bin:$PATH
  export PATH PRE_COMMIT_HOME="$work/pre-commit"
  hooks=$work/hooks
  git init -q "$hooks"
  cp "$root/.pre-commit-hooks.yaml" "$hooks"
  as_author="-c user.name=Test -c user.email=test@example.org"
  # shellcheck disable=SC2086
  (cd "$hooks" && git add -A && git $as_author commit -q -m hooks)
  repository=$work/checked
  git init -q "$repository"
  cd "$repository"
  cat > .pre-commit-config.yaml <<END
repos:
- repo: file://$hooks
  rev: $(git -C "$hooks" rev-parse HEAD)
  hooks:
  - id: archtool-validate
  - id: archtool-schema-check
    args: [Schemas]
END
  mkdir Schemas
  cp -R "$archives/Families/Recipe" Schemas
  cp "$archives/Movie/v2" "my movie.plist"
  git add -A
  pre-commit run --all-files > "$work/output" 2>&1 || { cat "$work/output" >&2; fail "the hooks fail where all is valid"; }
  [ "$(grep -c Passed "$work/output")" = 2 ] || { cat "$work/output" >&2; fail "a hook was not run"; }
  head -c 100 "my movie.plist" > broken.plist
  git add -A
  if pre-commit run > "$work/output" 2>&1; then fail "the hooks accept a broken file"; fi
  grep -q "broken.plist.*error" "$work/output" || { cat "$work/output" >&2; fail "the hook does not name the file"; }
  cd "$root"
  say "the hooks of pre-commit run"
}

test_formula() {
  formula=$(sh "$root/Packaging/formula.sh")
  if grep -q '@[A-Z0-9]*@' "$formula"; then fail "the formula has a blank"; fi
  if has ruby; then ruby -c "$formula" >/dev/null || fail "the formula is not Ruby"; else skip "ruby is missing"; fi
  tar -tzf "$root/.build/packages/archtool-$version.tar.gz" | grep -q "^archtool-$version/Package.swift$" || fail "the source is not whole"
  say "the formula is Ruby, and its source is there"
}

test_tarball
test_install
if has dpkg-deb; then test_deb; else skip "dpkg-deb is missing"; fi
test_rpm
test_formula
if make_python; then
  "$environment/bin/python" "$root/Tests/Packages/check_workflow.py" "$root"
  test_action
  test_pre_commit
else
  skip "pre-commit cannot be installed here"
fi
say "all packages work"
