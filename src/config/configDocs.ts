/** docs/configuration.md, made from the settings table. */
import { flagName, settingNames, SETTINGS, variableName } from './config.js'
import { acceptedValues } from './settingKinds.js'

/** The text of docs/configuration.md. */
export function configurationMarkdown(): string {
  const rows = settingNames().map((name) => {
    const { default: value, help, commands } = SETTINGS[name]
    const shown = String(value) === '' ? '' : `\`${String(value)}\``
    const cells = [
      `\`${flagName(name)}\``,
      `\`${variableName(name)}\``,
      shown,
      acceptedValues(SETTINGS[name]),
      help,
      commands.join(', '),
    ]
    return `| ${cells.join(' | ')} |`
  })
  return `${HEAD}\n${rows.join('\n')}\n${TAIL}`
}

const HEAD = `<!-- Made by "npm run docs" from src/config/config.ts: change it there. -->

# Settings

Every setting is a flag and an environment variable: the flag wins over the variable, the variable over the default. A
value that is not accepted stops the start, with a message that names it. Switches take no value as a flag and \`true\` or
\`false\` as a variable.

| flag | variable | default | accepted | meaning | commands |
|---|---|---|---|---|---|`

const TAIL = `
Behind a proxy: set \`--public-url\`, or name the proxy in \`--trusted-proxies\` and let it send \`X-Forwarded-Proto\` and
\`X-Forwarded-Host\`. Name it there in any case, and let it send \`X-Forwarded-For\`, so that edits, limits and \`/metrics\` see the address of
the client and not that of the proxy. The proxy must speak HTTP/1.1 to this server (nginx: \`proxy_http_version 1.1\`).
`
