/** Files: their facts and the URLs of their forms (spec 4.11). */
import { FILE } from '../../domain/namespaceIds.js'
import type { Title } from '../../domain/title.js'
import { HttpError } from '../reply/errors.js'
import { fileBodyWithThumbnail, fileView } from '../views/fileBodies.js'
import { ref } from '../openapi/schemas.js'
import { fileTitle } from '../request/params.js'
import { conditionally, json } from '../reply/reply.js'
import { defineRoute, type HttpContext } from '../routing/route.js'

/** Answers a file by its title, with or without a prefix. A title that is a redirect gives the target file. */
export const getFile = defineRoute({
  method: 'GET',
  path: '/file/{title}',
  doc: {
    id: 'getFile',
    tag: 'Files',
    summary: 'Read the facts of a file',
    description: 'Names of redirects lead to their file.',
    answer: { description: 'The file, and where its forms are', schema: ref('FileWithThumbnail') },
    errors: ['rest-nonexistent-title', 'rest-cannot-load-file'],
  },
  params: { title: fileTitle() },
  handler({ params, request, wiki }, { store, pages, config }) {
    const { asked, title } = params.title
    const view = fileView(config, request.baseUrl(), wiki)
    const file = title?.namespace === FILE ? store.findFile(title.dbkey) : undefined
    if (file === undefined || !view.urls.canShow(file.facts)) {
      throw new HttpError(isPage(title, pages) ? 'rest-cannot-load-file' : 'rest-nonexistent-title', [asked])
    }
    const { dbkey, facts } = file
    const validators = { etag: `"${facts.sha1}"`, lastModified: facts.timestamp }
    return conditionally(request.conditions, validators, () =>
      json(fileBodyWithThumbnail(dbkey, facts, view), validators),
    )
  },
})

function isPage(title: Title | undefined, pages: HttpContext['pages']): boolean {
  return title !== undefined && pages.find(title) !== undefined
}
