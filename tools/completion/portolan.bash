# Bash completion of the portolan command. The lists of options are compared with each
# command's --help by tests/cli.

# The value of the option before the cursor; fails where the option takes none that can be told.
_portolan_value()
{
    local file=$1 previous=$2 current=$3
    case $previous in
    --format)
        local formats="table csv json"
        [[ ${COMP_WORDS[1]} == compare ]] && formats+=" junit"
        mapfile -t COMPREPLY < <(compgen -W "$formats" -- "$current")
        ;;
    --chart-format) mapfile -t COMPREPLY < <(compgen -W "svg png" -- "$current") ;;
    --sort) mapfile -t COMPREPLY < <(compgen -W "id placed missing ratio" -- "$current") ;;
    --section)
        mapfile -t COMPREPLY < <(compgen -W "$(portolan stats --help |
            sed -n '/^Sections of/,$s/^[^:]*: *\|,//gp')" -- "$current")
        ;;
    --charts) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
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
        --problems | --wait | --max-change | --only | --min-overmaps | --delay | --times | --chunks | --seeds | --precision | \
        --until-precision | --max-seeds | --special | --where | --first | --per-seed) ;;
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
    index) echo "--tables --drop --wait --shared --quiet --help" ;;
    sweep) echo "--seeds --chunks --rect --region --city-size --city-spacing --specials-density" \
        "--specials-spacing --placement --railroads --subways --compat --scale-unique" \
        "--unique-radius --world --jobs --keep-tiles --replace --delete --precision" \
        "--until-precision --max-seeds --special --level --json --shared --wait --quiet --help" ;;
    find) echo "--where --seeds --chunks --rect --first --per-seed --jobs --world --stored --format" \
        "--region --city-size --city-spacing --specials-density --specials-spacing --placement" \
        "--railroads --subways --compat --scale-unique --unique-radius --quiet --help" ;;
    repair) echo "--dry-run --wait --quiet --help" ;;
    status) echo "--world --runs --stale --json --help" ;;
    compare) echo "--max-change --only --all --terrains --level --fdr --min-overmaps --format" \
        "--output --quiet --help" ;;
    stats) echo "--world --sweep --sort --missing --terrains --cities --buildings --lines --water" \
        "--all --section --format --level --charts --chart-format --log --quiet --help" ;;
    show) echo "--world --tile --chunk --edge --json --help" ;;
    dump) echo "--world --chunk --level --symbols --help" ;;
    digest) echo "--world --help" ;;
    query) echo "--format --limit --time-limit --direct --snapshot --help" ;;
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
            verify repair backup export import-save journal migrate why replay try sweep stats compare index find help --help --version" -- "$current")
    elif [[ $COMP_CWORD -eq 2 && $command == help ]]; then
        mapfile -t COMPREPLY < <(compgen -W "import new generate regenerate status show dump digest query render
            verify repair backup export import-save journal migrate why replay try sweep stats compare index find" -- "$current")
    elif _portolan_value "${COMP_WORDS[2]}" "$previous" "$current"; then
        return
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_portolan_options "$command")" -- "$current")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}

complete -o filenames -F _portolan portolan
