/** Settings that HTML depends on, apart from the revision and the pages that it uses. */
import { createHash } from 'node:crypto'
import type { Site } from '../domain/site.js'
import { hasVariants } from '../domain/variants.js'
import { HTML_VERSION } from './parsoid/engine.js'

/**
 * Incremented whenever the same wikitext gives different HTML, since stores keep HTML.
 * test/render/rendererVersion.test.ts detects such changes.
 */
export const RENDERER_VERSION = 12

/** The same for wikis whose language has variants. */
const VARIANTS_VERSION = 1

/**
 * An 8-byte hash; equal hashes mean that the same wikitext gives the same HTML. `engineVersion` is the version of the
 * Parsoid package. `settings` holds the server settings that affect HTML.
 */
export function renderingConfiguration(site: Site, engineVersion: string, settings: object): Buffer {
  const { name, wikiId, language, base, case: titleCase, namespaces, interwiki } = site
  const { aliases, subpages, stringFunctions, localDigits, extensionTags, protocols, specialPages } = site
  const shown = {
    ...{ name, wikiId, language, base, titleCase, namespaces, interwiki },
    ...{ aliases, subpages, stringFunctions, localDigits, extensionTags, protocols, specialPages },
    // Wikis without variants keep their HTML.
    ...(hasVariants(language) && { variants: VARIANTS_VERSION }),
  }
  const inputs = JSON.stringify([RENDERER_VERSION, HTML_VERSION, engineVersion, settings, shown])
  return createHash('sha256').update(inputs).digest().subarray(0, 8)
}
