/**
 * Completion scripts. Each script finds the command on the line so far, as a path such as `palimpsest/files/import`.
 * Then it proposes flags of the command, values of the flag before the cursor, subcommands, or files. It reads commands
 * and flags from the definitions of commander.
 */
import type { Argument, Command, Option } from 'commander'

/** Kind of value to propose. `file` includes folders; undefined proposes nothing. */
export type Proposal = 'file' | 'dir' | readonly string[] | undefined

interface CompletedOption {
  /** Such as `--data-dir`. */
  readonly flag: string
  readonly help: string
  readonly takesValue: boolean
  readonly value: Proposal
}

/** A command and its flags. */
export interface CompletedCommand {
  /** Names from the program down: `palimpsest/files/import`. */
  readonly path: string
  readonly name: string
  readonly help: string
  readonly options: readonly CompletedOption[]
  /** Kind of the arguments; all of them have the same kind. */
  readonly argument: Proposal
  readonly children: readonly CompletedCommand[]
}

/** Placeholders that mean files. `dir` means folders only. */
export const FILE_WORDS: readonly string[] = [
  'file',
  'dump',
  'source',
  'table',
  'from',
  'to',
  'mine',
  'base',
  'theirs',
]

/** The program with all its commands. */
export function commandTree(command: Command, parentPath = ''): CompletedCommand {
  const path = parentPath === '' ? command.name() : `${parentPath}/${command.name()}`
  const helper = command.createHelp()
  return {
    path,
    name: command.name(),
    help: helper.subcommandDescription(command),
    options: helper.visibleOptions(command).map(completedOption),
    argument: proposalOf(command.registeredArguments.at(0)),
    children: command.commands.map((child) => commandTree(child, path)),
  }
}

/** A command and its subcommands, at all levels. */
export const allCommands = (command: CompletedCommand): CompletedCommand[] => [
  command,
  ...command.children.flatMap(allCommands),
]

function completedOption(option: Option): CompletedOption {
  const { long, flags, description, required, optional, argChoices } = option
  const [, word] = /<([^.>]+)/.exec(flags) ?? []
  return {
    flag: long ?? flags,
    help: description,
    takesValue: required || optional,
    value: argChoices ?? proposalFor(word),
  }
}

const proposalOf = (argument: Argument | undefined): Proposal =>
  argument?.argChoices ?? proposalFor(argument?.name())

function proposalFor(word: string | undefined): Proposal {
  if (word === 'dir') return 'dir'
  return word !== undefined && FILE_WORDS.includes(word) ? 'file' : undefined
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** The script for a shell. `root` is the program. */
export function completionScript(shell: Shell, root: CompletedCommand): string {
  return SCRIPTS[shell](root)
}

const SCRIPTS: Readonly<Record<Shell, (root: CompletedCommand) => string>> = { bash, zsh, fish }

const headOf = (shell: Shell): string =>
  `# Completion of palimpsest for ${shell}; made by "palimpsest completion ${shell}".`

/** A text in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const paths = (root: CompletedCommand): string =>
  allCommands(root)
    .slice(1)
    .map(({ path }) => path)
    .join('|')

/** Flags with a value, and the paths of their commands, grouped by kind of value. */
function flagsByValue(root: CompletedCommand): { patterns: string[]; value: Proposal }[] {
  const groups = new Map<string, { patterns: string[]; value: Proposal }>()
  for (const { path, options } of allCommands(root)) {
    for (const { flag, value, takesValue } of options) {
      if (!takesValue) continue
      const key = JSON.stringify(value ?? null)
      const group = groups.get(key) ?? { patterns: [], value }
      group.patterns.push(quoted(`${path} ${flag}`))
      groups.set(key, group)
    }
  }
  return [...groups.values()]
}

/** Branches of a `case` over "$path $flag". `propose` makes the action for a kind of value. */
const valueCases = (root: CompletedCommand, propose: (value: Proposal) => string): string =>
  flagsByValue(root)
    .map(({ patterns, value }) => `    ${patterns.join('|')}) ${propose(value)}return ;;\n`)
    .join('')

const commandCases = (root: CompletedCommand, act: (command: CompletedCommand) => string): string =>
  allCommands(root)
    .map((command) => `    ${command.path}) ${act(command)} ;;\n`)
    .join('')

function bash(root: CompletedCommand): string {
  const propose = (value: Proposal): string => {
    if (value === undefined) return ''
    if (value === 'dir') return '__palimpsest_files -d; '
    if (value === 'file') return '__palimpsest_files -f; '
    return `COMPREPLY=($(compgen -W ${quoted(value.join(' '))} -- "$cur")); `
  }
  const act = ({ options, children, argument }: CompletedCommand): string => {
    const flags = options.map(({ flag }) => flag).join(' ')
    const words = children.length > 0 ? children.map(({ name }) => name) : argument
    return `flags=${quoted(flags)}; [[ $cur == -* ]] || { ${propose(words)}return; }`
  }
  return `${headOf('bash')}
__palimpsest_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$cur"))
}
_palimpsest() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path=${root.path} flags= i
  # bash divides --flag=value into three words.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path/\${COMP_WORDS[i]}" in
    ${paths(root)}) path="$path/\${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$path $prev" in
${valueCases(root, propose)}  esac
  case "$path" in
${commandCases(root, act)}  esac
  COMPREPLY=($(compgen -W "$flags" -- "$cur"))
}
complete -F _palimpsest palimpsest
`
}

function zsh(root: CompletedCommand): string {
  const propose = (value: Proposal): string => {
    if (value === undefined) return ''
    if (value === 'dir') return '_files -/; '
    if (value === 'file') return '_files; '
    return `compadd -- ${value.map(quoted).join(' ')}; `
  }
  const described = (name: string, help: string): string => quoted(`${name.replaceAll(':', '\\:')}:${help}`)
  const act = ({ options, children, argument }: CompletedCommand): string => {
    const flags = options.map(({ flag, help }) => described(flag, help)).join(' ')
    const commands = children.map(({ name, help }) => described(name, help)).join(' ')
    const rest = children.length > 0 ? `words_=(${commands}); _describe command words_` : propose(argument)
    return `if [[ $PREFIX == -* ]]; then words_=(${flags}); _describe -o flag words_; else ${rest || ':'}; fi`
  }
  return `#compdef palimpsest
${headOf('zsh')}
_palimpsest() {
  local path_=${root.path} flag=\${words[CURRENT-1]} i
  local -a words_
  # --flag=value is one word.
  if [[ $PREFIX == --*=* ]]; then flag=\${PREFIX%%=*}; compset -P '*='; fi
  for ((i = 2; i < CURRENT; i++)); do
    case "$path_/\${words[i]}" in
    (${paths(root)}) path_="$path_/\${words[i]}" ;;
    esac
  done
  case "$path_ $flag" in
${valueCases(root, propose)}  esac
  case "$path_" in
${commandCases(root, act).replaceAll(';; fi', '; fi')}  esac
}
if [[ \${funcstack[1]} == _palimpsest ]]; then _palimpsest "$@"; else compdef _palimpsest palimpsest; fi
`
}

function fish(root: CompletedCommand): string {
  const text = (words: string): string => `'${words.replaceAll('\\', '\\\\').replaceAll("'", `\\'`)}'`
  const propose = (value: Proposal): string => {
    if (value === undefined) return '-x'
    if (value === 'dir') return `-x -a '(__fish_complete_directories)'`
    return value === 'file' ? '-r -F' : `-x -a ${text(value.join(' '))}`
  }
  const optionLine = (at: string, { flag, help, takesValue, value }: CompletedOption): string =>
    `${at} -l ${flag.replace(/^--/, '')} ${takesValue ? `${propose(value)} ` : ''}-d ${text(help)}`
  const lines = allCommands(root).flatMap(({ path, options, children, argument }) => {
    const at = `complete -c palimpsest -n '__palimpsest_at ${path}'`
    const argumentLine =
      argument === 'file' ? [`${at} -F`] : argument === undefined ? [] : [`${at} ${propose(argument)}`]
    return [
      ...children.map(({ name, help }) => `${at} -a ${name} -d ${text(help)}`),
      ...options.map((option) => optionLine(at, option)),
      ...(children.length === 0 ? argumentLine : []),
    ]
  })
  return `${headOf('fish')}
function __palimpsest_at
  set -l path ${root.path}
  for word in (commandline -opc)[2..-1]
    switch "$path/$word"
      case ${paths(root).replaceAll('|', ' ')}
        set path "$path/$word"
    end
  end
  test "$path" = "$argv[1]"
end
complete -c palimpsest -f
${lines.join('\n')}
`
}
