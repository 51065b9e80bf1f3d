#!/bin/sh
# Makes .build/packages/archtool-VERSION-1.MACHINE.rpm with rpmbuild.
#
# usage: rpm.sh
set -eu
. "$(dirname "$0")/settings.sh"

if ! command -v rpmbuild >/dev/null 2>&1; then
  echo "make rpm: error: it needs rpmbuild, from the package rpm or rpm-build" >&2
  exit 1
fi
work=$packages/work/rpm
rm -rf "$work"
mkdir -p "$work/staged"
sh "$root/Packaging/stage.sh" "$program" "$work/staged"
find "$work/staged/share/man" -type f -exec gzip -n -9 {} +
install -d "$work/staged/share/doc/archtool"
install -m 644 "$root/README.md" "$root/CHANGELOG.md" "$work/staged/share/doc/archtool"
set_times "$work/staged"
# Nothing of the machine's own settings: neither its name nor the time of the build.
rpmbuild -bb --quiet --target "$machine" --buildroot "$work/root" \
  --define "_topdir $work/top" --define "_rpmdir $work/rpm" --define "_rpmfilename %{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm" \
  --define "program_version $version" --define "homepage $homepage" --define "maintainer $maintainer" \
  --define "staged $work/staged" --define "_buildhost localhost" --define "use_source_date_epoch_as_buildtime 1" \
  --define "clamp_mtime_to_source_date_epoch 1" --define "source_date_epoch_from_changelog 0" \
  --define "libxml2 $(grep -ao 'libxml2\.so\.[0-9]*' "$program" | head -n 1)" --define "_binary_payload w9.gzdio" "$root/Packaging/archtool.spec" >/dev/null
mv "$work/rpm/archtool-$version-1.$machine.rpm" "$packages"
rm -rf "$work"
echo "$packages/archtool-$version-1.$machine.rpm"
