/** What HTML depends on beside the revision and the pages that it uses. */
import { createHash } from 'node:crypto'
import type { Site } from '../domain/site.js'
import { HTML_VERSION } from './parsoid/engine.js'

/**
 * Rises whenever the same wikitext gives other HTML than before, which stores keep. test/render/rendererVersion.test.ts
 * tells when that is.
 */
export const RENDERER_VERSION = 6

/**
 * 8 bytes, equal wherever the same wikitext gives the same HTML. `engineVersion` is that of the package, `settings`
 * those of the server that show in HTML.
 */
export function renderingConfiguration(site: Site, engineVersion: string, settings: object): Buffer {
  const { name, wikiId, language, base, case: titleCase, namespaces, interwiki } = site
  const shown = { name, wikiId, language, base, titleCase, namespaces, interwiki }
  const inputs = JSON.stringify([RENDERER_VERSION, HTML_VERSION, engineVersion, settings, shown])
  return createHash('sha256').update(inputs).digest().subarray(0, 8)
}
