/** Addresses of files for threads, for tests that do not depend on them. */
import type { RenderSettings } from '../../src/workers/html/renderTasks.js'

export const RENDER_SETTINGS: RenderSettings = {
  baseUrl: 'https://garden.example',
  mediaUrl: '',
  remoteFileUrl: '',
  remoteThumbnailUrl: '',
  wikiFileUrl: '',
  wikiThumbnailUrl: '',
  fileDescriptionUrl: '',
  html: 'here',
  lua: true,
  luaTimeMs: 10_000,
  luaMemoryBytes: 52_428_800,
}
