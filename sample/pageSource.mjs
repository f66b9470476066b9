/**
 * Reads one page of the sample wiki from its source file (README.md describes the format):
 *
 *     title: Page history
 *     model: wikitext                                  (optional)
 *
 *     @@@ 2025-02-03T09:15:00Z | Ada Lindqvist | minor | First draft
 *     the body: a full text, `++++` and text to append, `<<<<` replacements `>>>>`, or nothing for `restore N`
 */

const REVISION_MARK = '@@@ '
const APPEND_MARK = '++++'
const FLAG = /^(minor|restore [1-9][0-9]*|hide (?:text|editor|comment))$/

/**
 * Parses a page file. Revisions come in the file's order, each with its whole text.
 * Throws an Error that names the file and the revision's number when something does not fit.
 *
 * @param {string} source contents of the file
 * @param {string} fileName for messages
 */
export function parsePageSource(source, fileName) {
  const [head, ...blocks] = `\n${source}`.split(/^(?=@@@ )/m)
  const fields = parseFields(head, fileName)
  if (fields.title === undefined) throw new Error(`${fileName}: there is no title`)
  if (blocks.length === 0) throw new Error(`${fileName}: there is no revision`)
  const revisions = []
  for (const block of blocks) {
    try {
      revisions.push(parseRevision(block, revisions))
    } catch (error) {
      throw new Error(`${fileName}, revision ${revisions.length + 1}: ${error.message}`, { cause: error })
    }
  }
  return { title: fields.title, model: fields.model ?? 'wikitext', revisions }
}

function parseFields(head, fileName) {
  const fields = {}
  for (const line of head.split('\n').filter((text) => text.trim() !== '')) {
    const match = /^(title|model): (.+)$/.exec(line)
    if (match === null) throw new Error(`${fileName}: unexpected line before the first revision: ${line}`)
    fields[match[1]] = match[2].trim()
  }
  return fields
}

function parseRevision(block, earlier) {
  const lineEnd = block.indexOf('\n')
  const [timestamp, editor, flagList, ...rest] = block.slice(REVISION_MARK.length, lineEnd).split('|')
  if (rest.length === 0) throw new Error('the line needs four parts: time | editor | flags | comment')
  const flags = flagList.split(',').map((flag) => flag.trim()).filter((flag) => flag !== '')
  const unknown = flags.find((flag) => !FLAG.test(flag))
  if (unknown !== undefined) throw new Error(`unknown flag "${unknown}"`)
  const restored = flags.find((flag) => flag.startsWith('restore '))
  const body = block.slice(lineEnd + 1).trimEnd()
  return {
    timestamp: timestamp.trim(),
    editor: editor.trim(),
    comment: rest.join('|').trim(),
    minor: flags.includes('minor'),
    hidden: ['text', 'editor', 'comment'].filter((part) => flags.includes(`hide ${part}`)),
    text: restored === undefined ? textOf(body, earlier) : restoredText(body, earlier, restored),
  }
}

function restoredText(body, earlier, flag) {
  const number = Number(flag.slice('restore '.length))
  if (body !== '') throw new Error('a restored revision has no body of its own')
  if (number > earlier.length) throw new Error(`there is no earlier revision ${number} to restore`)
  return earlier[number - 1].text
}

/** The whole text of a revision: the body itself, or the previous text with what the body says done to it. */
function textOf(body, earlier) {
  const previous = earlier.at(-1)?.text
  if (body.startsWith(`${APPEND_MARK}\n`)) {
    return `${requirePrevious(previous)}\n${body.slice(APPEND_MARK.length + 1)}`
  }
  if (body.startsWith('<<<<\n')) return replaced(requirePrevious(previous), body)
  return body.replace(/^\n+/, '')
}

function requirePrevious(previous) {
  if (previous === undefined) throw new Error('the first revision needs a full text')
  return previous
}

function replaced(previous, body) {
  const replacements = [...body.matchAll(/<<<<\n([^]*?)\n====\n(?:([^]*?)\n)?>>>>(?:\n+|$)/g)]
  if (replacements.map(([whole]) => whole).join('') !== body) throw new Error('the replacements are not well formed')
  return replacements.reduce((text, [, from, to = '']) => {
    if (text.split(from).length !== 2) throw new Error(`this text does not occur exactly once: ${from}`)
    return text.replace(from, () => to)
  }, previous)
}
