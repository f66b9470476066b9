/** The built dump, read back with a parser of its own: nothing of the builder is taken on trust. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { buildDump, DUMP_PATH, loadPages, loadSite } from '../../sample/build.mjs'

const pages = loadPages(loadSite())
const revisions = pages.flatMap((page) => page.revisions)
const committed = readFileSync(DUMP_PATH, 'utf8')

const MAX_DUMP_BYTES = 670_000

interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlElement[]
  text: string
}

/** The dump as a tree; throws where the XML is not well-formed. */
function parseXml(xml: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlElement = { name, attributes, children: [], text: '' }
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  parser.on('text', (text) => (open.at(-1)!.text += text))
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  return root.children[0]!
}

function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name)
}

function textOf(element: XmlElement, name: string): string | undefined {
  return childrenOf(element, name)[0]?.text
}

function sha1Base36(text: string): string {
  return BigInt(`0x${createHash('sha1').update(text).digest('hex')}`)
    .toString(36)
    .padStart(31, '0')
}

describe('the dump of the sample wiki', () => {
  const dump = parseXml(committed)
  const dumpPages = childrenOf(dump, 'page')

  test('is what its sources give (else run: node sample/build.mjs)', () => {
    expect(committed === buildDump()).toBe(true)
  })

  test('stays small', () => {
    expect(Buffer.byteLength(committed)).toBeLessThan(MAX_DUMP_BYTES)
  })

  test('names its schema, wiki and standard namespaces', () => {
    expect(dump.attributes).toMatchObject({
      xmlns: 'http://www.mediawiki.org/xml/export-0.11/',
      version: '0.11',
      'xml:lang': 'en',
    })
    const [siteinfo] = childrenOf(dump, 'siteinfo')
    expect(textOf(siteinfo!, 'sitename')).toBe('Palimpsest handbook')
    expect(textOf(siteinfo!, 'dbname')).toBe('palimpsest')
    const namespaces = childrenOf(childrenOf(siteinfo!, 'namespaces')[0]!, 'namespace')
    expect(namespaces.map(({ attributes }) => Number(attributes['key']))).toEqual(
      [...Array.from({ length: 18 }, (_, index) => index - 2), 828, 829],
    )
  })

  test('holds every page and revision of the sources under its id', () => {
    expect(
      dumpPages.map((page) => [
        Number(textOf(page, 'id')),
        textOf(page, 'title'),
        Number(textOf(page, 'ns')),
      ]),
    ).toEqual(pages.map(({ id, title, namespace }) => [id, title, namespace]))
    expect(
      dumpPages.flatMap((page) =>
        childrenOf(page, 'revision').map((revision) => Number(textOf(revision, 'id'))),
      ),
    ).toEqual(revisions.map(({ id }) => id))
  })

  test('states the targets of redirects, and of no other page', () => {
    const stated = dumpPages.map((page) => childrenOf(page, 'redirect')[0]?.attributes['title'] ?? null)
    expect(stated).toEqual(pages.map(({ redirectTarget }) => redirectTarget))
  })

  test('states size and SHA-1 of every text truthfully, and hides what is hidden', () => {
    const sources = new Map(revisions.map((revision) => [revision.id, revision]))
    for (const revision of dumpPages.flatMap((page) => childrenOf(page, 'revision'))) {
      const source = sources.get(Number(textOf(revision, 'id')))!
      const text = childrenOf(revision, 'text')[0]!
      expect(Number(text.attributes['bytes'])).toBe(Buffer.byteLength(source.text))
      if (source.hidden.includes('text')) {
        expect(text).toMatchObject({ text: '', attributes: { deleted: 'deleted' } })
        expect(text.attributes).not.toHaveProperty('sha1')
        expect(textOf(revision, 'sha1')).toBe('')
      } else {
        expect(text.text).toBe(source.text)
        expect([text.attributes['sha1'], textOf(revision, 'sha1')]).toEqual(
          Array(2).fill(sha1Base36(source.text)),
        )
      }
    }
  })

  test('gives parent, editor, summary and minor mark of every revision as the sources do, or hides them', () => {
    const bySource = revisions.map(({ parentId, editor, editorId, comment, hidden, minor }) => ({
      parent: parentId === null ? undefined : String(parentId),
      editor: hidden.includes('editor') ? 'deleted' : editor,
      editorId: hidden.includes('editor') || editorId === null ? undefined : String(editorId),
      comment: hidden.includes('comment') ? 'deleted' : comment,
      minor,
    }))
    const byDump = dumpPages
      .flatMap((page) => childrenOf(page, 'revision'))
      .map((revision) => {
        const contributor = childrenOf(revision, 'contributor')[0]!
        const comment = childrenOf(revision, 'comment')[0]
        return {
          parent: textOf(revision, 'parentid'),
          editor:
            textOf(contributor, 'username') ?? textOf(contributor, 'ip') ?? contributor.attributes['deleted'],
          editorId: textOf(contributor, 'id'),
          comment: comment?.attributes['deleted'] ?? comment?.text ?? '',
          minor: childrenOf(revision, 'minor').length === 1,
        }
      })
    expect(byDump).toEqual(bySource)
  })
})

