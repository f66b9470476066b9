/** Completion by shells, from the commands themselves. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { allCommands, commandTree } from '../../src/cli/completion/commandTree.js'
import { completionScript, SHELLS } from '../../src/cli/completion/shells.js'
import { buildProgram } from '../../src/cli/program.js'
import { temporaryFolder } from '../conformance/garden.js'
import { runCommand } from '../support/command.js'

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
    expect(runCommand(['completion', shell])).toEqual({ status: 0, out: script, err: '' })
  })

  test('has every command and every flag', () => {
    for (const { path, options } of allCommands(tree)) {
      expect(script).toContain(path)
      for (const { flag } of options) expect(script).toContain(flag.replace(/^--/, ''))
    }
  })

  test.skipIf(!hasShell(shell))(`is sound (needs ${shell})`, () => {
    const { status, stderr } = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

test('completion refuses another shell', () => {
  const { status, err } = runCommand(['completion', 'cmd'])
  expect(status).toBe(1)
  expect(err).toContain('Allowed choices are bash, zsh, fish.')
})

/** Completions that bash proposes at the end of a line. Splits words as bash does. */
function proposals(line: string): string[] {
  const words = line.split(/ |(=)/).filter((word) => word !== undefined)
  const script = [
    completionScript('bash', tree),
    'COMP_WORDS=("$@")',
    'COMP_CWORD=$(($# - 1))',
    '_palimpsest',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ]
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script.join('\n'), 'bash', ...words], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
    .split('\n')
    .filter((proposal) => proposal !== '')
    .toSorted()
}

describe.skipIf(!hasShell('bash'))('bash (needs bash) proposes', () => {
  test.each([
    ['commands', 'palimpsest re', ['reindex', 'render', 'replay', 'revision']],
    ['commands of a command', 'palimpsest files ', ['describe', 'import', 'list', 'remove']],
    ['flags', 'palimpsest reindex --', ['--data-dir', '--help', '--index-threads', '--missing']],
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
  ])('%s', (_what, line, expected) => {
    expect(proposals(line)).toEqual(expected)
  })
})
