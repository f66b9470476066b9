/** What shells complete, read from the commands themselves. */
import type { Argument, Command, Option } from 'commander'

/** `file` stands for folders too. Undefined: nothing can be proposed. */
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
  /** Names from the program on: `palimpsest/files/import`. */
  readonly path: string
  readonly name: string
  readonly help: string
  readonly options: readonly CompletedOption[]
  /** What its arguments are, all alike. */
  readonly argument: Proposal
  readonly children: readonly CompletedCommand[]
}

/** Words in angle brackets that stand for files; `dir` alone stands for folders. */
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

/** The program with all commands below it. */
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

/** A command and all below it. */
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
