/** Forms that readers send: their fields, and where they may come from. */
import { EDIT_FIELDS } from '../../../reader/views/edit.js'
import { LOGIN_FIELDS } from '../../../reader/views/account.js'
import type { Reply } from '../../reply/reply.js'
import type { HttpContext } from '../../routing/route.js'
import type { Visit } from '../visit.js'

export const FORM_FIELDS = [...EDIT_FIELDS, ...LOGIN_FIELDS] as const
/** The fields that a form has. */
export type FormFields = Readonly<Partial<Record<(typeof FORM_FIELDS)[number], string>>>

/** Answers a form of a page of this server. Its token is still to be checked. */
export type FormHandler = (visit: Visit, fields: FormFields, context: HttpContext) => Reply | Promise<Reply>
