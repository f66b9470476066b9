/** Commands of the compiled product, run as processes. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterFile } from './cleanUp.js'
import { CommandHost, type CommandResult } from './commandHost.js'
import { PATIENT_ENVIRONMENT } from './patience.js'

/** The program behind the command. */
export const START = join(import.meta.dirname, '../../dist/cli/start.js')

export interface Run {
  readonly child: ChildProcess
  readonly output: { stdout: string; stderr: string }
  /** Exit status; null after a signal that was not handled. */
  readonly exit: Promise<number | null>
  /** Waits until what was printed matches. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
}

/** Runs the compiled command. */
export function run(...args: string[]): Run {
  return runUnder([], ...args)
}

/** As `run`, started by a program that becomes what it starts, such as `taskset -c 0`. */
export function runUnder(starter: readonly string[], ...args: string[]): Run {
  return runProgram(...starter, process.execPath, START, ...args)
}

/** Runs a program with its arguments. A server has limits of time out of reach, unless flags set them. */
export function runProgram(...line: string[]): Run {
  const { PATH, PALIMPSEST_HTTP } = process.env
  const env = { PATH, ...PATIENT_ENVIRONMENT, ...(PALIMPSEST_HTTP && { PALIMPSEST_HTTP }) }
  const child = spawn(line[0]!, line.slice(1), { env })
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => (output[stream] += text))
  }
  const exit = new Promise<number | null>((resolve) => child.on('close', (status) => resolve(status)))
  afterFile(() => {
    child.kill('SIGKILL')
    return exit
  })
  const printed = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(output.stdout + output.stderr)
        if (found !== null) resolve(found)
      }
      child.stdout.on('data', look)
      child.stderr.on('data', look)
      child.on('close', () => reject(new Error(`ended without printing ${pattern}: ${output.stderr}`)))
      look()
    })
  return { child, output, exit, printed }
}

export const portOf = (found: RegExpExecArray): number => Number(found[1])
/** The threads that make HTML take a second of processor time to start: servers of tests that need none do without. */
export const NO_HTML = '--no-html'

/** The greeting of a server, with its port. */
export const ADDRESS = /at http:\/\/127\.0\.0\.1:(\d+)\/\n/

/** Starts a server in its own process, and returns its port. */
export async function startProcess(dataDir: string, ...flags: string[]): Promise<number> {
  return portOf(await run('serve', '--data-dir', dataDir, '--port', '0', ...flags).printed(ADDRESS))
}

export type { CommandResult } from './commandHost.js'

export const COMMAND = join(import.meta.dirname, '../../bin/palimpsest')

export interface CommandOptions {
  readonly cwd?: string
  readonly settings?: Readonly<Record<string, string>>
}

/** The environment without settings of the product. */
function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PALIMPSEST_')))
}

/** Runs `palimpsest` with arguments; of the environment's settings, only those of `settings` reach it. */
export function runCommand(
  parts: readonly string[],
  input = '',
  { cwd, settings = {} }: CommandOptions = {},
): CommandResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...parts], {
    encoding: 'utf8',
    env: { ...plainEnvironment(), ...settings },
    input,
    ...(cwd !== undefined && { cwd }),
  })
  return { status, out: stdout, err: stderr }
}

let host: CommandHost | undefined

/**
 * As `runCommand`, in a process that stays for the commands of all files of a test process. This takes a small part of
 * the time. Each command also runs in a process of its own in `cli/systemErrors.test.ts`. Only on Linux: the host looks
 * at its open files.
 */
export function runHosted(
  parts: readonly string[],
  input = '',
  { cwd, settings = {} }: CommandOptions = {},
): CommandResult {
  if (process.platform !== 'linux')
    return runCommand(parts, input, { settings, ...(cwd !== undefined && { cwd }) })
  host ??= new CommandHost(START, plainEnvironment())
  return host.run({ parts, input, settings, cwd })
}
