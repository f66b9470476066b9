/** `<score>`: music in LilyPond or ABC notation. Shows the texts: title, lyrics, names of the notes. */
import { FILE } from '../../domain/namespaceIds.js'
import { parseTitle } from '../../domain/title.js'
import { escapeHtml } from '../../domain/html.js'
import { plainLabel, standIn } from './standIn.js'
import { linkHtml, MAX_TAG_LENGTH, type ExtensionTag, type TagWiki } from './tag.js'

const HEADER = /\b(?:title|subtitle|composer|poet)\s*=\s*(?:\\markup\s*)?"([^"\n]{1,300})"/g
const LYRICS = /\\(?:addlyrics|lyricmode|lyricsto\s+"[^"\n]{0,100}")\s*\{([^{}]{0,20000})\}/g
const LILYPOND_NOTE =
  /(?<![\\\w"])[a-h](?:isis|eses|is|es|s)?(?=[',]*\d{0,3}\.{0,3}(?:[\s~()[\]{}<>|^_\\-]|$))/g
const ABC_FIELD = /^([TCw]):\s*([^\n]{1,1000})$/gm
const ABC_NOTE = /[_^=]?[A-Ga-g]/g
const MAX_NOTES = 100
/** Attributes that name a sound file of the music. */
const SOUNDS = ['audio', 'override_audio', 'override_ogg', 'override_midi']

export async function renderScore(tag: ExtensionTag, wiki: TagWiki): Promise<string> {
  const source = tag.content.length > MAX_TAG_LENGTH ? '' : tag.content
  const isAbc = tag.attributes.get('lang')?.trim().toLowerCase() === 'abc'
  return standIn(
    'score',
    'Musical score',
    isAbc ? abcLabels(source) : lilypondLabels(source),
    await soundOf(tag, wiki),
  )
}

async function soundOf({ attributes }: ExtensionTag, wiki: TagWiki): Promise<string> {
  const { namespaces } = wiki
  for (const name of SOUNDS.map((attribute) => attributes.get(attribute) ?? '')) {
    const bare = name.replace(/^[^:]{1,30}:/, (prefix) =>
      namespaces.idByName(prefix.slice(0, -1)) === FILE ? '' : prefix,
    )
    const parsed = parseTitle(namespaces.keyPrefix(FILE) + bare, namespaces)
    if (bare.trim() === '' || !parsed.ok || parsed.title.namespace !== FILE) continue
    const shown = parsed.title.dbkey.replaceAll('_', ' ')
    const link = await linkHtml(wiki, `Media:${shown}`, escapeHtml(shown))
    if (link !== undefined) return `<div class="mw-stand-in-caption">${link}</div>`
  }
  return ''
}

function lilypondLabels(source: string): string[] {
  const titles = Array.from(source.matchAll(HEADER), ([, text = '']) => plainLabel(text))
  const lyrics = Array.from(source.matchAll(LYRICS), ([, words = '']) => lyricsText(words))
  const music = source
    .replace(LYRICS, ' ')
    .replace(/"[^"\n]{0,500}"|%[^\n]*|\\[a-z]+(?:\s+[a-g](?:is|es)?[',]*(?=\s*[\\{]))?/gi, ' ')
  const notes = Array.from(music.matchAll(LILYPOND_NOTE), ([note]) => note)
  return [...titles, ...lyrics, notesText(notes)].filter((label) => label !== '')
}

/** Joins syllables and drops signs that are not words, such as pauses. */
function lyricsText(words: string): string {
  return words
    .replace(/\s+--\s+/g, '')
    .replace(/__|\\[a-z]+(?:\s+"[^"\n]{0,100}")?|"/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function abcLabels(source: string): string[] {
  const fields = Array.from(source.matchAll(ABC_FIELD), ([, , text = '']) =>
    text.replace(/[ \t]*-[ \t]*/g, '').replace(/[*_|~]/g, ' '),
  )
  const music = source.replace(/^[A-Za-z]:[^\n]*$/gm, '').replace(/"[^"\n]{0,500}"|!\w{1,30}!/g, '')
  const notes = Array.from(music.matchAll(ABC_NOTE), ([note]) => note)
  return [...fields.map((field) => field.trim()), notesText(notes)].filter((label) => label !== '')
}

function notesText(notes: readonly string[]): string {
  if (notes.length === 0) return ''
  return `Notes: ${notes.slice(0, MAX_NOTES).join(' ')}${notes.length > MAX_NOTES ? ' …' : ''}`
}
