/** `palimpsest completion`: lets a shell complete commands, flags and values. */
import { Argument, type Command } from 'commander'
import { commandTree, completionScript, type Shell, SHELLS } from './completion/shells.js'
import { addExamples } from './help.js'

export function addCompletionCommand(program: Command): void {
  const command = program
    .command('completion')
    .summary('print a script that completes commands in a shell')
    .description('Print a script that lets a shell complete commands, flags and values.')
    .addArgument(new Argument('<shell>', 'shell to print it for').choices([...SHELLS]))
    .action((shell: Shell) => {
      process.stdout.write(completionScript(shell, commandTree(program)))
    })
  addExamples(command, [
    ['bash, for this session', 'source <(palimpsest completion bash)'],
    ['bash, for good', 'palimpsest completion bash > ~/.local/share/bash-completion/completions/palimpsest'],
    ['zsh, in a folder of $fpath', 'palimpsest completion zsh > ~/.zfunc/_palimpsest'],
    ['fish', 'palimpsest completion fish > ~/.config/fish/completions/palimpsest.fish'],
  ])
}
