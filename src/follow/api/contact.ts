/** How a follower names itself to a wiki. */

/** Wikis that refuse programs whose operator cannot be reached. */
const WIKIMEDIA =
  /(?:^|\.)(?:wiki(?:pedia|media|data|books|quote|source|news|versity|voyage|functions)|wiktionary|mediawiki)\.org$/

/** Mail address or URL of an operator: it goes into a header, in brackets. */
export const isContact = (text: string): boolean => /^[\x20-\x27\x2a-\x7e]{3,200}$/.test(text)

/** Explains that a wiki asks for the operator's address; undefined if it does not, or has it. */
export function contactLacking(url: string, contact: string | undefined): string | undefined {
  const { hostname } = new URL(url)
  if ((contact ?? '') !== '' || !WIKIMEDIA.test(hostname)) return undefined
  return `${hostname} asks programs to say how their operator can be reached`
}

export const userAgentOf = (version: string, contact: string | undefined): string =>
  `Palimpsest/${version}${(contact ?? '') === '' ? '' : ` (${contact})`}`
