/**
 * Functions inside the package `parsoid` that the product calls or replaces: none of them is documented. A row fails when a
 * new version moves or renames a function, or gives it other parameters. `src/render/parsoid` then needs the same change.
 */
import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { loadParsoid } from '../../src/render/parsoid/loadPackage.js'

const require = createRequire(import.meta.url)
const load = (path: string): unknown => require(`parsoid/${path}`)
// It must be the first: it adds to the language what the others need.
load('lib/config/ParsoidConfig.js')

/** What a dotted path leads to. */
const at = (from: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], from)

/** The number of parameters is the function's `length`, which leaves those with a default out. */
const FUNCTIONS: readonly (readonly [file: string, path: string, parameters: number])[] = [
  ['lib/config/MWParserEnvironment.js', 'MWParserEnvironment.getParserEnv', 0],
  ['lib/config/MWParserEnvironment.js', 'MWParserEnvironment.resetConfCache', 0],
  ['lib/config/MWParserEnvironment.js', 'MWParserEnvironment.prototype.resolveTitle', 2],
  ['lib/config/MWParserEnvironment.js', 'MWParserEnvironment.prototype.setPageSrcInfo', 1],
  ['lib/config/MWParserEnvironment.js', 'MWParserEnvironment.prototype.getContentHandler', 1],
  ['lib/config/MWParserEnvironment.js', 'MWParserEnvironment.prototype.setOutputContentVersion', 1],
  ['lib/config/MWParserEnvironment.js', 'MWParserEnvironment.prototype.createDocument', 1],
  ['lib/config/MWParserEnvironment.js', 'MWParserEnvironment.prototype.bumpWt2HtmlResourceUse', 2],
  ['lib/config/MWParserEnvironment.js', 'MWParserEnvironment.prototype.bumpHtml2WtResourceUse', 2],
  ['lib/config/WikiConfig.js', 'WikiConfig.prototype.magicWordCanonicalName', 1],
  ['lib/config/WikiConfig.js', 'WikiConfig.prototype.getMagicWordIdFromAlias', 1],
  ['lib/ext/Gallery/index.js', 'modifyArgDict', 2],
  ['lib/html2wt/WikitextSerializer.js', 'WikitextSerializer.prototype._serializeAttributes', 0],
  ['lib/logger/ParsoidLogger.js', 'ParsoidLogger.prototype.log', 1],
  ['lib/mw/ApiRequest.js', 'ApiRequest.prototype.request', 1],
  ['lib/mw/ApiRequest.js', 'ApiRequest.prototype._requestCB', 4],
  ['lib/utils/ContentUtils.js', 'ContentUtils.toXML', 2],
  ['lib/utils/ContentUtils.js', 'ContentUtils.ppToXML', 2],
  ['lib/utils/ContentUtils.js', 'ContentUtils.shiftDSR', 3],
  ['lib/utils/DOMDataUtils.js', 'DOMDataUtils.addNormalizedAttribute', 5],
  ['lib/utils/DOMDataUtils.js', 'DOMDataUtils.applyPageBundle', 2],
  ['lib/utils/DOMDataUtils.js', 'DOMDataUtils.getDataParsoid', 1],
  ['lib/utils/DOMDataUtils.js', 'DOMDataUtils.getPageBundle', 1],
  ['lib/utils/DOMDataUtils.js', 'DOMDataUtils.setDataParsoid', 2],
  ['lib/utils/DOMDataUtils.js', 'DOMDataUtils.setJSONAttribute', 3],
  ['lib/utils/DOMDataUtils.js', 'DOMDataUtils.storeInPageBundle', 3],
  ['lib/utils/DOMDataUtils.js', 'DOMDataUtils.visitAndLoadDataAttribs', 2],
  ['lib/utils/DOMDataUtils.js', 'DOMDataUtils.visitAndStoreDataAttribs', 2],
  ['lib/utils/Util.js', 'Util.clone', 2],
  ['lib/utils/Util.js', 'Util.decodeWtEntities', 1],
  ['lib/utils/Util.js', 'Util.escapeWtEntities', 1],
  ['lib/utils/jsutils.js', 'JSUtils.counterToBase64', 1],
  ['lib/wt2html/DOMPostProcessor.js', 'DOMPostProcessor.addMetaData', 2],
  ['lib/wt2html/Params.js', 'Params.prototype.dict', 0],
  ['lib/wt2html/Params.js', 'Params.prototype.named', 0],
  ['lib/wt2html/pp/handlers/CleanUp.js', 'CleanUp.cleanupAndSaveDataParsoid', 4],
  ['lib/wt2html/pp/handlers/CleanUp.js', 'CleanUp.stripMarkerMetas', 2],
  ['lib/wt2html/pp/processors/AddMediaInfo.js', 'AddMediaInfo.handleImage', 6],
  ['lib/wt2html/pp/processors/WrapSections.js', 'WrapSections.prototype.run', 3],
  ['lib/wt2html/tokenizer.js', 'PegTokenizer.prototype.compileTokenizer', 1],
  ['lib/wt2html/tokenizer.js', 'PegTokenizer.prototype.initTokenizer', 0],
  ['lib/wt2html/tokenizer.js', 'PegTokenizer.prototype.readSource', 0],
  ['lib/wt2html/tt/AttributeExpander.js', 'AttributeExpander.prototype.buildExpandedAttrs', 0],
  ['lib/wt2html/tt/Sanitizer.js', 'Sanitizer.checkCss', 1],
  ['lib/wt2html/tt/Sanitizer.js', 'Sanitizer.decodeCharReferences', 1],
  ['lib/wt2html/tt/Sanitizer.js', 'Sanitizer.decodeEntity', 1],
  ['lib/wt2html/tt/TemplateHandler.js', 'TemplateHandler.prototype.fetchExpandedTpl', 4],
  ['lib/wt2html/tt/TemplateHandler.js', 'TemplateHandler.prototype.onTemplate', 2],
  ['lib/wt2html/tt/TokenStreamPatcher.js', 'TokenStreamPatcher.prototype._convertTokenToString', 1],
  ['lib/wt2html/tt/WikiLinkHandler.js', 'WikiLinkHandler.bailTokens', 3],
  ['lib/wt2html/tt/WikiLinkHandler.js', 'WikiLinkHandler.prototype.renderWikiLink', 0],
]

/** As the package has them. */
const found = FUNCTIONS.map(([file, path]) => at(load(file), path))
// The product changes files of the package while it loads them.
for (const path of Object.keys(require.cache))
  if (/[\\/]node_modules[\\/]/.test(path)) delete require.cache[path]
const parsoid = loadParsoid()

describe('parsoid has', () => {
  test.each(FUNCTIONS.map((row, n) => [...row, found[n]] as const))('%s: %s with %i parameters', (...row) => {
    const [file, path, parameters, original] = row
    expect(typeof original, `parsoid/${file} has no function ${path} any more`).toBe('function')
    expect(original, `${path} of parsoid/${file} takes other parameters`).toHaveLength(parameters)
  })

  test('a list of its own extensions, with the gallery, whose lines one method reads', () => {
    const extensions = at(
      load('lib/config/ParsoidConfig.js'),
      'ParsoidConfig.prototype.defaultNativeExtensions',
    )
    const gallery = (extensions as { name: string; pLine?: unknown }[]).find(({ name }) => name === 'Gallery')
    expect(gallery?.pLine).toBeTypeOf('function')
  })

  test('wikitext in extension tags behind the check of the version', () => {
    const { version } = load('package.json') as { readonly version: string }
    const { versionCheck } = load('lib/config/extapi.js') as {
      readonly versionCheck: (version: string) => object
    }
    expect(versionCheck(version)).toHaveProperty('parseWikitextToDOM')
  })

  test('promises with methods of its own, which its code calls', () => {
    const promises = load('lib/utils/promise.js') as { resolve(value: unknown): object }
    expect(promises.resolve(1)).toHaveProperty('nodify')
  })

  test('siteinfo of the Wikipedias by database name', () => {
    expect(load('baseconfig/dewiki.json')).toHaveProperty('query.general')
  })

  test('titles that nothing changes, which pages share', () => {
    const { Title } = createRequire(require.resolve('parsoid/package.json'))('mediawiki-title') as {
      readonly Title: { readonly prototype: object }
    }
    const readers = ['getKey', 'getPrefixedDBKey', 'getPrefixedText', 'getFragment', 'getNamespace']
    expect(Object.getOwnPropertyNames(Title.prototype)).toEqual(['constructor', ...readers])
  })

  test('a last stage that listens for documents only, so builders of trees need not announce their end', () => {
    const { DOMPostProcessor } = load('lib/wt2html/DOMPostProcessor.js') as {
      readonly DOMPostProcessor: { readonly prototype: { addListenersOn(emitter: EventEmitter): void } }
    }
    const emitter = new EventEmitter()
    DOMPostProcessor.prototype.addListenersOn.call({}, emitter)
    expect(emitter.eventNames()).toEqual(['document'])
  })

  test('a DOM whose lists of elements are iterable by index, with the interfaces that are used', () => {
    const domino = createRequire(require.resolve('parsoid/package.json'))('domino') as {
      createDocument(html: string): Record<string, unknown>
    }
    const document = domino.createDocument('<p class="a">x</p><p>y</p>')
    const body = document['body'] as {
      querySelectorAll(selector: string): ArrayLike<Record<string, unknown>>
    }
    const found = Array.from(body.querySelectorAll('p'))
    expect(found).toHaveLength(2)
    for (const name of ['innerHTML', 'textContent', 'classList', 'ownerDocument', 'nextSibling', 'nodeName'])
      expect(found[0], `domino's elements have no ${name}`).toHaveProperty(name)
  })
})

/** Loading replaces rules of the grammar, and throws when the package's grammar does not have them once. */
test('parsoid takes all changes that the product makes to it', () => {
  const { PegTokenizer } = load('lib/wt2html/tokenizer.js') as {
    readonly PegTokenizer: { readonly prototype: { readSource(this: unknown): string } }
  }
  expect(parsoid.version).toBe((load('package.json') as { readonly version: string }).version)
  expect(PegTokenizer.prototype.readSource()).toContain('& { return false; }')
})
