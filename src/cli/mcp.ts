/** `palimpsest mcp`: a wiki for programs that speak the Model Context Protocol over standard input and output. */
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { addExamples } from './help.js'

const DESCRIPTION =
  'Let a program with a language model read the wiki, by the Model Context Protocol over standard input and output.\n' +
  'Such programs start this command themselves: docs/mcp.md shows their configuration. Servers may run meanwhile.\n' +
  'The command ends with its standard input.'

export function addMcpCommand(program: Command): void {
  const command = program
    .command('mcp')
    .summary('let a language model read the wiki')
    .description(DESCRIPTION)
  addSettings(command, 'mcp')
  addExamples(command, [
    ['one wiki', 'palimpsest mcp --data-dir data/simple'],
    ['two wikis', 'palimpsest mcp --wiki en=data/en --wiki de=data/de'],
  ])
  command.action(async () => {
    const { openMcp } = await import('../app/mcpApp.js')
    const connection = await openMcp(readSettings(givenFlags(command)), [process.stdin, process.stdout])
    const stopped = new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve)
    })
    await Promise.race([connection.ended, stopped])
    await connection.close()
    // An input that stays open would keep the process.
    process.stdin.destroy()
  })
}
