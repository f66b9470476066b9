/** The extension tags that the engine is told of, and who renders each. */
import { EXTENSION_TAGS } from '../../domain/extensionTags.js'
import { PLAIN_MODELS, renderSource } from '../contentModels.js'
import { parseTag, renderForeign } from '../tags/foreign.js'
import { renderMath } from '../tags/math.js'
import { renderSyntaxHighlight } from '../tags/syntaxHighlight.js'
import type { ExtensionTag, RenderTag } from '../tags/tag.js'
import type {
  ContentHandler,
  DomDocument,
  ExtensionArgument,
  ExtensionClass,
  ExtensionState,
  ParsoidPackage,
} from './package.js'

const OWN: ReadonlyMap<string, RenderTag> = new Map([
  ['syntaxhighlight', renderSyntaxHighlight],
  ['source', renderSyntaxHighlight],
  ['math', renderMath],
  ['ce', renderMath],
  ['chem', renderMath],
])
/** Rendered out of other pages: the run answers for them. */
const TEMPLATE_STYLES = 'templatestyles'

/** All tags that the engine is told of; some it renders itself. */
export const ENGINE_TAGS: readonly string[] = [...EXTENSION_TAGS]

/** Stands in for the extensions that the package does not have. */
export function renderForeignTag(source: string): string {
  return renderForeign(parseTag(source))
}

/** The tags and content models of our own as an extension of the package. */
export function ownExtension(parsoid: ParsoidPackage): ExtensionClass {
  const tags = [...OWN].map(([name, render]) => ({
    name,
    toDOM: (state: ExtensionState, content: string, attributes: readonly ExtensionArgument[]) =>
      documentOf(parsoid, state, render(tagOf(name, content, attributes))),
  }))
  const styles = {
    name: TEMPLATE_STYLES,
    toDOM: (state: ExtensionState, content: string, attributes: readonly ExtensionArgument[]) => {
      const { attributes: given } = tagOf(TEMPLATE_STYLES, content, attributes)
      const answer = { action: TEMPLATE_STYLES, src: given.get('src'), wrapper: given.get('wrapper') }
      return documentOf(parsoid, state, String(state.env.answer(answer)))
    },
  }
  return class OwnExtension {
    readonly config = { name: 'palimpsest', tags: [...tags, styles], contentmodels: plainModels(parsoid) }
  }
}

/** Pages whose source is shown as it stands, and is what is shown. */
function plainModels(parsoid: ParsoidPackage): Record<string, ContentHandler> {
  const handler = (model: string): ContentHandler => ({
    toHTML: (env) => {
      const document = env.createDocument(renderSource(model, env.page.src))
      parsoid.addMetaData(env, document)
      return parsoid.Promise.resolve(document)
    },
    fromHTML: (_env, body) => {
      const [shown = body] = Array.from(body.querySelectorAll('pre.mw-code'))
      return parsoid.Promise.resolve(shown.textContent)
    },
  })
  return Object.fromEntries(PLAIN_MODELS.map((model) => [model, handler(model)]))
}

function tagOf(name: string, content: string, attributes: readonly ExtensionArgument[]): ExtensionTag {
  return {
    name,
    attributes: new Map(attributes.map(({ k, v }) => [k.toLowerCase(), v])),
    content: content ?? '',
  }
}

function documentOf(
  parsoid: ParsoidPackage,
  { env }: ExtensionState,
  html: string,
): PromiseLike<DomDocument> {
  return parsoid.Promise.resolve(env.createDocument(html))
}
