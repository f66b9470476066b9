import type { RenderSettings } from './renderTasks.js'

/** A server's settings, as its configuration has them. */
export interface ServerSettings extends Omit<RenderSettings, 'baseUrl'> {
  readonly publicUrl: string
  readonly basePath: string
}

/**
 * Settings of rendering. Stored HTML contains file URLs, so these cannot depend on the host name that a client uses.
 */
export function renderSettings(config: ServerSettings): RenderSettings {
  const { mediaUrl, remoteFileUrl, remoteThumbnailUrl, wikiFileUrl, wikiThumbnailUrl } = config
  const { fileDescriptionUrl, maxImagePixels } = config
  // Our own HTML does not depend on other HTML.
  const html = config.html === 'none' ? 'none' : 'here'
  const { lua, luaTimeMs, luaMemoryBytes } = config
  const baseUrl = config.publicUrl === '' ? config.basePath : config.publicUrl
  return {
    ...{ mediaUrl, remoteFileUrl, remoteThumbnailUrl, wikiFileUrl, wikiThumbnailUrl },
    ...{ fileDescriptionUrl, html, maxImagePixels, baseUrl },
    ...{ lua, luaTimeMs, luaMemoryBytes },
  }
}
