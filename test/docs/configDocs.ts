/** docs/configuration.md, made from the settings table. */
import { flagName } from '../../src/config/config.js'
import { acceptedValues, COMMANDS, type Setting } from '../../src/config/settingKinds.js'
import { settingNames, SETTINGS } from '../../src/config/settings.js'

/** The text of docs/configuration.md. */
export function configurationMarkdown(): string {
  const groups = [...new Set(settingNames().map((name) => SETTINGS[name].group))]
  return `${HEAD}${groups.map(groupTable).join('')}${TAIL}`
}

function groupTable(group: string): string {
  const rows = settingNames()
    .filter((name) => SETTINGS[name].group === group)
    .map((name) => {
      const { default: value, help } = SETTINGS[name]
      const shown = String(value) === '' ? '' : `\`${String(value)}\``
      const notes = [accepted(SETTINGS[name]), commandNames(SETTINGS[name])].filter((note) => note !== '')
      return `| \`${flagName(name)}\` | ${shown} | ${help}${notes.length > 0 ? ` (${notes.join('; ')})` : ''} |`
    })
  return `\n## ${group}\n\n${TABLE_HEAD}\n${rows.join('\n')}\n`
}

/** Bounds that nobody meets are left out: a day in milliseconds, gigabytes. */
const FAR = 86_400_000

/** Kinds whose help says what they accept, or that accept any text. */
const CLEAR: readonly Setting['kind'][] = ['boolean', 'text', 'optionalText', 'addresses']

/** What a setting accepts, where its help does not say so. */
function accepted(setting: Setting): string {
  if (CLEAR.includes(setting.kind)) return ''
  if (setting.kind === 'urlPattern') return 'pattern'
  if (setting.kind === 'integer' && setting.max >= FAR && setting.min <= 1024) return ''
  return acceptedValues(setting)
    .replace(/^nothing, or /, '')
    .replace('a whole number from ', '')
}

/** The commands of a setting; nothing for one of `serve` alone. */
function commandNames({ commands }: Setting): string {
  if (commands.length === COMMANDS.length) return 'all commands'
  return commands.length === 1 && commands[0] === 'serve' ? '' : commands.join(', ')
}

const TABLE_HEAD = `| flag | default | meaning |
|---|---|---|`

const HEAD = `<!-- Made by "npm run docs" from src/config/settings.ts: change it there. -->

# Settings

Every setting is a flag and an environment variable: \`--data-dir\` is \`PALIMPSEST_DATA_DIR\`. The flag wins over the variable, and
the variable over the default. A value that is not accepted stops the start, with a message that says
what is accepted. Switches take no value as a flag, and
\`true\` or \`false\` as a variable; \`--no-diff\` is \`PALIMPSEST_DIFF=false\`. A setting that names no commands is one of
\`serve\`. A pattern is an http or https URL with {name}, {hash1}, {hash2}, {width} or {thumbnail} in it.
`

const TAIL = `
Behind a proxy, also read [operations.md](operations.md#proxies).
`
