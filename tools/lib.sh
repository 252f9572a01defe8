# shellcheck shell=bash
# Shared by the scripts in tools/: messages, packages, builds. Source it; it runs nothing.
# Expects bash; sets `root` (the repository's top folder) and `jobs` (processors).

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc 2>/dev/null || echo 2)

# What the library and the command are built from and with.
# shellcheck disable=SC2034 # used by the scripts that source this
build_packages=(cmake ninja-build gcc libc6-dev pkg-config libsqlite3-dev libjansson-dev
    libzstd-dev libpng-dev libsodium-dev libgsl-dev)
# What the tests and checks need beside that. cataclysm-dda-data is the content that the import
# tests read; it is used where Debian puts it and never copied.
# shellcheck disable=SC2034
test_packages=(g++ check clang clang-format clang-tidy libclang-rt-14-dev lld cppcheck git llvm
    shellcheck zstd python3 sqlite3 gnuplot-nox cataclysm-dda-data)

say() {
    printf '%s\n' "$*"
}

die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "packages are missing and there is no sudo: run as root: $*"
    fi
}

# missing_packages NAME...: prints those that are not installed.
missing_packages() {
    local package
    for package in "$@"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
            printf '%s\n' "$package"
    done
}

# need_packages NAME...: installs what is missing; quick where nothing is.
need_packages() {
    local missing
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "This is not Debian: these packages, or what they are called here, are needed: $*"
        return 0
    fi
    mapfile -t missing < <(missing_packages "$@")
    [ "${#missing[@]}" -gt 0 ] || return 0
    say "Installing ${missing[*]}"
    local install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y -q
        --no-install-recommends "${missing[@]}")
    if ! apt_knows "${missing[@]}" || ! as_root "${install[@]}" </dev/null; then
        # No package lists, or lists so old that the archive has moved on.
        say "Fetching the package lists (apt-get update)"
        as_root apt-get update -q </dev/null || die "apt-get update failed: is there a network?"
        as_root "${install[@]}" </dev/null || die "could not install ${missing[*]}"
    fi
}

# True where apt has a candidate for every name: false on an image without package lists.
apt_knows() {
    apt-cache show --no-all-versions "$@" >/dev/null 2>&1
}

# build_preset PRESET LOG [CMAKE OPTION...] [-- TARGET...]: configures and builds build/PRESET,
# or only these targets of it; what is printed goes to LOG, whose end is shown if that fails.
build_preset() {
    local preset=$1 log=$2 options=() targets=()
    shift 2
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    [ $# -lt 2 ] || targets=(--target "${@:2}")
    mkdir -p "$(dirname "$log")"
    if (cd "$root" && cmake --preset "$preset" "${options[@]}" &&
            cmake --build --preset "$preset" --parallel "$jobs" "${targets[@]}") \
            >"$log" 2>&1 </dev/null; then
        return 0
    fi
    say "Building preset $preset failed; the end of $log:"
    tail -n 60 "$log" | cut -c 1-400
    return 1
}

now() {
    date +%s.%N
}

# seconds_since START: with one decimal.
seconds_since() {
    awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.1f", b - a }'
}
