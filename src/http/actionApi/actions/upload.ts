/** `action=upload`: takes a whole file in one request. */
import { formatTimestamp } from '../../../domain/timestamp.js'
import { uploadFile, type UploadWarnings } from '../../../wiki/uploading.js'
import { FILE_PROPERTIES, fileFields, type FileProperty } from '../fileFields.js'
import { type ActionCall, defineAction } from '../frame/call.js'
import { file, flag, integer, secret, text } from '../frame/declaration.js'
import { ActionError, requireOneOf } from '../frame/problems.js'
import { type Fields, Table } from '../frame/values.js'
import { refusing, requireWriter } from './writing.js'

const NOT_SHOWN: readonly FileProperty[] = ['thumbmime', 'archivename', 'uploadwarning', 'badfile']
const SHOWN: ReadonlySet<FileProperty> = new Set(FILE_PROPERTIES.filter((name) => !NOT_SHOWN.includes(name)))
/** All ask for a part of a file, or for one that waits for its second request. */
const PARTS = ['chunk', 'offset', 'filesize', 'stash', 'async', 'checkstatus'] as const

export const upload = defineAction({
  name: 'upload',
  summary: 'Upload a file',
  mustBePosted: true,
  needsToken: 'csrf',
  parameters: {
    filename: text('name of the file'),
    comment: text('why; also the text of the page, if that has none'),
    tags: text('without effect'),
    text: text('the text of the page of a new file'),
    watch: flag('without effect'),
    watchlist: text('without effect'),
    watchlistexpiry: text('without effect'),
    ignorewarnings: flag('upload the file in spite of warnings'),
    file: file('the contents, in a form of the type `multipart/form-data`'),
    url: text('an error: files do not come from addresses'),
    filekey: text('an error: no unfinished uploads are kept'),
    sessionkey: text('an error: no unfinished uploads are kept'),
    stash: flag('an error: no unfinished uploads are kept'),
    filesize: integer('an error: files come whole'),
    offset: integer('an error: files come whole'),
    chunk: file('an error: files come whole'),
    async: flag('an error: files come whole'),
    checkstatus: flag('an error: files come whole'),
    token: secret('token of the type `csrf`'),
  },
  async run(call, values) {
    const { config } = call.context
    if (config.uploadGroup === 'none') throw new ActionError('uploaddisabled', 'Uploads are not enabled.')
    const { file: contents, url, filekey, sessionkey, filename } = values
    if (PARTS.some((name) => values[name] !== undefined && values[name] !== false)) throw noStash()
    requireOneOf({ filekey: filekey ?? sessionkey, file: contents, url })
    if (url !== undefined) throw new ActionError('copyuploaddisabled', 'Upload by URL disabled.')
    if (contents === undefined) throw noStash()
    if (!filename) throw new ActionError('nofilename', 'The "filename" parameter must be set.')
    return refusing(async () => {
      if (call.identity.anonymous)
        throw new ActionError('mustbeloggedin', 'You must be logged in to upload this file.')
      const identity = await requireWriter(call, 'upload')
      const { comment = '', text: whole = comment, ignorewarnings } = values
      const { title, warnings, isDone } = await uploadFile(call.context, {
        filename,
        contents,
        comment,
        text: whole,
        ignoresWarnings: ignorewarnings,
        identity,
      })
      const told = Object.keys(warnings).length > 0 && { warnings: warningFields(warnings) }
      if (!isDone) return { upload: { result: 'Warning', ...told } }
      return { upload: { result: 'Success', filename: title.dbkey, ...told, ...infoOf(title.dbkey, call) } }
    })
  },
})

const noStash = (): ActionError =>
  new ActionError('stashfailed', 'Upload stash failed: send the whole file in one request.')

function warningFields({ nochange, duplicate, ...names }: UploadWarnings): Fields {
  return {
    ...names,
    ...(nochange !== undefined && { nochange: { timestamp: formatTimestamp(nochange) } }),
    ...(duplicate && { duplicate }),
  }
}

/** Nothing if another change has removed the file meanwhile. */
function infoOf(dbkey: string, call: ActionCall): Fields {
  const facts = call.context.store.getFile(dbkey)
  return facts ? { imageinfo: new Table(fileFields({ dbkey, facts }, SHOWN, call)) } : {}
}
