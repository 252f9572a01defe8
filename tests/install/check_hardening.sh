#!/usr/bin/env bash
# Reads built files and fails for each protection (tools/packaging/hardening.cmake) that one of
# them lacks. Nothing here asks what the build thought it had: on x86-64 gcc and clang have all.
# check_hardening.sh STATIC_LIBRARY FILE...
set -euo pipefail
library=$1
shift
code=$(mktemp)
trap 'rm -f "$code"' EXIT
missing=0
machine=$(readelf -hW "$1" | sed -n 's/^ *Machine: *//p')

# has FILE WHAT PATTERN COMMAND...: what the command prints has it. (Not `| grep -q`, which leaves
# at the first match and breaks the pipe.)
has() {
    local file=$1 what=$2 pattern=$3
    shift 3
    if ! "$@" | grep -E -- "$pattern" >/dev/null; then
        echo "FAILED: $file: no $what"
        missing=$((missing + 1))
    fi
}

# A stack frame of more than a page is made page by page, and each is touched before the next one. (Not
# every file has such a frame. One of exactly a page needs no touch.)
frames_are_probed() {
    awk '{ size = 0 }
         match($0, /sub +\$0x[0-9a-f]+,%rsp/) {
             split(substr($0, RSTART, RLENGTH), part, /[x,]/)
             size = length(part[2]) ~ "^[4-8]$" ? part[2] : 0 # longer ones are negative
         }
         page && size { bad++ }
         { page = size == "1000" }
         size && size != "1000" { bad++ }
         END { print bad ? "unprobed " bad : "probed" }' "$code"
}

stack_is_data() {
    readelf -lW "$1" | awk '$1 == "GNU_STACK" { print "flags=" $7 }'
}

for file; do
    has "$file" "position independence" 'Type: +DYN' readelf -hW "$file"
    has "$file" "read-only relocations" GNU_RELRO readelf -lW "$file"
    has "$file" "binding before it runs" 'BIND_NOW|Flags:.* NOW' readelf -dW "$file"
    has "$file" "mark that its stack is data" 'flags=RW$' stack_is_data "$file"
    has "$file" "stack protector" '__stack_chk_fail' readelf -W --dyn-syms "$file"
    has "$file" "checked library calls (_FORTIFY_SOURCE)" '__(mem|str|v?snprintf)[a-z_]*_chk' \
        readelf -W --dyn-syms "$file"
    case $machine in
    *X86-64*)
        objdump -d --no-show-raw-insn "$file" >"$code"
        has "$file" "probes of large stack frames" '^probed$' frames_are_probed
        has "$file" "marked targets of jumps" endbr64 cat "$code"
        ;;
    esac
done
# Of every object in it: one without the mark takes it from the whole.
case $machine in
*X86-64*) has "$library" "control-flow protection in all objects" 'IBT, SHSTK' readelf -nW "$library" ;;
AArch64*) has "$library" "branch protection in all objects" 'BTI, PAC' readelf -nW "$library" ;;
*) echo "LEFT OUT: control-flow protection: nothing is known of $machine" ;;
esac
[ "$missing" -eq 0 ] && echo "$# files and $(basename "$library"): hardened"
[ "$missing" -eq 0 ]
