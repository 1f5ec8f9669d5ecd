import type { Command } from 'commander'
import { usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import { type Io, write } from '#cli/io.ts'

export function registerCompletion(completion: Command, io: Io): void {
  completion
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText(
      'after',
      `${examples('completion bash > ~/.local/share/bash-completion/completions/alliance', 'completion zsh > ~/.zfunc/_alliance', 'completion fish > ~/.config/fish/completions/alliance.fish')}`,
    )
    .action((shell: string) => printScript(io, shell))
}

/** Each passes the words so far to `alliance complete`, which prints the candidates. */
const scripts: Record<string, string> = {
  // Bash splits an email address into words and replaces from the @ on, so the candidates leave out what's before it.
  bash: `_alliance() {
  local line=\${COMP_LINE:0:COMP_POINT} words found typed kept= breaks=\${COMP_WORDBREAKS//[^@:=]/}
  read -ra words <<< "$line"
  [[ $line == *' ' ]] && words+=('')
  typed=\${words[\${#words[@]}-1]}
  [[ $breaks ]] && kept=\${typed%"\${typed##*[$breaks]}"}
  kept=\${kept%@}
  local IFS=$'\\n'
  found=($(alliance complete -- "\${words[@]:1}" 2>/dev/null))
  COMPREPLY=("\${found[@]#"$kept"}")
}
complete -o default -F _alliance alliance
`,
  zsh: `#compdef alliance
_alliance() {
  local -a found
  found=(\${(f)"$(alliance complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  (( \${#found} )) && compadd -a found || _files
}
if [ "$funcstack[1]" = "_alliance" ]; then _alliance "$@"; else compdef _alliance alliance; fi
`,
  fish: `function __alliance_complete
  set -l words (commandline -opc) (commandline -ct)
  alliance complete -- $words[2..-1] 2>/dev/null
end
complete -c alliance -f -a '(__alliance_complete)'
`,
}

async function printScript(io: Io, shell: string): Promise<void> {
  const script = scripts[shell]
  if (script === undefined) throw usageError('Name a shell: bash, zsh or fish.')
  await write(io.stdout, script)
}
