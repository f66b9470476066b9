/** `palimpsest follow`: keeps the store equal to another wiki. */
import { type Command, Option } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { HISTORIES_KEPT } from '../domain/upstreamPosition.js'
import {
  FILES_FOLLOWED,
  type FollowFlags,
  parseContact,
  parseCount,
  parseDuration,
  parseStream,
  parseUpstream,
} from './follow/followOptions.js'
import { addExamples } from './help.js'

export function addFollowCommand(program: Command): void {
  const command = program
    .command('follow')
    .summary('keep the store equal to another wiki')
    .description(
      'Keep the store equal to another wiki, until SIGTERM or SIGINT. A server may use the store meanwhile.\n' +
        'An empty store is filled first. A store made from a dump goes on from the time of the dump.\n' +
        'The log goes to standard error, one JSON object a line.\n' +
        'Exit status: 1 when following cannot go on by itself.',
    )
  addWikiOptions(command)
  addTimeOptions(command)
  addTaskOptions(command)
  addSettings(command, 'follow')
  addExamples(command, [
    [
      'mirror a small wiki from nothing',
      'palimpsest follow --data-dir data/mine --upstream https://wiki.example/w/api.php',
    ],
    [
      'keep a mirror made from a dump of Wikipedia up to date',
      'palimpsest follow --data-dir data/simple --contact admin@mirror.example \\\n' +
        '        --upstream https://simple.wikipedia.org/w/api.php',
    ],
    ['how far behind is it?', 'palimpsest follow --data-dir data/simple --status'],
  ])
  command.action(async (flags: FollowFlags) => {
    const { runFollow } = await import('./follow/runFollow.js')
    await runFollow(readSettings(givenFlags(command)), flags)
  })
}

/** The wiki, and what is taken of it. */
function addWikiOptions(command: Command): void {
  const history = 'all: every revision of each page; since: the latest, and all from now on'
  const files = 'facts of files, their contents too, or nothing of files'
  command
    .option('--upstream <url>', 'action API of the wiki; the store remembers it', parseUpstream)
    .option(
      '--contact <address>',
      'mail address or URL of the operator, which each request tells',
      parseContact,
    )
    .option('--token-file <file>', 'file with the OAuth 2 token of an account')
    .addOption(new Option('--history <value>', history).choices(HISTORIES_KEPT))
    .addOption(new Option('--files <value>', files).choices(FILES_FOLLOWED).default('facts'))
}

function addTimeOptions(command: Command): void {
  const [interval, overlap] = ['time between two polls', 'how far back each poll looks, since rows come late']
  command
    .addOption(new Option('--interval <time>', interval).argParser(parseDuration).default(5000, '5s'))
    .addOption(new Option('--overlap <time>', overlap).argParser(parseDuration).default(300_000, '300s'))
    .option(
      '--stream <url>',
      'event stream of the wiki: an event makes the next poll begin at once',
      parseStream,
    )
}

function addTaskOptions(command: Command): void {
  const removals = 'remove up to this many pages at once, if the wiki lacks them'
  command
    .option('--once', 'end when the store is up to date')
    .option('--check', 'compare everything with the wiki, repair differences, and end')
    .option('--status', 'print where the store stands, and end')
    .option('--json', 'with --status: print one JSON object')
    .option('--accept-removals <n>', removals, parseCount, 0)
}
