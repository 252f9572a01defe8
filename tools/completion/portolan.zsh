#compdef portolan
# Zsh completion of the portolan command. The command itself says what may follow
# ("portolan __complete"); nothing of its answer or of the line is ever evaluated.

_portolan() {
    local line first head
    local -a answer values shown line_words
    # (Q) takes quotes away, and evaluates nothing.
    line_words=("${(@Q)words[2,CURRENT-1]}")
    answer=("${(@f)$("${(Q)words[1]/#\~\//$HOME/}" __complete "${line_words[@]}" "${(Q)PREFIX}" 2>/dev/null)}")
    first=${answer[1]}
    head=${first##* }
    case $first in
    words)
        for line in "${(@)answer[2,-1]}"; do
            values+=("${line%%$'\t'*}")
            shown+=("${line%%$'\t'*}${${line#*$'\t'}:+  -- ${line#*$'\t'}}")
        done
        (( ${#values} )) && compadd -l -d shown -a -- values
        ;;
    files*)
        (( head )) && compset -P $head '?'
        _files
        ;;
    directories*)
        (( head )) && compset -P $head '?'
        _files -/
        ;;
    esac
}

if [[ $funcstack[1] == _portolan ]]; then
    _portolan "$@"
else
    compdef _portolan portolan
fi
