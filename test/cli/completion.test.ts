/** Completion by shells, from the commands themselves. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { allCommands, commandTree, completionScript, SHELLS } from '../../src/cli/completion/shells.js'
import { buildProgram } from '../../src/cli/program.js'
import { temporaryFolder } from '../conformance/garden.js'
import { folderOfFile } from '../support/cleanUp.js'
import { runHosted } from '../support/command.js'

const tree = commandTree(buildProgram())
const hasShell = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

let folder: string
beforeAll(() => {
  folder = temporaryFolder()
  mkdirSync(join(folder, 'data'))
  mkdirSync(join(folder, 'my dumps'))
  writeFileSync(join(folder, 'dump one.xml'), '')
})

describe.each(SHELLS)('completion %s', (shell) => {
  const script = completionScript(shell, tree)

  test('is what the command prints', () => {
    expect(runHosted(['completion', shell])).toEqual({ status: 0, out: script, err: '' })
  })

  test('has every command and every flag', () => {
    for (const { path, options } of allCommands(tree)) {
      expect(script).toContain(path)
      for (const { flag } of options) expect(script).toContain(flag.replace(/^--/, ''))
    }
  })

  test.skipIf(!hasShell(shell))(`is sound (needs ${shell})`, () => {
    const file = join(folderOfFile(), shell)
    writeFileSync(file, script)
    const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

test('completion refuses another shell', () => {
  const { status, err } = runHosted(['completion', 'cmd'])
  expect(status).toBe(1)
  expect(err).toContain('Allowed choices are bash, zsh, fish.')
})

/** What a shell prints in the folder of the tests, line by line in order. */
function linesOf(shell: string, args: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync(shell, args, { cwd: folder, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .toSorted()
}

/** Splits words as bash does. */
function bashProposals(line: string): string[] {
  const words = line.split(/ |(=)/).filter((word) => word !== undefined)
  const script = [
    completionScript('bash', tree),
    'COMP_WORDS=("$@")',
    'COMP_CWORD=$(($# - 1))',
    '_palimpsest',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ]
  return linesOf('bash', ['-c', script.join('\n'), 'bash', ...words])
}

/** Takes the place of zsh's line editor, whose builtins exist only while a person types. The editor compares prefixes. */
const ZSH_EDITOR = `
compadd() { shift; print -rl -- "$@" }
_describe() { local name=\${@[-1]}; print -rl -- \${\${(P)name}%%:*} }
_files() { if [[ $1 == -/ ]]; then print -rl -- *(/N); else print -rl -- *(N); fi }
compset() { PREFIX=\${PREFIX#*=} }
compdef() {}
`

function zshProposals(line: string): string[] {
  const words = line.split(' ')
  const place = 'words=("$@"); CURRENT=$#; PREFIX=${words[CURRENT]}; _palimpsest'
  const script = [ZSH_EDITOR, completionScript('zsh', tree), place].join('\n')
  const prefix = words.at(-1)!.split('=').at(-1)!
  return linesOf('zsh', ['-f', '-c', script, 'zsh', ...words]).filter((word) => word.startsWith(prefix))
}

/** Without descriptions, without the flag before an equals sign, and folders without a slash. */
function fishProposals(line: string): string[] {
  const script = `${completionScript('fish', tree)}\ncomplete -C '${line}'`
  return linesOf('fish', ['--no-config', '-c', script]).map((proposal) =>
    proposal
      .split('\t')[0]!
      .replace(/^--.*=/, '')
      .replace(/\/$/, ''),
  )
}

describe.each([
  ['bash', bashProposals],
  ['zsh', zshProposals],
  ['fish', fishProposals],
] as const)('%s proposes', (shell, proposals) => {
  test.skipIf(!hasShell(shell)).each([
    ['commands', 'palimpsest re', ['reindex', 'render', 'replay', 'revision']],
    ['commands of a command', 'palimpsest files ', ['describe', 'import', 'list', 'remove']],
    ['flags, but for the expert ones', 'palimpsest reindex --', ['--data-dir', '--help', '--missing']],
    ['flags of the program', 'palimpsest --', ['--help', '--version']],
    ['choices', 'palimpsest serve --log-level i', ['info']],
    ['choices behind an equals sign', 'palimpsest serve --access-log=', ['combined', 'json', 'off']],
    ['choices of an argument', 'palimpsest completion ', ['bash', 'fish', 'zsh']],
    ['folders', 'palimpsest stats --data-dir ', ['data', 'my dumps']],
    ['folders behind an equals sign', 'palimpsest stats --data-dir=d', ['data']],
    ['files', 'palimpsest import d', ['data', 'dump one.xml']],
    ['nothing for a number', 'palimpsest serve --port ', []],
    ['flags after a value', 'palimpsest serve --port 80 --read-o', ['--read-only']],
    ['no command for an argument of its name', 'palimpsest site set import --d', ['--data-dir']],
  ])(`%s (needs ${shell})`, (_what, line, expected) => {
    expect(proposals(line)).toEqual(expected)
  })
})
