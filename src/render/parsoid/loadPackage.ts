/**
 * Loads the package `parsoid` on first use. It is optional, takes half a second to load, and only render threads load
 * it.
 */
import { createRequire } from 'node:module'
import { patchIds } from './ids.js'
import { grammarModule, patchCompilation } from './patches/compiledGrammar.js'
import { patchFrenchSpaces } from './patches/frenchSpaces.js'
import {
  patchGalleries,
  patchArgumentMarks,
  patchAssertions,
  patchEmptyGalleries,
  patchImageWords,
  patchLogger,
  patchNestedLinks,
  patchParameters,
  patchTitles,
  patchStyles,
  patchLineStarts,
} from './patches.js'
import { patchGrammar } from './patches/grammar.js'
import { loadEdited, type Load } from './patches/sourceEdits.js'
import { DOCUMENTS } from './patches/speed/documents.js'
import { NODES } from './patches/speed/nodes.js'
import { TOKENS } from './patches/speed/tokens.js'
import { TRANSFORMS } from './patches/speed/transforms.js'
import { TREE_BUILDER } from './patches/speed/treeBuilder.js'
import { withoutTraces, TYPE_TESTS } from './patches/speed/types.js'
import { patchLooseCells } from './patches/looseCells.js'
import { patchUnknownSizes } from './patches/unknownSizes.js'
import type { ParsoidPackage } from './package.js'

/** The package is not installed. */
export class ParsoidMissingError extends Error {
  override readonly name = 'ParsoidMissingError'
}

const require = createRequire(import.meta.url)
const load: Load = <Module>(path: string) => require(`parsoid/${path}`) as Module

/** Changes for speed, which change no output. */
const SPEED = [...TYPE_TESTS, ...TOKENS, ...TRANSFORMS, ...TREE_BUILDER, ...DOCUMENTS, ...NODES]

/** Loads the package. Throws a ParsoidMissingError when it is not installed. */
export function loadParsoid(): ParsoidPackage {
  const version = parsoidVersion()
  if (version === undefined) throw new ParsoidMissingError('the package "parsoid" is not installed')
  // Its DOM is a dependency of the package.
  const fromPackage = createRequire(require.resolve('parsoid/package.json'))
  return loadEdited(SPEED, fromPackage, withoutTraces, () => loadFiles(version))
}

function loadFiles(version: string): ParsoidPackage {
  // Must come first, since the other files rely on its extensions of the language.
  const { ParsoidConfig } = load<Pick<ParsoidPackage, 'ParsoidConfig'>>('lib/config/ParsoidConfig.js')
  const { MWParserEnvironment } = load<{ MWParserEnvironment: ParsoidPackage['ParserEnv'] }>(
    'lib/config/MWParserEnvironment.js',
  )
  const { ApiRequest } = load<Pick<ParsoidPackage, 'ApiRequest'>>('lib/mw/ApiRequest.js')
  const { ContentUtils } = load<Pick<ParsoidPackage, 'ContentUtils'>>('lib/utils/ContentUtils.js')
  const { DOMDataUtils } = load<Pick<ParsoidPackage, 'DOMDataUtils'>>('lib/utils/DOMDataUtils.js')
  const { DOMUtils } = load<{ DOMUtils: { parseHTML: ParsoidPackage['parseHtml'] } }>('lib/utils/DOMUtils.js')
  const { DOMPostProcessor } = load<{ DOMPostProcessor: Pick<ParsoidPackage, 'addMetaData'> }>(
    'lib/wt2html/DOMPostProcessor.js',
  )
  const { parseWikitextToDOM } = load<{
    versionCheck(version: string): Pick<ParsoidPackage, 'parseWikitextToDOM'>
  }>('lib/config/extapi.js').versionCheck(version)
  patchPackage()
  return {
    version,
    ParsoidConfig,
    ParserEnv: MWParserEnvironment,
    ApiRequest,
    ContentUtils,
    DOMDataUtils,
    parseWikitextToDOM,
    parseHtml: (html) => DOMUtils.parseHTML(html),
    addMetaData: (env, document) => DOMPostProcessor.addMetaData(env, document),
    Promise: load('lib/utils/promise.js'),
    siteinfo: packagedSiteinfo,
  }
}

/** The text of the file with the compiled grammar, for the build. Undefined when the package is not installed. */
export function compileGrammar(): string | undefined {
  if (parsoidVersion() === undefined) return undefined
  loadParsoid()
  return grammarModule(load)
}

/** Fixes differences between the package and MediaWiki. */
function patchPackage(): void {
  patchAssertions()
  patchLogger(load)
  patchImageWords(load)
  patchNestedLinks(load)
  patchEmptyGalleries(load)
  patchGrammar(load)
  patchCompilation(load)
  patchFrenchSpaces(load)
  patchArgumentMarks(load)
  patchLineStarts(load)
  patchGalleries(load)
  patchLooseCells(load)
  patchParameters(load)
  patchTitles(load)
  patchIds(load)
  patchStyles(load)
  patchUnknownSizes(load)
}

/** Version of the installed package, without loading it. Undefined when it is not installed. */
export function parsoidVersion(): string | undefined {
  try {
    return (require('parsoid/package.json') as { readonly version: string }).version
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/**
 * Siteinfo of some Wikipedias from the package, for the magic words and signs of their languages. Undefined for other
 * wikis, and when the package is not installed. Loads nothing else of the package.
 */
export function packagedSiteinfo(wiki: string): unknown {
  if (!/^[a-z-]{2,20}$/.test(wiki)) return undefined
  try {
    return (require(`parsoid/baseconfig/${wiki}.json`) as { readonly query: unknown }).query
  } catch {
    return undefined
  }
}
