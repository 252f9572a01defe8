# shellcheck shell=bash
# Shared by the scripts in tools/: messages, packages, builds. Source it; it runs nothing.
# Expects bash; sets `root` (the repository's top folder) and `jobs` (processors).

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc 2>/dev/null || echo 2)

# What the library and the command are built from and with.
# shellcheck disable=SC2034 # used by the scripts that source this
build_packages=(cmake ninja-build gcc libc6-dev pkg-config libsqlite3-dev libjansson-dev
    libzstd-dev libpng-dev libsodium-dev libgsl-dev libmicrohttpd-dev
    zlib1g-dev libjs-leaflet libncurses-dev libexpat1-dev
    liblua5.4-dev)
# What the tests need beside that. cataclysm-dda-data is the content that the import tests read; it
# is used where Debian puts it and never copied.
# shellcheck disable=SC2034
test_packages=(check zstd python3 sqlite3 gnuplot-nox tmux cataclysm-dda-data)
# And what all of them, other builds and the checks need: tools/test --all.
# shellcheck disable=SC2034
all_packages=(g++ clang clang-format clang-tidy libclang-rt-14-dev lld cppcheck git llvm shellcheck
    zsh fish node-typescript chromium chromium-driver python3-selenium fonts-dejavu-core gdal-bin tiled
    neovim strace)
# npm fetches the library of PMTiles that tests/atlas opens files with. Who has Node.js from elsewhere has it already,
# and Debian's would not lie beside it.
command -v npm >/dev/null || all_packages+=(npm)

# True in a checkout of this repository: not in an unpacked tarball, not even in one that lies
# inside of another repository.
have_git() {
    [ "$(git -C "$root" rev-parse --show-toplevel 2>/dev/null)" = "$(cd "$root" && pwd -P)" ]
}

# source_files PATTERN...: prints the files that are ours, from the top folder, sorted, or those
# that a pattern of the shell matches (* also matches /) or that lie in a folder of that name.
# Without git: all but what .gitignore names. Fails, and says so, where there is nothing.
source_files() {
    local file pattern found=0
    while read -r file; do
        [ -f "$root/$file" ] || continue # deleted, and not yet committed
        for pattern; do
            # shellcheck disable=SC2053 # it is a pattern
            if [[ $file == $pattern || $file == "$pattern"/* ]]; then
                printf '%s\n' "$file"
                found=1
                break
            fi
        done
    done < <(all_source_files)
    [ "$found" -eq 1 ] || die "no file of ours in $root is called $*"
}

all_source_files() {
    if have_git; then
        git -C "$root" ls-files --cached --others --exclude-standard
    else
        (cd "$root" && find . \( -path ./build -o -path ./out -o -name .git -o -name .cache \
            -o -name __pycache__ \) -prune -o -type f ! -name '*.o' ! -name compile_commands.json \
            ! -name CMakeUserPresets.json -printf '%P\n')
    fi | LC_ALL=C sort -u
}

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

# The number of the turn: what is too long for every run is taken in parts, and this draws which. It
# comes from the text of all our files, so that a commit and its archive without git have the same.
# PORTOLAN_TURN, if it is set, is the number: a run is repeated with it.
turn_number() {
    local sum
    if [ -z "${PORTOLAN_TURN:-}" ]; then
        sum=$(cd "$root" && all_source_files | tr '\n' '\0' | xargs -0 sha256sum 2>/dev/null | sha256sum)
        PORTOLAN_TURN=$((16#${sum:0:7}))
    fi
    say "$PORTOLAN_TURN"
}

# turn_of COUNT: one of 0 .. COUNT - 1.
turn_of() {
    say $(($(turn_number) % $1))
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
# or only these targets of it; what is printed goes to LOG, whose end is shown if that fails. How
# far it is is told meanwhile.
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
            2>&1 </dev/null | tee "$log" | build_progress; then
        return 0
    fi
    say "Building preset $preset failed; the end of $log:"
    tail -n 60 "$log" | cut -c 1-400
    return 1
}

# Reads ninja's lines ("[12/345] Building ..."): tells every tenth of the way, on a terminal each
# step, with the time left by the pace so far.
build_progress() {
    local terminal=0
    [ ! -t 1 ] || terminal=1
    awk -v terminal="$terminal" -v start="$(date +%s)" '
        match($0, /^\[[0-9]+\/[0-9]+\]/) {
            split(substr($0, 2, RLENGTH - 2), step, "/")
            if (step[1] == 0) next # it looks whether files came
            percent = int(100 * step[1] / step[2])
            if (!terminal && percent < next_told) next
            next_told = percent - percent % 10 + 10
            spent = systime() - start
            printf "%s   built %d of %d (%d %%), %d s, about %d s left%s", terminal ? "\r" : "",
                step[1], step[2], percent, spent, spent * (step[2] - step[1]) / step[1],
                terminal ? "\033[K" : "\n"
            fflush()
            told = 1
        }
        END { if (terminal && told) printf "\n" }'
}

now() {
    date +%s.%N
}

# seconds_since START: with one decimal.
seconds_since() {
    awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.1f", b - a }'
}
