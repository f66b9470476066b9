/** `action=move`: gives a page another title, and its talk page and subpages with it. */
import { TALK } from '../../../domain/namespaceIds.js'
import { prefixedText, type Title } from '../../../domain/title.js'
import type { Identity } from '../../../auth/identities.js'
import { movePage } from '../../../wiki/moving.js'
import { type ActionCall, defineAction } from '../frame/call.js'
import { flag, integer, requiredText, secret, text, type Values } from '../frame/declaration.js'
import { ActionError } from '../frame/problems.js'
import type { Fields } from '../frame/values.js'
import { localTitle, missingTitle, refusing, requireWriter, titleOf } from './writing.js'

const parameters = {
  from: text('the page'),
  fromid: integer('its id'),
  to: requiredText('the new title'),
  reason: text('why'),
  movetalk: flag('the talk page, too, if there is one'),
  movesubpages: flag('pages below it, too: a hundred at most'),
  noredirect: flag('leave no redirect; without the right `suppressredirect` it has no effect'),
  watchlist: text('without effect'),
  watchlistexpiry: text('without effect'),
  ignorewarnings: flag('without effect'),
  tags: text('without effect'),
  token: secret('token of the type `csrf`'),
}
type MoveValues = Values<typeof parameters>

export const move = defineAction({
  name: 'move',
  summary: 'Move a page',
  mustBePosted: true,
  needsToken: 'csrf',
  parameters,
  run: (call, values) => refusing(async () => ({ move: await run(call, values) })),
})

/** A move of one page in a request. */
interface Step {
  readonly from: Title
  readonly to: Title
}

async function run(call: ActionCall, values: MoveValues): Promise<Fields> {
  const step = { from: sourceOf(call, values), to: targetOf(call, values.to) }
  const identity = await requireMover(call)
  const move = (each: Step): ReturnType<typeof movePage> =>
    movePage(call.context, {
      ...each,
      reason: values.reason ?? '',
      leavesRedirect: !values.noredirect,
      identity,
    })
  const { hasRedirect, isOverRedirect } = await move(step)
  const name = nameIn(call)
  return {
    from: name(step.from),
    to: name(step.to),
    reason: values.reason ?? '',
    redirectcreated: hasRedirect,
    moveoverredirect: isOverRedirect,
    ...(values.movetalk && (await moveTalk(step, move, call))),
    ...(values.movesubpages && { subpages: await moveSubpages(step, move, call) }),
  }
}

const nameIn =
  ({ wiki }: ActionCall) =>
  (title: Title): string =>
    prefixedText(title, wiki.namespaces)

/** Special pages do not exist. */
function sourceOf(call: ActionCall, { from, fromid }: MoveValues): Title {
  try {
    return titleOf(call, from, fromid, ['from', 'fromid'])
  } catch (error) {
    throw error instanceof ActionError && error.code === 'pagecannotexist' ? missingTitle() : error
  }
}

function targetOf(call: ActionCall, to: string): Title {
  const title = localTitle(call, to)
  if (title.namespace >= 0) return title
  const name = call.wiki.namespaces.nameOf(title.namespace) ?? ''
  throw new ActionError('immobile-target-namespace', `Cannot move pages into namespace "${name}".`)
}

async function requireMover(call: ActionCall): Promise<Identity> {
  const identity = await requireWriter(call)
  if (identity.rights.has('move')) return identity
  const login = 'You must be a registered user and [[Special:UserLogin|logged in]] to move a page.'
  throw identity.anonymous
    ? new ActionError('cantmove-anon', login)
    : new ActionError('cantmove', 'You do not have permission to move pages.')
}

type MoveStep = (step: Step) => ReturnType<typeof movePage>

/** Of a page that has one, between namespaces that have them. */
async function moveTalk({ from, to }: Step, move: MoveStep, call: ActionCall): Promise<Fields> {
  const step = { from: talkOf(from, call), to: talkOf(to, call) }
  const { store } = call.context
  if (step.from === undefined || step.to === undefined) return {}
  if (store.getPage(step.from.namespace, step.from.dbkey) === undefined) return {}
  const name = nameIn(call)
  const talk = { from: step.from, to: step.to }
  try {
    const { isOverRedirect } = await refusing(() => move(talk))
    return { talkfrom: name(talk.from), talkto: name(talk.to), talkmoveoverredirect: isOverRedirect }
  } catch (error) {
    return { 'talkmove-errors': [errorOf(error, talk, call)] }
  }
}

export function talkOf({ namespace, dbkey }: Title, { wiki }: Pick<ActionCall, 'wiki'>): Title | undefined {
  const isSubject = namespace % 2 === 0
  const talk = namespace + TALK
  return isSubject && wiki.namespaces.byId(talk) !== undefined ? { namespace: talk, dbkey } : undefined
}

/** Rethrows what is no refusal. */
function errorOf(error: unknown, { to }: Step, call: ActionCall): Fields {
  if (!(error instanceof ActionError)) throw error
  const { code } = error
  return { message: code, params: [nameIn(call)(to)], code, type: 'error' }
}

const MAX_SUBPAGES = 100

async function moveSubpages({ from, to }: Step, move: MoveStep, call: ActionCall): Promise<Fields[]> {
  const { store } = call.context
  const range = { from: undefined, to: undefined, prefix: `${from.dbkey}/`, isReverse: false }
  const dbkeys: string[] = []
  for (const dbkey of store.lists.walkTitles(from.namespace, range)) {
    if (dbkeys.length === MAX_SUBPAGES) break
    dbkeys.push(dbkey)
  }
  const moved: Fields[] = []
  for (const dbkey of dbkeys) {
    const step = {
      from: { namespace: from.namespace, dbkey },
      to: { namespace: to.namespace, dbkey: to.dbkey + dbkey.slice(from.dbkey.length) },
    }
    const names = { from: nameIn(call)(step.from) }
    try {
      await refusing(() => move(step))
      moved.push({ ...names, to: nameIn(call)(step.to) })
    } catch (error) {
      moved.push({ ...names, errors: [errorOf(error, step, call)] })
    }
  }
  return moved
}
