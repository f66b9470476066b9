/**
 * Writes the dump of a made wiki to standard output, as XML. Nothing of it stays on the disk.
 *
 *     node writeDump.js PAGES | palimpsest import -
 */
import { once } from 'node:events'
import { MadeWiki, type MadePage } from './madeWiki.js'

const BLOCK_LENGTH = 2 ** 20
const HEAD = `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
<siteinfo><sitename>Made Wiki</sitename><dbname>madewiki</dbname><base>https://made.example/wiki/Main_Page</base>
<generator>palimpsest bench</generator><case>first-letter</case><namespaces>
<namespace key="-2" case="first-letter">Media</namespace><namespace key="-1" case="first-letter">Special</namespace>
<namespace key="0" case="first-letter" /><namespace key="1" case="first-letter">Talk</namespace>
<namespace key="4" case="first-letter">Project</namespace><namespace key="6" case="first-letter">File</namespace>
<namespace key="10" case="first-letter">Template</namespace><namespace key="14" case="first-letter">Category</namespace>
</namespaces></siteinfo>
`
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign]!)

await write(Number(process.argv[2]))

async function write(pages: number): Promise<void> {
  const wiki = new MadeWiki(pages)
  let block = HEAD
  for (let id = 1; id <= pages; id++) {
    block += elementOf(wiki.page(id))
    if (block.length < BLOCK_LENGTH) continue
    if (!process.stdout.write(block)) await once(process.stdout, 'drain')
    block = ''
  }
  process.stdout.end(`${block}</mediawiki>\n`)
}

function elementOf(page: MadePage): string {
  const { id, namespace, title, redirect, revisionId, timestamp, editorId, text } = page
  const target = redirect === undefined ? '' : `<redirect title="${escaped(redirect)}" />`
  const time = new Date(timestamp * 1000).toISOString().replace('.000', '')
  return `<page><title>${escaped(title)}</title><ns>${namespace}</ns><id>${id}</id>${target}
<revision><id>${revisionId}</id><timestamp>${time}</timestamp>
<contributor><username>Editor ${editorId}</username><id>${editorId}</id></contributor>
<comment>made for a measurement</comment><model>wikitext</model><format>text/x-wiki</format>
<text bytes="${Buffer.byteLength(text)}" xml:space="preserve">${escaped(text)}</text></revision></page>
`
}
