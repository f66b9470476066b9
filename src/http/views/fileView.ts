/** Builds the context of file objects for one request. */
import type { Config } from '../../config/config.js'
import { FileUrls } from '../../files/fileUrls.js'
import type { FileView } from './fileBodies.js'
import type { Wiki } from '../request/wiki.js'

/** `baseUrl` is the URL of the API as the client of this request sees it. */
export function fileView(config: Config, baseUrl: string, { namespaces }: Wiki): FileView {
  return { namespaces, urls: new FileUrls(config, baseUrl), maxImagePixels: config.maxImagePixels }
}
