/** The commands and flags that shells complete, read from the commander definitions. */
import type { Argument, Command, Option } from 'commander'

/** Kind of value to propose. `file` includes folders; undefined proposes nothing. */
export type Proposal = 'file' | 'dir' | readonly string[] | undefined

export interface CompletedOption {
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
