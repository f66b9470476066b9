/** Layout of help: short lists, and texts for 80 columns. */
import type { Command, Help, HelpConfiguration } from 'commander'

/** A longer term gets a line of its own, so that descriptions keep their width. */
const TERM_WIDTH = 24
const INDENT = 2
const GAP = 2
const DEFAULT_COLUMNS = 80

export const HELP_LAYOUT: HelpConfiguration = {
  // A subcommand's own help lists its flags and arguments.
  subcommandTerm: (command: Command): string => command.name(),
  padWidth: (command: Command, helper: Help): number => {
    const widths = [
      ...helper.visibleOptions(command).map((option) => helper.optionTerm(option).length),
      ...helper.visibleCommands(command).map((child) => helper.subcommandTerm(child).length),
      ...helper.visibleArguments(command).map((argument) => helper.argumentTerm(argument).length),
    ]
    return Math.min(TERM_WIDTH, Math.max(...widths))
  },
  formatItem: (term: string, termWidth: number, description: string, helper: Help): string => {
    const margin = INDENT + termWidth + GAP
    const text = helper
      .boxWrap(description, (helper.helpWidth ?? DEFAULT_COLUMNS) - margin)
      .replaceAll('\n', `\n${' '.repeat(margin)}`)
    const first = ' '.repeat(INDENT) + term
    if (description === '') return first
    return first.length > INDENT + termWidth
      ? `${first}\n${' '.repeat(margin)}${text}`
      : `${first.padEnd(margin)}${text}`
  },
}

export type Example = readonly [purpose: string, line: string]

/** Adds examples to the end of a command's help. */
export function addExamples(command: Command, examples: readonly Example[]): void {
  const lines = examples.map(([purpose, line]) =>
    purpose === '' ? `    ${line}` : `  # ${purpose}\n    ${line}`,
  )
  command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}
