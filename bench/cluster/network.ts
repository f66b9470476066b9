/**
 * Machines as network namespaces. Each has two lines. One leads to a switch that all share, and can be pulled. The other
 * leads to this process, so that it reaches a machine without the switch.
 *
 *     this process ──── 10.251.n.2 machine n 10.250.0.n ──── switch 10.250.0.254
 */
import { spawnSync } from 'node:child_process'
import { findProgram } from '../support/machine.js'

export const SWITCH_ADDRESS = '10.250.0.254'

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

export class Network {
  readonly #mark = String(process.pid % 100_000)
  readonly #size: number

  /** Throws if a part cannot be made; `close` removes what there is. */
  constructor(size: number) {
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

  /** Safe to call twice. Programs on the machines must have ended. */
  close(): void {
    for (let n = 1; n <= this.#size; n++) spawnSync('ip', ['netns', 'delete', this.#machine(n)])
    spawnSync('ip', ['link', 'delete', this.#switch])
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
    const line = `pal${n}c${this.#mark}`
    ip('link', 'add', line, 'type', 'veth', 'peer', 'name', 'eth1', 'netns', machine)
    ip('address', 'add', `10.251.${n}.1/24`, 'dev', line)
    ip('link', 'set', line, 'up')
    ip('-n', machine, 'address', 'add', `${this.control(n)}/24`, 'dev', 'eth1')
    ip('-n', machine, 'link', 'set', 'eth1', 'up')
  }

  get #switch(): string {
    return `palsw${this.#mark}`
  }

  #cable = (n: number): string => `pal${n}s${this.#mark}`
  #machine = (n: number): string => `palimpsest-${this.#mark}-${n}`
}

function ip(...args: string[]): void {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
}
