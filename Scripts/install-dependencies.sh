#!/bin/sh
# Installs missing libraries and programs: for `build` the libraries that the program links, for `test` also the
# programs that the tests compare with, for `spark` those that run the tests of Examples/spark, for `browser` those that
# test the explorer's page, for `shells` the shells in which completions are tested, for `packages` also those that make
# and test packages, for `docs` the one that makes web pages, for `fuzz` also those that read the package manifest, and
# for `instructions` also those that count instructions.
#
# usage: install-dependencies.sh build|test|spark|browser|shells|packages|docs|fuzz|instructions
set -eu

packages="binutils libxml2-dev zlib1g-dev libpcre2-dev libidn2-dev libssl-dev libsqlite3-dev pkg-config"
if [ "${1:-build}" = test ]; then
  packages="$packages git graphviz jq libplist-utils mandoc python3 python3-cryptography python3-junitparser"
elif [ "${1:-build}" = spark ]; then
  packages="openjdk-17-jre-headless python3 python3-venv"
elif [ "${1:-build}" = browser ]; then
  packages="chromium chromium-driver python3 python3-venv"
elif [ "${1:-build}" = shells ]; then
  packages="bash bash-completion fish python3 zsh"
elif [ "${1:-build}" = packages ]; then
  packages="$packages debootstrap git lintian python3 python3-venv rpm ruby"
elif [ "${1:-build}" = docs ]; then
  packages="mandoc"
elif [ "${1:-build}" = fuzz ]; then
  packages="$packages python3"
elif [ "${1:-build}" = instructions ]; then
  packages="$packages python3 valgrind"
fi

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

if [ "$(uname -s)" = Darwin ]; then
  if [ "${1:-build}" = shells ]; then
    command -v fish >/dev/null 2>&1 || brew install fish
    exit 0
  fi
  if [ "${1:-build}" = spark ]; then
    brew list openjdk@17 >/dev/null 2>&1 || brew install openjdk@17
    echo "Set JAVA_HOME to $(brew --prefix openjdk@17)/libexec/openjdk.jdk/Contents/Home" >&2
    exit 0
  fi
  for formula in libxml2 pcre2 libidn2 pkgconf; do
    brew list "$formula" >/dev/null 2>&1 || brew install "$formula"
  done
  exit 0
fi

if ! command -v apt-get >/dev/null 2>&1; then
  echo "This system has no apt-get: please install libxml2, zlib, PCRE2, libidn2," >&2
  echo "OpenSSL and SQLite with their headers, and pkg-config." >&2
  exit 0
fi

missing=""
for package in $packages; do
  # A program may be installed without its Debian package.
  case $package in
    chromium | git | jq | mandoc | python3) command -v "$package" >/dev/null 2>&1 && continue ;;
    chromium-driver) command -v chromedriver >/dev/null 2>&1 && continue ;;
    graphviz) command -v dot >/dev/null 2>&1 && continue ;;
    python3-venv) python3 -c 'import ensurepip' 2>/dev/null && continue ;;
  esac
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
    missing="$missing $package"
done

if [ -n "$missing" ]; then
  echo "installing$missing"
  export DEBIAN_FRONTEND=noninteractive
  as_root apt-get update -qq
  # shellcheck disable=SC2086 # the names are words
  as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi

# Of musl only the static library is needed (link-settings.sh). It is not installed: other programs that find musl's
# loader take musl for the C library of the system.
musl=$(dirname "$0")/../.build/musl
if [ "${1:-build}" = build ] && [ ! -e "$musl" ] && command -v dpkg-deb >/dev/null 2>&1; then
  mkdir -p "$musl"
  (cd "$musl" && apt-get -qq -o Acquire::Retries=0 -o Acquire::http::Timeout=10 download musl-dev && dpkg-deb -x musl-dev_*.deb .) >/dev/null 2>&1 ||
    { rm -rf "$musl"; echo "musl-dev cannot be downloaded: the program will load libm" >&2; }
fi
