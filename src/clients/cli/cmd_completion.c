/* portolan completion: prints the script that makes a shell call 'portolan __complete'. */
#include "clients/cli/line/embedded.h"
#include "clients/cli/session/session.h"

static const option_spec options[] = {OPTIONS_END};

static int run(session *s)
{
    const char *shell = s->args->operands[0];
    const bool known =
        strcmp(shell, "bash") == 0 || strcmp(shell, "zsh") == 0 || strcmp(shell, "fish") == 0;
    for (const embedded_text *t = embedded_texts; known && t->name; t++)
        if (strcmp(t->name, shell) == 0)
            out_text(t->text);
    return known
               ? EXIT_DONE
               : usage_error(s->args,
                             "there is no completion for '%s'; shells: bash, zsh, fish", shell);
}

const command completion_command = {
    .name = "completion",
    .group = GROUP_HELP,
    .operands = "bash|zsh|fish",
    .summary = "Print what makes a shell complete portolan's command lines.",
    .operand_help = "bash|zsh|fish  Which shell.\n",
    .details =
        "An installed Portolan has brought it along. Else, for this shell alone:\n"
        "  bash:  source <(portolan completion bash)\n"
        "  zsh:   source <(portolan completion zsh)\n"
        "  fish:  portolan completion fish | source\n"
        "and for good, put what it prints into\n"
        "  bash:  ~/.local/share/bash-completion/completions/portolan\n"
        "  zsh:   a file _portolan in a folder of $fpath\n"
        "  fish:  ~/.config/fish/completions/portolan.fish\n\n"
        "Commands, options and their values are completed, and names out of the world file "
        "that stands on the line: worlds, sweeps, specials, regions.\n",
    .examples = "  portolan completion bash > portolan.bash\n",
    .options = options,
    .run = run,
    .stopped = "what it printed is not all",
};
