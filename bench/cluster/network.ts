/**
 * Machines as network namespaces. Each has two lines. One leads to a switch that all share, and can be pulled. The other
 * leads to this process, so that it reaches a machine without the switch.
 *
 *     this process ──── 10.251.n.2 machine n 10.250.0.n ──── switch 10.250.0.254
 *
 * Names end with the number of the process that made them, so that a later run finds what a killed one has left.
 */
import { spawnSync } from 'node:child_process'
import { isRunning } from '../../test/support/processes.js'
import { findProgram } from '../support/machine.js'

export const SWITCH_ADDRESS = '10.250.0.254'

/** The namespace and the links of a run, by the number of its process. */
const NAMESPACE = /^palimpsest-(\d+)(?:-\d)?$/
const LINK = /^pal(?:sw|[0-9]s|[0-9]c)(\d+)$/

/** Says why this machine cannot have such a network; undefined: it can. */
export function missingForNetwork(): string | undefined {
  if (findProgram('ip') === undefined) return 'ip is missing (Debian: apt install iproute2)'
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  const name = `palimpsest-${process.pid}`
  const { status, stderr } = spawnSync('ip', ['netns', 'add', name], { encoding: 'utf8' })
  if (status !== 0) return `this machine has no network namespaces: ${stderr.trim()}`
  ip('netns', 'delete', name)
  return undefined
}

/**
 * Removes the networks of runs that were killed, with the programs that still run on their machines. Throws while
 * another run lives: its addresses are the same.
 */
export function removeDeadNetworks(): void {
  const [namespaces, links] = [namesIn('netns', NAMESPACE), namesIn('link', LINK)]
  const living = [...namespaces, ...links].find(({ pid }) => pid !== process.pid && isRunning(pid))
  if (living !== undefined)
    throw new Error(`process ${living.pid} has a network (${living.name}): wait until that run has ended`)
  for (const { name } of namespaces) removeNamespace(name)
  for (const { name } of links) removeLink(name)
}

interface Named {
  readonly name: string
  /** The process that made it. */
  readonly pid: number
}

function namesIn(kind: 'netns' | 'link', pattern: RegExp): Named[] {
  const names = ip('-json', kind, 'list')
  // No namespaces at all: nothing is printed.
  const rows = names === '' ? [] : (JSON.parse(names) as { name?: string; ifname?: string }[])
  return rows.flatMap(({ name = '', ifname = name }) => {
    const pid = pattern.exec(ifname)?.[1]
    return pid === undefined ? [] : [{ name: ifname, pid: Number(pid) }]
  })
}

/** Ends the programs in it first: they would keep it, and its links, alive. */
function removeNamespace(name: string): void {
  const { stdout } = spawnSync('ip', ['netns', 'pids', name], { encoding: 'utf8' })
  for (const pid of stdout.split(/\s+/).filter(Boolean)) endProcess(Number(pid))
  spawnSync('ip', ['netns', 'delete', name])
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** A link may be gone with its namespace. */
const removeLink = (name: string): unknown => spawnSync('ip', ['link', 'delete', name])

export class Network {
  readonly #size: number

  /** Throws if a part cannot be made, or while another run has a network; `close` removes what there is. */
  constructor(size: number) {
    removeDeadNetworks()
    this.#size = size
    process.once('exit', () => this.close())
    ip('link', 'add', this.#switch, 'type', 'bridge')
    ip('address', 'add', `${SWITCH_ADDRESS}/24`, 'dev', this.#switch)
    ip('link', 'set', this.#switch, 'up')
    for (let n = 1; n <= size; n++) this.#add(n)
  }

  /** Machines count from 1. Address on the switch. */
  address = (n: number): string => `10.250.0.${n}`
  /** Address for this process. */
  control = (n: number): string => `10.251.${n}.2`
  /** Prefix of a command that runs on a machine. */
  under = (n: number): string[] => ['ip', 'netns', 'exec', this.#machine(n)]

  pull(n: number): void {
    ip('link', 'set', this.#cable(n), 'down')
  }

  plug(n: number): void {
    ip('link', 'set', this.#cable(n), 'up')
  }

  /** Ends the programs on the machines, too. Safe to call twice. */
  close(): void {
    for (let n = 1; n <= this.#size; n++) {
      removeNamespace(this.#machine(n))
      removeLink(this.#cable(n))
      removeLink(this.#line(n))
    }
    removeLink(this.#switch)
  }

  #add(n: number): void {
    const machine = this.#machine(n)
    ip('netns', 'add', machine)
    ip('-n', machine, 'link', 'set', 'lo', 'up')
    ip('link', 'add', this.#cable(n), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', machine)
    ip('link', 'set', this.#cable(n), 'master', this.#switch)
    ip('link', 'set', this.#cable(n), 'up')
    ip('-n', machine, 'address', 'add', `${this.address(n)}/24`, 'dev', 'eth0')
    ip('-n', machine, 'link', 'set', 'eth0', 'up')
    const line = this.#line(n)
    ip('link', 'add', line, 'type', 'veth', 'peer', 'name', 'eth1', 'netns', machine)
    ip('address', 'add', `10.251.${n}.1/24`, 'dev', line)
    ip('link', 'set', line, 'up')
    ip('-n', machine, 'address', 'add', `${this.control(n)}/24`, 'dev', 'eth1')
    ip('-n', machine, 'link', 'set', 'eth1', 'up')
  }

  get #switch(): string {
    return `palsw${process.pid}`
  }

  #cable = (n: number): string => `pal${n}s${process.pid}`
  #line = (n: number): string => `pal${n}c${process.pid}`
  #machine = (n: number): string => `palimpsest-${process.pid}-${n}`
}

/** Returns what it prints. */
function ip(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
  return stdout
}
