# Installs a package while a shield stands: pharos-xtask PATH MODE TEXT PACKAGE [COMMAND …]; an empty PATH: no shield.
# Run as root, in one go, so that the shield goes even when the task is interrupted.
set -e
path=$1 mode=$2 text=$3 package=$4
shift 4
if [ -n "$path" ] && { [ ! -e "$path" ] || grep -q pharos-xtask "$path"; }; then
    trap 'rm -f "$path"' EXIT
    trap 'exit 1' HUP INT TERM
    printf '%s' "$text" | install -D -m "$mode" /dev/stdin "$path"
fi
DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=120 install -q -y --no-install-recommends "$package"
if [ $# -gt 0 ]; then "$@"; fi
