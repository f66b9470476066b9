import type { EventValue } from '../domain/logEvent.js'
import type { Editor } from '../domain/revision.js'
import type { ElementReader, Treatment } from './elements.js'
import { BadValue, parseId, parseTime } from './fields.js'
import { readPhpValue } from './phpValue.js'
import { ContributorReader, isHidden } from './revisionReader.js'
import type { DumpLogItem } from './types.js'
import type { Attributes } from './xmlScanner.js'

/** Limits of MediaWiki's columns, and more. */
const MAX_NAME_LENGTH = 100
const MAX_PARAMS_LENGTH = 65_536
const NAME = /^[A-Za-z0-9_./-]*$/

interface LogItemSink {
  takeItem(item: Omit<DumpLogItem, 'line'>): void
  /** Called for an entry that lacks a required part, or has invalid values; it is left out. */
  refuse(reason: string): void
}

/** Reads the `<logitem>` elements of a dump of log entries one after another. */
export class LogItemReader implements ElementReader {
  readonly endedBy = 'logitem'
  readonly #sink: LogItemSink
  readonly #contributor = new ContributorReader({
    takeEditor: (editor) => (this.#performer = editor),
    refuse: (reason) => (this.#fault ??= reason),
  })
  #fields = new Map<string, string>()
  #performer: Editor | undefined
  #isCommentHidden = false
  #fault: string | undefined

  constructor(sink: LogItemSink) {
    this.#sink = sink
  }

  begin(): this {
    this.#fields = new Map()
    this.#performer = this.#fault = undefined
    this.#isCommentHidden = false
    return this
  }

  open(name: string, attributes: Attributes): Treatment {
    switch (name) {
      case 'id':
      case 'timestamp':
      case 'type':
      case 'action':
      case 'logtitle':
      case 'params':
        if (this.#fields.has(name)) this.#fault ??= `it has two <${name}>`
        return 'field'
      case 'comment':
        this.#isCommentHidden = isHidden(attributes)
        return this.#isCommentHidden ? 'skip' : 'field'
      case 'contributor':
        return isHidden(attributes) ? 'skip' : this.#contributor.begin()
      default:
        return 'skip'
    }
  }

  field(name: string, value: string): void {
    this.#fields.set(name, value)
  }

  spoil(_name: string, reason: string): void {
    this.#fault ??= reason
  }

  breakOff(reason: string): void {
    this.#fault ??= reason
  }

  close(): void {
    try {
      const item = this.#item()
      if (this.#fault === undefined) return this.#sink.takeItem(item)
    } catch (error) {
      if (!(error instanceof BadValue)) throw error
      this.#fault ??= error.message
    }
    this.#sink.refuse(this.#fault)
  }

  #item(): Omit<DumpLogItem, 'line'> {
    return {
      id: parseId(this.#fields.get('id') ?? '', 'its <id>'),
      timestamp: parseTime(this.#fields.get('timestamp') ?? '', 'its <timestamp>'),
      type: this.#name('type'),
      action: this.#name('action'),
      performer: this.#performer,
      // MediaWiki leaves the element out if the comment is empty.
      comment: this.#isCommentHidden ? undefined : (this.#fields.get('comment') ?? ''),
      title: this.#fields.get('logtitle'),
      params: paramsOf(this.#fields.get('params') ?? ''),
    }
  }

  #name(element: string): string {
    const name = (this.#fields.get(element) ?? '').trim()
    if (name.length > MAX_NAME_LENGTH || !NAME.test(name))
      throw new BadValue(`its <${element}> is ${JSON.stringify(name.slice(0, 100))}, expected a short name`)
    return name
  }
}

/** Entries of before 2012 have lines. Longer texts than any wiki writes do not count. */
function paramsOf(text: string): EventValue {
  if (text === '' || text.length > MAX_PARAMS_LENGTH) return []
  return readPhpValue(text) ?? text.split('\n').slice(0, 100)
}
