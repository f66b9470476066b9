/** Writes pages in the MediaWiki export format, schema 0.11. */
import { createHash } from 'node:crypto'

const SCHEMA = 'http://www.mediawiki.org/xml/export-0.11/'
const FORMATS = { wikitext: 'text/x-wiki', css: 'text/css', json: 'application/json', Scribunto: 'text/plain' }
const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/**
 * The whole dump as one string, ending in a line break.
 *
 * @param {import('./build.mjs').SampleSite} site
 * @param {readonly import('./build.mjs').SamplePage[]} pages in the order in which they shall be written
 */
export function exportXml(site, pages) {
  return [
    `<mediawiki xmlns="${SCHEMA}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"` +
      ` xsi:schemaLocation="${SCHEMA} http://www.mediawiki.org/xml/export-0.11.xsd"` +
      ` version="0.11" xml:lang="${site.language}">`,
    ...siteinfoLines(site),
    ...pages.flatMap(pageLines),
    '</mediawiki>',
    '',
  ].join('\n')
}

/**
 * SHA-1 of a text's UTF-8 bytes as MediaWiki writes it: base 36, 31 digits.
 *
 * @param {string} text
 */
export function sha1Base36(text) {
  return BigInt(`0x${createHash('sha1').update(text).digest('hex')}`).toString(36).padStart(31, '0')
}

function siteinfoLines(site) {
  const byId = Object.entries(site.namespaces).sort(([a], [b]) => Number(a) - Number(b))
  return [
    '  <siteinfo>',
    ...Object.entries(site.siteinfo).map(([name, value]) => `    ${element(name, value)}`),
    '    <namespaces>',
    ...byId.map(([id, name]) => `      ${element('namespace', name, ` key="${id}" case="${site.siteinfo.case}"`)}`),
    '    </namespaces>',
    '  </siteinfo>',
  ]
}

function pageLines(page) {
  return [
    '  <page>',
    `    ${element('title', page.title)}`,
    `    ${element('ns', page.namespace)}`,
    `    ${element('id', page.id)}`,
    ...(page.redirectTarget === null ? [] : [`    <redirect title="${escape(page.redirectTarget)}" />`]),
    ...page.revisions.flatMap((revision) => revisionLines(revision, page.model)),
    '  </page>',
  ]
}

function revisionLines(revision, model) {
  const { id, parentId, comment, hidden } = revision
  const textHidden = hidden.includes('text')
  return [
    '    <revision>',
    `      ${element('id', id)}`,
    ...(parentId === null ? [] : [`      ${element('parentid', parentId)}`]),
    `      ${element('timestamp', revision.timestamp)}`,
    ...contributorLines(revision),
    ...(revision.minor ? ['      <minor />'] : []),
    ...(hidden.includes('comment') ? ['      <comment deleted="deleted" />'] : []),
    ...(hidden.includes('comment') || comment === '' ? [] : [`      ${element('comment', comment)}`]),
    `      ${element('origin', id)}`,
    `      ${element('model', model)}`,
    `      ${element('format', FORMATS[model])}`,
    `      ${textElement(revision.text, textHidden)}`,
    `      ${element('sha1', textHidden ? '' : sha1Base36(revision.text))}`,
    '    </revision>',
  ]
}

function contributorLines({ editor, editorId, hidden }) {
  if (hidden.includes('editor')) return ['      <contributor deleted="deleted" />']
  const lines =
    editorId === null ? [element('ip', editor)] : [element('username', editor), element('id', editorId)]
  return ['      <contributor>', ...lines.map((line) => `        ${line}`), '      </contributor>']
}

/** A hidden text leaves its size behind and nothing else. */
function textElement(text, hidden) {
  const bytes = ` bytes="${Buffer.byteLength(text)}"`
  if (hidden) return `<text${bytes} deleted="deleted" />`
  return element('text', text, `${bytes} sha1="${sha1Base36(text)}" xml:space="preserve"`)
}

function element(name, value, attributes = '') {
  const content = escape(String(value))
  return content === '' ? `<${name}${attributes} />` : `<${name}${attributes}>${content}</${name}>`
}

function escape(text) {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character])
}
