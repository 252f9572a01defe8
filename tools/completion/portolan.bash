# Bash completion of the portolan command. The command itself says what may follow
# ("portolan __complete"); nothing of its answer or of the line is ever evaluated.

# Reads the line up to the cursor into the caller's words, without their quotes; the last word is
# being typed. Into quote goes the mark that it is in, if any, and into fixed how much of it stands
# before the part that readline replaces (it breaks words at : and =).
_portolan_split()
{
    local line=${COMP_LINE:0:COMP_POINT} word="" started="" character i
    words=()
    quote=""
    fixed=0
    for ((i = 0; i < ${#line}; i++)); do
        character=${line:i:1}
        if [[ $quote == "'" && $character != "'" ]]; then
            word+=$character
        elif [[ -n $quote && $character == "$quote" ]]; then
            quote=""
        elif [[ $quote == '"' && $character == \\ && ${line:i+1:1} == [\"\$\`\\] ]]; then
            i=$((i + 1))
            word+=${line:i:1}
        elif [[ $quote == '"' ]]; then
            word+=$character
        elif [[ $character == [\'\"] ]]; then
            quote=$character started=1
        elif [[ $character == [[:space:]] ]]; then
            [[ -z $started ]] || words+=("$word")
            word="" started="" fixed=0
        elif [[ $character == \\ ]]; then
            i=$((i + 1)) started=1
            word+=${line:i:1}
        else
            [[ -n $started || $character != '~' || ${line:i+1:1} != / ]] || character=$HOME
            word+=$character started=1
            [[ $character != [:=] || $COMP_WORDBREAKS != *"$character"* ]] || fixed=${#word}
        fi
    done
    words+=("$word")
}

# One word of the answer into COMPREPLY, as it has to stand on the line; in quotes only those that
# can stand there as they are.
_portolan_offer()
{
    local word=${1:fixed}
    case $quote in
    \') [[ $word == *\'* ]] || COMPREPLY+=("$word") ;;
    \") [[ $word == *[\"\$\`\\!]* ]] || COMPREPLY+=("$word") ;;
    *) printf -v word %q "$word" && COMPREPLY+=("$word") ;;
    esac
}

_portolan()
{
    local words quote fixed answer line current
    COMPREPLY=()
    _portolan_split
    while [[ ${#words[@]} -gt 2 && ${words[0]} == *=* ]]; do # VARIABLE=value before the command
        words=("${words[@]:1}")
    done
    mapfile -t answer < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
    current=${words[-1]}
    case ${answer[0]} in
    words)
        for line in "${answer[@]:1}"; do
            _portolan_offer "${line%%$'\t'*}"
        done
        ;;
    files* | directories*)
        current=${current:${answer[0]##* }}
        [[ ${answer[0]} == files* ]] && line=-f || line=-d
        mapfile -t COMPREPLY < <(compgen "$line" -- "$current")
        compopt -o filenames 2>/dev/null
        ;;
    esac
}

complete -F _portolan portolan
