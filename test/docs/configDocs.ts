/** docs/configuration.md, made from the settings table. */
import { flagName, isExpert } from '../../src/config/config.js'
import { acceptedValues, COMMANDS, type Setting } from '../../src/config/settingKinds.js'
import { type SettingName, settingNames, SETTINGS } from '../../src/config/settings.js'

/** The text of docs/configuration.md. */
export function configurationMarkdown(): string {
  const groups = [...new Set(settingNames().map((name) => SETTINGS[name].group))]
  const usual = groups.map((group) =>
    table(group, (name) => SETTINGS[name].group === group && !isExpert(name)),
  )
  return `${HEAD}${usual.join('')}${table('Expert settings', isExpert, EXPERT_HEAD)}${TAIL}`
}

function table(title: string, isInside: (name: SettingName) => boolean, head = ''): string {
  const rows = settingNames()
    .filter(isInside)
    .map((name) => {
      const { default: value, help } = SETTINGS[name]
      const shown = String(value) === '' ? '' : `\`${String(value)}\``
      const notes = [accepted(SETTINGS[name]), commandNames(SETTINGS[name])].filter((note) => note !== '')
      return `| \`${flagName(name)}\` | ${shown} | ${help}${notes.length > 0 ? ` (${notes.join('; ')})` : ''} |`
    })
  return `\n## ${title}\n\n${head}${TABLE_HEAD}\n${rows.join('\n')}\n`
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

const EXPERT_HEAD = `Hardly anybody changes these. They have one right value for nearly all wikis, or follow another setting such as \`--memory\`:
a value here wins over that. Help names them without their texts.

`

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
