/** `palimpsest serve`: runs a server, or several under a supervisor, until a signal stops it. */
import type { Command } from 'commander'
import { addSettings, type Config, givenFlags, processCount, readSettings } from '../config/config.js'
import { addExamples } from './help.js'
import { ServeSignals } from './serve/signals.js'

const SERVE_EXAMPLE = 'palimpsest serve --processes auto --trusted-proxies 127.0.0.1'

/** Adds the command to the program. `signals` is present when start.ts has already taken over the signals. */
export function addServeCommand(program: Command, signals: ServeSignals | undefined): void {
  const command = program
    .command('serve')
    .summary('serve a wiki, or several, over HTTP')
    .description(
      'Serve the wiki in the data folder, or those of --wiki, over HTTP until SIGTERM or SIGINT.\n' +
        'With --processes auto, 2 and more, or --real-time, SIGHUP renews the server processes one by one.',
    )
  addSettings(command, 'serve')
  addExamples(command, [
    ['several processes, behind a proxy on this machine', SERVE_EXAMPLE],
    ['two wikis, at /en/ and /de/', 'palimpsest serve --wiki en=data/en --wiki de=data/de'],
    [
      'an empty wiki that everybody may edit, at http://127.0.0.1:8080',
      'palimpsest serve --data-dir new --anonymous-edits',
    ],
  ])
  command.action(async () => {
    const taken = signals ?? new ServeSignals()
    const flags = givenFlags(command)
    const config = readSettings(flags)
    if (needsSupervisor(config)) {
      const { serveTogether } = await import('./serve/serveTogether.js')
      await serveTogether(flags, config, taken)
    } else {
      const { serveAlone } = await import('./serve/serveAlone.js')
      await serveAlone(config, taken)
    }
  })
}

/**
 * A single process also needs one in two cases. Under `auto`, SIGHUP must be able to renew it. Real-time priority needs
 * a flag of V8 that only the start of a process can set.
 */
function needsSupervisor({ processes, realTime }: Config): boolean {
  if (processCount(processes) > 1) return true
  return process.platform === 'linux' && (processes === 'auto' || realTime)
}
