#!/usr/bin/env bash
# Installs a build (also into a DESTDIR), moves the installed tree elsewhere, checks what is in it
# and builds and runs a small program against it: by pkg-config and by find_package, shared and
# static, with and without link-time optimisation, and one that has names of its own such as ours.
# check_install.sh BUILD_DIR SOURCE_DIR COMPILER VERSION COMMAND PICTURES STATS (these three: 1 if built)
set -euo pipefail
build=$1 source=$2 compiler=$3 version=$4 with_command=$5 with_pictures=$6 with_stats=$7
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
DESTDIR=$work/staged cmake --install "$build" --prefix /opt/first >"$work/install.log"
diff <(cd "$prefix" && find . | sort) <(cd "$work/staged/opt/first" && find . | sort) ||
    fail "a DESTDIR gets other files"
documents=share/doc/portolan
wanted=(include/portolan/portolan.h "$documents"/{README.md,LICENSE}
    "$documents"/schema/{format,questions,generation,README}.md "$documents"/tests/example/{example,walk}.c)
if [ "$with_command" = 1 ]; then
    wanted+=(bin/portolan share/man/man1/portolan{,-import-save}.1 share/bash-completion/completions/portolan)
fi
for file in "${wanted[@]}"; do
    [ -f "$prefix/$file" ] || fail "$file is not installed"
done
# Every link and picture of an installed page leads to something that is installed.
pages=$(cd "$prefix/$documents" && echo ./*.md schema/*.md)
for page in $pages; do
    while read -r target; do
        case $target in http | https) continue ;; esac
        [ -e "$prefix/$documents/$(dirname "$page")/$target" ] ||
            fail "$page links to $target, which is not installed"
    done < <(grep -oE '\]\([^):#]+' "$prefix/$documents/$page" | sed 's/^](//')
done
left_out=none
[ "$with_stats" = 1 ] || left_out=stats.h
diff -rq -x "$left_out" "$source/src/include/portolan" "$prefix/include/portolan" || fail "other headers"
[ ! -e "$prefix/include/portolan/$left_out" ] || fail "$left_out is installed without its library"
libdir=$(dirname "$(find "$prefix" -name libportolan.so)")
export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
if [ "$with_command" = 1 ]; then
    [ "$("$prefix/bin/portolan" --version)" = "portolan $version" ] ||
        fail "bin/portolan --version does not say $version"
fi

# Only the public functions are visible, in the static library too.
shared=("$libdir/libportolan.so") static=("$libdir/libportolan.a")
if [ "$with_stats" = 1 ]; then
    shared+=("$libdir/libportolan-stats.so") static+=("$libdir/libportolan-stats.a")
fi
stray=$({ nm -D --defined-only "${shared[@]}"; nm -g --defined-only "${static[@]}"; } |
    awk 'NF == 3 && $3 !~ /^ptl_/ { print $3 }' |
    grep -vE '^(_init|_fini|__bss_start|_edata|_end)$' || true)
[ -z "$stray" ] || fail "the libraries export more than ptl_*: $stray"
twice=$(nm -g --defined-only "${static[@]}" | awk 'NF == 3 { print $3 }' | sort | uniq -d)
[ -z "$twice" ] || fail "both libraries export these: $twice"
# Who links libportolan has nothing of GSL.
linked=$(ldd "$libdir/libportolan.so")
[[ $linked != *libgsl* ]] || fail "libportolan.so is linked with GSL"
# The extension shows SQLite its entry point alone. (Instrumented builds have none.)
extension=$libdir/portolan/portolan.so
if [ -f "$extension" ]; then
    shown=$(nm -D --defined-only "$extension" | awk '{ print $3 }')
    [ "$shown" = sqlite3_portolan_init ] || fail "portolan.so exports $shown"
fi

flags=(-std=c11 -Wall -Wextra -Werror "-DEXPECTED_VERSION=\"$version\""
    "-DEXPECTED_PICTURES=$with_pictures" "$here/main.c")
[ "$(pkg-config --modversion portolan)" = "$version" ] || fail "version in portolan.pc"
# shellcheck disable=SC2046 # flags are to be split
"$compiler" "${flags[@]}" $(pkg-config --cflags --libs portolan) -o "$work/pc_shared"
run "$work/pc_shared"

# link_statically PROGRAM ARGUMENT...: the static library by its name, with the private
# requirements alone behind it.
link_statically() {
    local program=$1
    shift
    # shellcheck disable=SC2046
    "$compiler" "${flags[@]}" "$@" $(pkg-config --cflags portolan) "$libdir/libportolan.a" \
        $(pkg-config --static --libs portolan | sed 's/-lportolan\b//') -o "$work/$program"
    run "$work/$program"
}
link_statically pc_static
if echo 'int main(void) { return 0; }' | "$compiler" -flto -x c - -o "$work/lto" 2>/dev/null; then
    link_statically pc_static_lto -O2 -flto
else
    echo "SKIPPED: $compiler does not link with -flto"
fi

# A user may have names of his own that the library has inside, and neither meets the other's.
find "$build/src" -path '*/ptl_*' -name '*.o' -print0 |
    xargs -0 nm -g --defined-only 2>/dev/null |
    awk 'NF == 3 && $3 !~ /^ptl_/ && $3 ~ /^[a-z_][a-z0-9_]*$/ { print $3 }' | sort -u >"$work/inner"
if [ "$(wc -l <"$work/inner")" -lt 500 ] || ! grep -qx error_set "$work/inner"; then
    fail "the library's inner names were not found: $(wc -l <"$work/inner")"
fi
wanting=$(nm -u "${static[@]}" | awk '{ print $NF }' | sort -u | comm -12 - "$work/inner")
[ -z "$wanting" ] || fail "the static library would take these of its user: $wanting"
{
    echo '_Noreturn void abort(void);'
    sed 's/.*/void &(void); void &(void) { abort(); }/' "$work/inner"
} >"$work/own_names.c"
link_statically pc_static_names -fno-builtin "$work/own_names.c"

# What is built on it, the same ways.
if [ "$with_stats" = 1 ]; then
    [ "$(pkg-config --modversion portolan-stats)" = "$version" ] || fail "version in portolan-stats.pc"
    # shellcheck disable=SC2046
    "$compiler" -std=c11 -Wall -Wextra -Werror "$here/stats.c" \
        $(pkg-config --cflags --libs portolan-stats) -o "$work/pc_stats"
    run "$work/pc_stats"
    # shellcheck disable=SC2046
    "$compiler" -std=c11 -Wall -Wextra -Werror "$here/stats.c" $(pkg-config --cflags portolan-stats) \
        "$libdir/libportolan-stats.a" "$libdir/libportolan.a" \
        $(pkg-config --static --libs portolan-stats | sed 's/-lportolan\(-stats\)\?\b//g') \
        -o "$work/pc_stats_static"
    run "$work/pc_stats_static"
fi

mkdir "$work/project"
sed -e "s,@VERSION@,$version,; s,@MAIN@,$here/main.c,; s,@PICTURES@,$with_pictures,; s,@STATS@,$with_stats,; s,@STATS_MAIN@,$here/stats.c," "$here/project.cmake.in" \
    >"$work/project/CMakeLists.txt"
cmake -S "$work/project" -B "$work/project/build" -G Ninja "-DCMAKE_C_COMPILER=$compiler" \
    "-DCMAKE_PREFIX_PATH=$prefix" >"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
cmake --build "$work/project/build" >"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
run "$work/project/build/user_portolan"
run "$work/project/build/user_portolan_static"
programs_static=(pc_static project/build/user_portolan_static)
programs_shared=(pc_shared project/build/user_portolan)
if [ "$with_stats" = 1 ]; then
    run "$work/project/build/user_portolan_stats"
    run "$work/project/build/user_portolan_stats_static"
    programs_static+=(pc_stats_static project/build/user_portolan_stats_static)
    programs_shared+=(pc_stats project/build/user_portolan_stats)
fi
# Not `ldd | grep -q`: grep leaves at the first match, and with pipefail ldd's broken pipe fails.
for program in "${programs_static[@]}"; do
    linked=$(ldd "$work/$program")
    [[ $linked != *libportolan* ]] || fail "$program is not linked statically"
done
for program in "${programs_shared[@]}"; do
    linked=$(ldd "$work/$program")
    [[ $linked == *"libportolan.so.0 => $libdir"* ]] || fail "$program: not shared"
done
