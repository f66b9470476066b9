/** docs/configuration.md, made from the settings table. */
import { flagName, variableName } from './config.js'
import { acceptedValues, COMMANDS } from './settingKinds.js'
import { settingNames, SETTINGS } from './settings.js'

/** The text of docs/configuration.md. */
export function configurationMarkdown(): string {
  const groups = [...new Set(settingNames().map((name) => SETTINGS[name].group))]
  return `${HEAD}${groups.map(groupTable).join('')}${TAIL}`
}

function groupTable(group: string): string {
  const rows = settingNames()
    .filter((name) => SETTINGS[name].group === group)
    .map((name) => {
      const { default: value, help, commands } = SETTINGS[name]
      const shown = String(value) === '' ? '' : `\`${String(value)}\``
      const cells = [
        `\`${flagName(name)}\``,
        `\`${variableName(name)}\``,
        shown,
        acceptedValues(SETTINGS[name]),
        help,
        commands.length === COMMANDS.length ? 'all' : commands.join(', '),
      ]
      return `| ${cells.join(' | ')} |`
    })
  return `\n## ${group}\n\n${TABLE_HEAD}\n${rows.join('\n')}\n`
}

const TABLE_HEAD = `| flag | variable | default | accepted | meaning | commands |
|---|---|---|---|---|---|`

const HEAD = `<!-- Made by "npm run docs" from src/config/settings.ts: change it there. -->

# Settings

Every setting is a flag and an environment variable. The flag wins over the variable, and the variable over the default. A
value that is not accepted stops the start, with a message that names it. Switches take no value as a flag, and \`true\` or
\`false\` as a variable; \`--no-diff\` is \`PALIMPSEST_DIFF=false\`. Commands without a store take no settings.
`

const TAIL = `
## Behind a proxy

Behind a proxy: set \`--public-url\`, or name the proxy in \`--trusted-proxies\` and let it send \`X-Forwarded-Proto\` and
\`X-Forwarded-Host\`. Name it there in any case, and let it send \`X-Forwarded-For\`, so that edits, limits and \`/metrics\` see the address of
the client and not that of the proxy. The proxy must speak HTTP/1.1 to this server (nginx: \`proxy_http_version 1.1\`).
`
