# Bash completion of the portolan command. The lists of options are compared with each
# command's --help by tests/cli.

# The value of the option before the cursor; fails where the option takes none that can be told.
_portolan_value()
{
    local file=$1 previous=$2 current=$3
    case $previous in
    --format) mapfile -t COMPREPLY < <(compgen -W "table csv json" -- "$current") ;;
    --placement) mapfile -t COMPREPLY < <(compgen -W "quota sectors" -- "$current") ;;
    --color) mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$current") ;;
    --stop-after)
        mapfile -t COMPREPLY < <(compgen -W "$(portolan generate x --stop-after '?' 2>&1 |
            sed -n 's/^Steps: //p')" -- "$current")
        ;;
    --world)
        local IFS=$'\n'
        mapfile -t COMPREPLY < <(compgen -W "$(portolan query "$file" 'SELECT name FROM world' \
            --format csv 2>/dev/null | tr -d '\r' | tail -n +2)" -- "$current")
        ;;
    --list | --output | --backup | -o) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    --seed | --region | --city-size | --city-spacing | --specials-density | \
        --specials-spacing | --unique-radius | --rect | --chunk | --radius | --at | --jobs | -j | --tile | \
        --edge | --level | --levels | --limit | --time-limit | --omt | --scale | --runs | \
        --problems | --wait | --delay | --times | --chunks) ;;
    *) return 1 ;;
    esac
}

_portolan_options()
{
    case $1 in
    import) echo "--builtin --lenient --check --no-warnings --json --wait --help" ;;
    new) echo "--seed --region --city-size --city-spacing --specials-density" \
        "--specials-spacing --placement --railroads --subways --compat --scale-unique" \
        "--unique-radius --wait --help" ;;
    generate) echo "--world --rect --chunk --radius --at --list --jobs --stop-after" \
        "--accept-content --shared --wait --times --quiet --help" ;;
    regenerate) echo "--world --stale --rect --chunk --radius --at --list --jobs --wait" \
        "--quiet --help" ;;
    backup) echo "--replace --verify --quiet --help" ;;
    repair) echo "--dry-run --wait --quiet --help" ;;
    status) echo "--world --runs --stale --json --help" ;;
    show) echo "--world --tile --chunk --edge --json --help" ;;
    dump) echo "--world --chunk --level --symbols --help" ;;
    digest) echo "--world --help" ;;
    query) echo "--format --limit --time-limit --help" ;;
    render) echo "--world --output --text --rect --omt --level --levels --scale --symbols" \
        "--color --help" ;;
    export) echo "--world --format --rect --force --quiet --help" ;;
    import-save) echo "--world --lenient --force --accept-content --wait --quiet --help" ;;
    journal) echo "--wait --help" ;;
    migrate) echo "--backup --wait --quiet --help" ;;
    why) echo "--world --chunk --json --quiet --help" ;;
    replay) echo "--world --delay --steps --help" ;;
    try) echo "--times --seed --world --on-world --chunks --json --quiet --help" ;;
    verify) echo "--seams --problems --world --quiet --help" ;;
    esac
}

_portolan()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [[ $COMP_CWORD -eq 1 ]]; then
        mapfile -t COMPREPLY < <(compgen -W "import new generate regenerate status show dump digest query render
            verify repair backup export import-save journal migrate why replay try help --help --version" -- "$current")
    elif [[ $COMP_CWORD -eq 2 && $command == help ]]; then
        mapfile -t COMPREPLY < <(compgen -W "import new generate regenerate status show dump digest query render
            verify repair backup export import-save journal migrate why replay try" -- "$current")
    elif _portolan_value "${COMP_WORDS[2]}" "$previous" "$current"; then
        return
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_portolan_options "$command")" -- "$current")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}

complete -o filenames -F _portolan portolan
