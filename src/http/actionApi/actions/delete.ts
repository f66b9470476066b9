/** `action=delete`, which takes a page away, and `action=undelete`, which brings it back. */
import { prefixedText } from '../../../domain/title.js'
import { deletePage, undeletePage } from '../../../wiki/deleting.js'
import { defineAction } from '../frame/call.js'
import { flag, integer, requiredText, secret, text } from '../frame/declaration.js'
import { ActionError } from '../frame/problems.js'
import { talkOf } from './move.js'
import { refusing, requireWriter, titleOf } from './writing.js'

export const remove = defineAction({
  name: 'delete',
  summary: 'Delete a page',
  mustBePosted: true,
  needsToken: 'csrf',
  parameters: {
    title: text('the page'),
    pageid: integer('its id'),
    reason: text('why; without it, the server quotes the page'),
    deletetalk: flag('the talk page, too'),
    tags: text('without effect'),
    watch: flag('without effect'),
    unwatch: flag('without effect'),
    watchlist: text('without effect'),
    watchlistexpiry: text('without effect'),
    oldimage: text('an error: old versions of files are not kept'),
    token: secret('token of the type `csrf`'),
  },
  run(call, { title: given, pageid, reason: why = '', deletetalk, oldimage }) {
    const title = titleOf(call, given, pageid)
    if (oldimage !== undefined) throw new ActionError('nodeleteablefile', 'No such old version of the file.')
    return refusing(async () => {
      const identity = await requireWriter(call, 'delete')
      const { context, wiki, warnings } = call
      const { reason, logId } = await deletePage(context, { title, reason: why, identity })
      const talk = deletetalk ? talkOf(title, call) : undefined
      if (talk !== undefined) {
        const hasTalk = context.store.getPage(talk.namespace, talk.dbkey) !== undefined
        if (hasTalk) await deletePage(context, { title: talk, reason, identity })
        else warnings.add('delete', 'delete-talk', 'Cannot delete a non-existing associated talk page.')
      }
      return { delete: { title: prefixedText(title, wiki.namespaces), reason, logid: logId } }
    })
  },
})

export const undelete = defineAction({
  name: 'undelete',
  summary: 'Restore a deleted page',
  mustBePosted: true,
  needsToken: 'csrf',
  parameters: {
    title: requiredText('the title that it had'),
    reason: text('why'),
    tags: text('without effect'),
    timestamps: text('an error: all revisions come back'),
    fileids: text('an error: the file comes back with its page'),
    undeletetalk: flag('the talk page, too'),
    watchlist: text('without effect'),
    watchlistexpiry: text('without effect'),
    token: secret('token of the type `csrf`'),
  },
  run(call, { title: given, reason: why = '', timestamps, fileids, undeletetalk }) {
    const title = titleOf(call, given, undefined)
    if (timestamps !== undefined || fileids !== undefined)
      throw new ActionError('unsupported', 'This server restores whole pages, each with its file.')
    return refusing(async () => {
      const identity = await requireWriter(call, 'undelete')
      const { context, wiki } = call
      const { revisions, files, reason } = await undeletePage(context, { title, reason: why, identity })
      const talk = undeletetalk ? talkOf(title, call) : undefined
      if (talk !== undefined && context.store.deletedUnder(talk).length > 0)
        await undeletePage(context, { title: talk, reason, identity })
      return {
        undelete: { title: prefixedText(title, wiki.namespaces), revisions, fileversions: files, reason },
      }
    })
  },
})
