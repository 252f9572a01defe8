# Fish completion of the portolan command. The command itself says what may follow
# ("portolan __complete"); nothing of its answer or of the line is ever evaluated.

function __portolan_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l plain (string unescape -- $current; or string trim --left --chars "'\"" -- $current)
    set -l answer ($words[1] __complete $words[2..-1] "$plain" 2>/dev/null)
    set -l first (string split ' ' -- $answer[1])
    switch "$first[1]"
        case words
            string match -v -- '' $answer[2..-1]
        case files directories
            set -l head (string sub --length $first[2] -- "$plain")
            set -l path (string sub --start (math $first[2] + 1) -- "$plain")
            if test $first[1] = files
                string replace -r '^' -- "$head" (__fish_complete_path "$path")
            else
                string replace -r '^' -- "$head" (__fish_complete_directories "$path" '')
            end
    end
end

complete -c portolan -f -a '(__portolan_complete)'
