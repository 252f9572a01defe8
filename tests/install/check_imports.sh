#!/usr/bin/env bash
# Fails where the library asks the operating system for what clients alone need: sockets, signals,
# child processes, terminals, watching of folders. The command has all of these, which shows that
# the names are those to look for.
# check_imports.sh SHARED_LIBRARY STATIC_LIBRARY [COMMAND]
set -euo pipefail
shared=$1 static=$2 command=${3:-}
names='accept4? bind connect listen socket sigaction signal raise sigprocmask fork vfork posix_spawnp? exec[lv][a-z]* waitpid
    pipe2? dup2 isatty tc[gs]etattr ioctl inotify_[a-z0-9_]* poll'

# imports NM_OPTION FILE: those of the names that it asks for, without versions.
imports() {
    nm "$1" --undefined-only "$2" | awk 'NF > 1 { sub(/@.*/, "", $NF); print $NF }' | sort -u |
        grep -xE "($(tr -s ' \n' '|' <<<"$names" | sed 's/|$//'))" || true
}

nm -D --undefined-only "$shared" | grep -w malloc >/dev/null || { echo "FAILED: nm tells nothing of $shared"; exit 1; }
nm -g --undefined-only "$static" | grep -w malloc >/dev/null || { echo "FAILED: nm tells nothing of $static"; exit 1; }
said="$(imports -D "$shared") $(imports -g "$static")"
[ -z "${said// /}" ] || { echo "FAILED: the library asks for" "$said"; exit 1; }
if [ -n "$command" ]; then
    for name in socket sigaction posix_spawnp isatty inotify_init1; do
        imports -D "$command" | grep -x "$name" >/dev/null || { echo "FAILED: $command does not ask for $name"; exit 1; }
    done
fi
echo "$(basename "$shared") asks for no sockets, signals, children and terminals"
