/** Frames for modules: arguments and expansion. */
import { isInside, includeTemplate } from '../../preprocessor/transclusion.js'
import { LuaError, Values } from '../engine/state.js'
import type { LuaSession } from '../session.js'
import type { HostArguments, HostTable } from './arguments.js'

const INTEGER = /^[1-9][0-9]{0,8}$/
/** Longer texts name nothing, and are not remembered. */
const MAX_TITLE_CHARACTERS = 2048

export const FRAME_FUNCTIONS: HostTable = {
  values: {
    nextCall,
    dataFrame,
    frameTitle: (args, page) => page.nameOf(frameOf(args, page).title),
    argument: (args, page) => frameOf(args, page).getArgument(args.text(2)),
    argumentNames: (args, page) => frameOf(args, page).argumentNames(),
    preprocess: (args, page) => frameOf(args, page).preprocess(args.text(2)),
    expandTemplate,
    callParserFunction,
    extensionTag: (args, page) =>
      frameOf(args, page).extensionTag(args.text(2), args.optionalText(3), args.pairs(4)),
    newChild,
    isSubsting: (_args, page) => page.expander.saving,
  },
}

function frameOf(args: HostArguments, page: LuaSession): ReturnType<LuaSession['frame']> {
  return page.frame(args.number(1))
}

/** Frame, its parent, module and function of the call that begins now. */
function nextCall(_args: HostArguments, page: LuaSession): Values {
  const { pending } = page
  if (pending === undefined) throw new Error('Lua began a call that this program did not request')
  page.pending = undefined
  return new Values(pending.frameId, pending.parentId, pending.name, pending.functionName)
}

/** Modules loaded as data get a frame of the page, without arguments. */
function dataFrame(_args: HostArguments, page: LuaSession): number {
  return page.addFrame(page.expander.pageFrame())
}

function expandTemplate(args: HostArguments, page: LuaSession): string {
  const { expander } = page
  expander.budget.countCall()
  const name = args.text(2)
  const title = name.length > MAX_TITLE_CHARACTERS ? undefined : expander.templates.resolve(name.trim())
  if (title === undefined) throw new LuaError(`expandTemplate: invalid title "${name}"`)
  const template = expander.templates.load(title)
  if (template === undefined) throw new LuaError(`expandTemplate: template "${name}" does not exist`)
  const frame = frameOf(args, page).newChild(template.title, args.pairs(3))
  if (isInside(template.title, frame)) throw new LuaError('expandTemplate: template loop detected')
  return includeTemplate(template, frame, expander)
}

/**
 * Numbered arguments come first, in order; the others follow. The name may contain the first argument after a colon.
 */
function callParserFunction(args: HostArguments, page: LuaSession): string {
  const given = args.pairs(3)
  const numbers = [...given.keys()]
    .filter((key) => INTEGER.test(key))
    .sort((left, right) => Number(left) - Number(right))
  const positional = numbers.map((key) => given.get(key) ?? '')
  const named = new Map([...given].filter(([key]) => !INTEGER.test(key)))
  const written = args.text(2)
  const colon = written.indexOf(':')
  const name = colon < 0 ? written : written.slice(0, colon)
  if (colon >= 0) positional.unshift(written.slice(colon + 1))
  if (positional.length === 0) {
    throw new LuaError(
      'callParserFunction: At least one unnamed parameter (the parameter that comes after the colon in wikitext) must be provided',
    )
  }
  const result = frameOf(args, page).callParserFunction(name, positional, named)
  if (result === undefined) throw new LuaError(`callParserFunction: function "${name}" was not found`)
  return result
}

function newChild(args: HostArguments, page: LuaSession): number {
  const text = args.optionalText(2)
  const title = text === undefined ? undefined : page.expander.titles.parse(text)
  if (text !== undefined && title === undefined) throw new LuaError('newChild: invalid title')
  const values = args.pairs(3)
  const characters = [...values].reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  return page.addFrame(frameOf(args, page).newChild(title, values), characters)
}
