/** A file above its description: the picture, its facts, and the original. */
import type { Title } from '../../domain/title.js'
import type { Html } from '../../reader/html.js'
import { fileView as fileParts } from '../../reader/article/file.js'
import type { HttpContext } from '../routing/route.js'
import { fileBody, fileView } from '../views/fileBodies.js'
import type { Visit } from './visit.js'

/** Undefined if there is no such file, or only its name is known. Addresses are paths, so that they suit any host. */
export function fileAbove(
  { dbkey }: Title,
  { wiki }: Visit,
  { store, config }: HttpContext,
): Html | undefined {
  const view = fileView(config, config.publicUrl || config.basePath, wiki)
  const file = store.findFile(dbkey)
  if (file === undefined || !view.urls.canShow(file.facts)) return undefined
  const { preferred, original, latest } = fileBody(file.dbkey, file.facts, view)
  return fileParts({
    name: file.dbkey.replaceAll('_', ' '),
    mimeType: file.facts.mimeType,
    sizeBytes: file.facts.sizeBytes,
    picture: preferred,
    original,
    uploader: latest.user?.name,
    time: file.facts.timestamp,
  })
}
