/** The network of `make cluster CLUSTER="--scenario cut"`: a killed run does not stop the next one. */
// @module-tag cluster
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { missingForNetwork, Network } from '../../bench/cluster/network.js'

const missing = missingForNetwork()

function ip(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  expect([args, status, stderr]).toEqual([args, 0, ''])
  return stdout
}

/** Links and namespaces of all runs. */
const names = (): string[] => `${ip('link', 'list')} ${ip('netns', 'list')}`.match(/\bpal\w+(-\d+)*/g) ?? []

async function start(...line: string[]): Promise<ChildProcess> {
  const child = spawn(line[0]!, line.slice(1), { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  return child
}

function networkOf(size: number): Network {
  const network = new Network(size)
  onTestFinished(() => network.close())
  return network
}

describe.skipIf(missing !== undefined)(
  `a network of machines${missing === undefined ? '' : `: ${missing}`}`,
  () => {
    test('takes the place of one whose run was killed, with the programs on its machines', async () => {
      const dead = await start('true')
      await once(dead, 'exit')
      const machine = `palimpsest-${dead.pid}-1`
      ip('netns', 'add', machine)
      ip('link', 'add', `palsw${dead.pid}`, 'type', 'bridge')
      ip('address', 'add', '10.250.0.254/24', 'dev', `palsw${dead.pid}`)
      ip('link', 'add', `pal1s${dead.pid}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', machine)
      const program = await start('ip', 'netns', 'exec', machine, 'sleep', '1000')
      await expect.poll(() => ip('netns', 'pids', machine)).toContain(String(program.pid))

      const ended = once(program, 'exit')
      const network = networkOf(2)
      expect(await ended).toEqual([null, 'SIGKILL'])
      expect(names().filter((name) => name.includes(String(dead.pid)))).toEqual([])
      const own = await start(...network.under(1), process.execPath, '--eval', GREETER)
      for (const address of [network.address(1), network.control(1)])
        await expect.poll(() => greetingOf(address)).toBe('hello')
      network.pull(1)
      expect(await greetingOf(network.control(1))).toBe('hello')
      expect(ip('link', 'show', `pal1s${process.pid}`)).toContain('state DOWN')
      const ownEnded = once(own, 'exit')
      network.close()
      network.close()
      expect(await ownEnded).toEqual([null, 'SIGKILL'])
      expect(names()).toEqual([])
    })

    test('waits for that of another run that lives', async () => {
      const living = await start('sleep', '1000')
      ip('link', 'add', `palsw${living.pid}`, 'type', 'bridge')
      expect(() => networkOf(1)).toThrow(`process ${living.pid} has a network (palsw${living.pid})`)
      expect(names()).toEqual([`palsw${living.pid}`])
      living.kill('SIGKILL')
      await once(living, 'exit')
      networkOf(1).close()
      expect(names()).toEqual([])
    })
  },
)

const PORT = 7000
const GREETER = `require('net').createServer((socket) => socket.end('hello')).listen(${PORT}, '0.0.0.0')`

/** What a machine says; empty while it does not answer. */
async function greetingOf(address: string): Promise<string> {
  let said = ''
  try {
    for await (const chunk of connect(PORT, address)) said += String(chunk)
  } catch {
    // It has not started yet.
  }
  return said
}
