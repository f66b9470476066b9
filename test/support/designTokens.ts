/** Takes the design tokens that the pages for readers use out of Wikimedia's package. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { CONTENT_STYLE } from '../../src/reader/assets/contentStyle.js'
import { SHELL_STYLE } from '../../src/reader/assets/shellStyle.js'
import { VIEWS_STYLE } from '../../src/reader/assets/viewsStyle.js'

const require = createRequire(import.meta.url)
const PACKAGE = '@wikimedia/codex-design-tokens'
/** Templates of wikis use colours of the tokens, whatever the server's own style sheet uses. */
const FOR_TEMPLATES = /^--(?:color|background-color|border-color)-/

const readTokens = (file: string): Map<string, string> => {
  const css = readFileSync(require.resolve(`${PACKAGE}/dist/${file}`), 'utf8').replace(/\/\*[^]*?\*\//g, '')
  return new Map([...css.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name!, value!]))
}

/** The text of src/reader/assets/tokens.ts. */
export function tokensModule(): string {
  const used = new Set([SHELL_STYLE, CONTENT_STYLE, VIEWS_STYLE].join('').match(/--[\w-]+/g))
  const light = readTokens('theme-wikimedia-ui.css')
  const dark = readTokens('theme-wikimedia-ui-mode-dark.css')
  const isKept = (name: string): boolean => used.has(name) || FOR_TEMPLATES.test(name)
  const listed = (tokens: Map<string, string>): string =>
    [...tokens]
      .filter(([name]) => isKept(name))
      .map(([name, value]) => `${name}:${value};`)
      .join('\n')
  const { version } = require(`${PACKAGE}/package.json`) as { version: string }
  return `/** Made by "npm run docs" from ${PACKAGE} ${version} (GPL-2.0-or-later), design tokens of Wikimedia. */
const LIGHT = \`
${listed(light)}
\`
const DARK = \`
${listed(dark)}
\`
const inOneLine = (tokens: string): string => tokens.replaceAll('\\n', '')

/** Custom properties with their semicolons, in one line. */
export const LIGHT_TOKENS = inOneLine(LIGHT)
/** Those that differ in the dark theme. */
export const DARK_TOKENS = inOneLine(DARK)
`
}

/** Names that the style sheets use and no token has. */
export function unknownTokens(): string[] {
  const light = readTokens('theme-wikimedia-ui.css')
  const used = [SHELL_STYLE, CONTENT_STYLE, VIEWS_STYLE].join('').match(/var\(--[\w-]+/g) ?? []
  return used
    .map((use) => use.slice('var('.length))
    .filter((name) => !light.has(name) && !name.startsWith('--hl-'))
}
