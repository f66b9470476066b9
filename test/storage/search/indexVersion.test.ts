/** The index of a page depends on the encoder's version. Stores keep the index, and `verify` compares it. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { Namespaces } from '../../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../../src/domain/site.js'
import { ChunkEncoder } from '../../../src/index/write/bulk.js'
import { ENCODER_VERSION } from '../../../src/index/text/encoder.js'
import { indexedPage, NO_PROPERTIES } from '../../../src/storage/search/indexedPage.js'
import { temporaryStore } from '../../support/store.js'

const WIKITEXT = `{{Short description|A pond &amp; its {{lc:FISH}}}}
{{Infobox pond|name=Old &eacute;tang|depth={{convert|4|m}}|fish=[[Carp]], [[Tench|tench]]es}}
[[File:Pond in May.jpg|thumb|left|The ''pond'' &ndash; in May]] [[Image:Second.png]]
The '''old pond''' is 4&nbsp;m deep, <!-- no more --> with &phi;, &#8212;, &#x41; &bogus; and <nowiki>[[this]]</nowiki>.<ref name="a">''Ponds'', 1999</ref>
== Life ==
* [[Carp]] and [[:Category:Fish|other fish]] at [https://pond.example a site]
# <math>x^2</math> <span class="a">in a span</span> a < b <br/>next
{| class="wikitable"
! Kind !! Count
|-
| style="x" | Carp || 12
|}
<gallery>
File:Gallery.jpg|caption
</gallery>
<maplink latitude=1 longitude=2>{"type": "ExternalData"}</maplink> <poem>verse</poem> <ref>unclosed
__NOTOC__ [[de:Teich]] [[Category:Ponds|Old]] {{DEFAULTSORT:Pond, old}}`

const SCRIPTS = `Łódź Straße İstanbul Ёлка ΣΊΣΥΦΟΣ كِتَابٌ שָׁלוֹם हिन्दी ไทยภาษา 圍棋是一種 ゲーム ＡＢＣ１２ don't e-mail 3.14 U.S.
${'word '.repeat(300)}${'w'.repeat(60)}`

/** Namespace, dbkey, text, and what else is said of the page. */
const PAGES: readonly (readonly [number, string, string | undefined, object?])[] = [
  [0, 'Old_pond', WIKITEXT],
  [0, 'Scripts', SCRIPTS],
  [0, 'Étang', '#REDIRECT [[Old pond#Life]]', { redirectTarget: 'Old pond#Life' }],
  [0, 'Elsewhere', '#REDIRECT [[de:Teich]]', { redirectTarget: 'https://pond.example' }],
  [1, 'Old_pond', 'talk of [[User:Ann|Ann]] &rarr; here'],
  [8, 'Common.css', '.a { color: [[red]] }', { latestModel: 'css' }],
  [0, 'Hidden', undefined],
]

test('what the index makes of pages is that of its version', () => {
  const encoder = new ChunkEncoder(temporaryStore().store.search.inForce())
  const namespaces = new Namespaces(DEFAULT_SITE)
  for (const [n, [namespace, dbkey, text, more]] of PAGES.entries()) {
    const usual = {
      id: n + 1,
      latestId: n + 1,
      latestTimestamp: 0,
      latestModel: 'wikitext',
      redirectTarget: undefined,
      properties: NO_PROPERTIES,
    }
    encoder.add(n + 1, 1, indexedPage({ ...usual, namespace, dbkey, text, ...more }, namespaces))
  }
  const { pages, changes } = encoder.finish()
  const hash = createHash('sha256')
  for (const { row, completion } of pages) hash.update(row!).update(completion ?? 'none')
  for (const { kind, area, terms, ...arrays } of changes) {
    hash.update(`${kind} ${area} ${terms}`)
    for (const numbers of [arrays.offsets, arrays.pages, arrays.slots]) hash.update(numbers.join())
  }
  // Another hash means another index: raise ENCODER_VERSION, so that stores make theirs again, and update both here.
  expect([ENCODER_VERSION, hash.digest('hex').slice(0, 16)]).toEqual([6, 'e28c00316a9e2d1b'])
})
