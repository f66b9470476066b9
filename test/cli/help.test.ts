/** Help: short, complete, and right about what flags do. */
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { allCommands, commandTree } from '../../src/cli/completion/shells.js'
import { buildProgram } from '../../src/cli/program.js'
import { flagName, settingsOf } from '../../src/config/config.js'
import { COMMANDS } from '../../src/config/settingKinds.js'
import { runHosted } from '../support/command.js'

const COLUMNS = 80
const program = buildProgram()
const everyPath = allCommands(commandTree(program)).map(({ path }) => path.split('/').slice(1))

const commandAt = (path: readonly string[]): Command =>
  path.reduce((parent, name) => parent.commands.find((child) => child.name() === name)!, program)

/** The help of a command as on a terminal of 80 columns. */
function helpOf(path: readonly string[]): string {
  let text = ''
  const command = path.reduce(
    (parent, name) => parent.commands.find((child) => child.name() === name)!,
    program,
  )
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => COLUMNS })
  command.outputHelp()
  return text
}

describe.each(everyPath.map((path) => [['palimpsest', ...path].join(' '), path] as const))(
  '%s --help',
  (_name, path) => {
    const help = helpOf(path)

    test('fits into 80 columns, but for examples', () => {
      const [explained = ''] = help.split('\nExamples:\n')
      expect(explained.split('\n').filter((line) => line.length > COLUMNS)).toEqual([])
    })

    test('explains every argument, flag and command', () => {
      const command = commandAt(path)
      const helper = command.createHelp()
      const explained = [
        ...helper.visibleOptions(command).map((option) => [option.flags, option.description]),
        ...command.registeredArguments.map((argument) => [argument.name(), argument.description]),
        ...helper
          .visibleCommands(command)
          .map((child) => [child.name(), helper.subcommandDescription(child)]),
      ] as const
      for (const [term, text] of explained) {
        expect(help).toContain(`\n  ${term}`)
        // A clause behind a term, and no sentence before a full stop that is left out.
        expect([term, text]).toEqual([
          term,
          expect.stringMatching(/^[^A-Z\s](?:.*[^.])?$|^[A-Z]{2,} .*[^.]$/s),
        ])
      }
    })

    test('names values by known words', () => {
      const words = [...help.matchAll(/<([^<>\s]+)>/g)].map(([, word]) => word!.replace('...', ''))
      expect(words.filter((word) => !WORDS.has(word))).toEqual([])
    })
  },
)

/** Words in angle brackets. */
const WORDS = new Set(
  (
    'address addresses bytes days dir dump file format group id key level list ms n name name=dir path prefix shell ' +
    'size source table text time title url value when'
  ).split(' '),
)

describe('palimpsest', () => {
  test('lists commands in groups, each with a line', () => {
    const { status, out } = runHosted(['--help'])
    expect(status).toBe(0)
    const groups = ['Run a wiki', 'Accounts and rights', 'Check and back up', 'Work on texts', 'Help']
    for (const group of groups) expect(out).toContain(`\n${group}:\n`)
    expect(out).not.toContain('\nCommands:\n')
    expect(out.split('\n').length).toBeLessThan(50)
  })

  test.each(COMMANDS)('%s groups its settings', (name) => {
    const children = everyPath.filter(([first, second]) => first === name && second !== undefined)
    const path = children.at(0) ?? [name]
    const help = helpOf(path)
    expect(help).toContain('\nStore:\n  --data-dir <dir>')
    expect(help).toContain('PALIMPSEST_DATA_DIR')
    if (children.length === 0)
      for (const setting of settingsOf(name)) expect(help).toContain(flagName(setting))
  })

  test('says of a flag what the flag does', () => {
    expect(helpOf(['serve'])).toMatch(/--no-lua +run no modules/)
    expect(helpOf(['serve'])).toMatch(/--no-html +the same as --html none/)
  })

  test.each(['import', 'serve', 'backup', 'expand', 'diff', 'merge', 'completion'])(
    '%s ends with examples',
    (name) => {
      const [, examples = ''] = helpOf([name]).split('\nExamples:\n')
      const lines = examples.trimEnd().split('\n')
      expect(lines.length).toBeGreaterThan(1)
      for (const line of lines) expect(line).toMatch(/^ {2}(?:# .| {2}.*palimpsest )/)
    },
  )

  test('takes every flag of its examples', () => {
    for (const path of everyPath) {
      const [help, examples = ''] = helpOf(path).split('\nExamples:\n')
      for (const [flag] of examples.matchAll(/--[a-z][\w-]+/g)) {
        expect(path.length === 0 ? helpOf(['import']) : help).toContain(flag)
      }
    }
  })
})
