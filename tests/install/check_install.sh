#!/usr/bin/env bash
# Installs a build, moves the installed tree elsewhere, checks what is in it and builds and runs
# a small program against it: by pkg-config and by find_package, shared and static.
# check_install.sh BUILD_DIR SOURCE_DIR COMPILER VERSION
set -euo pipefail
build=$1 source=$2 compiler=$3 version=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$source/tests/install

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# run PROGRAM: with a file of its own.
run() {
    local said
    said=$("$1" "$work/$(basename "$1").db") || fail "$1"
    echo "$(basename "$1"): $said"
}

cmake --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/moved"
prefix=$work/moved
for file in include/portolan/portolan.h bin/portolan share/man/man1/portolan.1 \
    share/bash-completion/completions/portolan; do
    [ -f "$prefix/$file" ] || fail "$file is not installed"
done
diff -rq "$source/src/include/portolan" "$prefix/include/portolan" || fail "other headers"
libdir=$(dirname "$(find "$prefix" -name libportolan.so)")
export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
[ "$("$prefix/bin/portolan" --version)" = "portolan $version" ] ||
    fail "bin/portolan --version does not say $version"

# Only the public functions are visible, in the static library too.
stray=$({ nm -D --defined-only "$libdir/libportolan.so"; nm -g --defined-only "$libdir/libportolan.a"; } |
    awk 'NF == 3 && $3 !~ /^ptl_/ { print $3 }' |
    grep -vE '^(_init|_fini|__bss_start|_edata|_end)$' || true)
[ -z "$stray" ] || fail "the libraries export more than ptl_*: $stray"
# The extension shows SQLite its entry point alone. (Instrumented builds have none.)
extension=$libdir/portolan/portolan.so
if [ -f "$extension" ]; then
    shown=$(nm -D --defined-only "$extension" | awk '{ print $3 }')
    [ "$shown" = sqlite3_portolan_init ] || fail "portolan.so exports $shown"
fi

flags=(-std=c11 -Wall -Wextra -Werror "-DEXPECTED_VERSION=\"$version\"" "$here/main.c")
[ "$(pkg-config --modversion portolan)" = "$version" ] || fail "version in portolan.pc"
# shellcheck disable=SC2046 # flags are to be split
"$compiler" "${flags[@]}" $(pkg-config --cflags --libs portolan) -o "$work/pc_shared"
# The static library by its name, with the private requirements alone behind it.
# shellcheck disable=SC2046
"$compiler" "${flags[@]}" $(pkg-config --cflags portolan) "$libdir/libportolan.a" \
    $(pkg-config --static --libs portolan | sed 's/-lportolan\b//') -o "$work/pc_static"
run "$work/pc_shared"
run "$work/pc_static"

mkdir "$work/project"
sed -e "s,@VERSION@,$version,; s,@MAIN@,$here/main.c," "$here/project.cmake.in" \
    >"$work/project/CMakeLists.txt"
cmake -S "$work/project" -B "$work/project/build" -G Ninja "-DCMAKE_C_COMPILER=$compiler" \
    "-DCMAKE_PREFIX_PATH=$prefix" >"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
cmake --build "$work/project/build" >"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
run "$work/project/build/user_portolan"
run "$work/project/build/user_portolan_static"
# Not `ldd | grep -q`: grep leaves at the first match, and with pipefail ldd's broken pipe fails.
for program in pc_static project/build/user_portolan_static; do
    linked=$(ldd "$work/$program")
    [[ $linked != *libportolan* ]] || fail "$program is not linked statically"
done
for program in pc_shared project/build/user_portolan; do
    linked=$(ldd "$work/$program")
    [[ $linked == *"libportolan.so.0 => $libdir"* ]] || fail "$program: not shared"
done
