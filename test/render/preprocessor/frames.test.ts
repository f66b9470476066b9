import { describe, expect, test } from 'vitest'
import { NO_VALUES, type Frame } from '../../../src/render/preprocessor/frame.js'
import type { ModuleCall, ModuleRuntime } from '../../../src/render/preprocessor/preprocessor.js'
import { expandOn } from './memoryWiki.js'

const PAGES = {
  'Module:Sums': 'return {}',
  'Template:Greet': 'Hello, {{{1|stranger}}}{{{mark|!}}}',
  'Template:Call': '{{#invoke:Sums|f|own|{{{1}}}|x= y }}',
}

/** All modules do the same. */
function modulesThat(run: (call: ModuleCall) => string): ModuleRuntime {
  return { open: () => ({ call: (call) => ({ text: run(call) }) }) }
}

/** What a module sees and does when it is called by a text. */
function seenBy<T>(text: string, see: (frame: Frame) => T): T {
  const seen: T[] = []
  const modules = modulesThat(({ frame }) => {
    seen.push(see(frame))
    return ''
  })
  expandOn(text, { pages: PAGES, options: { modules } })
  const [first] = seen
  if (first === undefined) throw new Error('the module was not called')
  return first
}

function inFrame(see: (frame: Frame) => string | undefined): string | undefined {
  return seenBy('{{#invoke:Sums|f|a|x= b }}', (frame) => ({ value: see(frame) })).value
}

describe('a module', () => {
  test('is called with its title, the name of a function, and a frame with the arguments', () => {
    const calls: unknown[] = []
    const { wikitext } = expandOn('{{#invoke: Sums | add | 1 | x = 2 |3}}', {
      pages: PAGES,
      options: {
        modules: modulesThat(({ title, functionName, frame }) => {
          const args = frame.argumentNames().map((name) => [name, frame.getArgument(name)])
          calls.push({ title, functionName, args })
          return '[sum {{lc:X}}]'
        }),
      },
    })
    expect(calls).toEqual([
      {
        title: { namespace: 828, dbkey: 'Sums' },
        functionName: 'add',
        args: [
          ['1', ' 1 '],
          ['x', '2'],
          ['2', '3'],
        ],
      },
    ])
    expect(wikitext).toBe('[sum &#123;&#123;lc:X}}]')
  })

  test('puts a newline before a list that it makes', () => {
    const options = { modules: modulesThat(() => '* list') }
    expect(expandOn('x{{#invoke:Sums|f}}', { pages: PAGES, options }).wikitext).toBe('x\n* list')
  })

  test('is named by an error where modules do not run', () => {
    const { wikitext, categories } = expandOn('{{#invoke:Sums|f}}', { pages: PAGES })
    expect(wikitext).toBe(
      '<strong class="error"><span class="scribunto-error" id="mw-scribunto-error-0">Script error: Modules do not run here: Module:Sums.</span></strong>',
    )
    expect(categories).toEqual(['Pages with script errors'])
  })
})

describe('a frame', () => {
  test('knows the frame that called, with its arguments', () => {
    const parent = seenBy('{{Call| z }}', (frame) => [
      frame.getArgument('2'),
      frame.parent?.title.dbkey,
      frame.parent?.getArgument('1'),
      frame.parent?.parent?.title.dbkey,
    ])
    expect(parent).toEqual([' z ', 'Call', ' z ', 'Sample_page'])
  })

  test('expands a text with its own arguments', () => {
    expect(inFrame((frame) => frame.preprocess('{{{1}}} {{{x}}} {{{y|-}}} {{lc:ABC}}'))).toBe('a b - abc')
    expect(inFrame((frame) => frame.preprocess('{{No such template}}'))).toBe(
      '[[:Template:No such template]]',
    )
    expect(inFrame((frame) => frame.preprocess('<noinclude>a</noinclude><includeonly>b</includeonly>'))).toBe(
      'b',
    )
  })

  test('puts a template in, whose arguments are not expanded', () => {
    const values = new Map([
      ['1', ' {{lc:A}} '],
      ['mark', ' ? '],
    ])
    expect(inFrame((frame) => frame.expandTemplate('Greet', values))).toBe('Hello,  {{lc:A}} ?')
    expect(inFrame((frame) => frame.expandTemplate('Template:Greet', NO_VALUES))).toBe('Hello, stranger!')
    expect(inFrame((frame) => frame.expandTemplate('Nowhere', NO_VALUES))).toBeUndefined()
    expect(inFrame((frame) => frame.expandTemplate('[[bad', NO_VALUES))).toBeUndefined()
    expect(inFrame((frame) => frame.expandTemplate(':Module:Sums', NO_VALUES))).toContain(
      'Template loop detected',
    )
  })

  test('calls a parser function with finished texts', () => {
    expect(inFrame((frame) => frame.callParserFunction('lc', ['ABC'], NO_VALUES))).toBe('abc')
    expect(inFrame((frame) => frame.callParserFunction('#if', ['', 'yes', 'no'], NO_VALUES))).toBe('no')
    expect(inFrame((frame) => frame.callParserFunction('padleft', ['7', '3', '0'], NO_VALUES))).toBe('007')
    expect(inFrame((frame) => frame.callParserFunction('PAGENAME', ['Talk:Foo bar'], NO_VALUES))).toBe(
      'Foo bar',
    )
    expect(
      inFrame((frame) =>
        frame.callParserFunction(
          '#switch',
          ['b'],
          new Map([
            ['a', '1'],
            ['b', '{{2}}'],
          ]),
        ),
      ),
    ).toBe('{{2}}')
    expect(inFrame((frame) => frame.callParserFunction('nosuchfunction', ['x'], NO_VALUES))).toBeUndefined()
  })

  test('makes extension tags that stand as markers', () => {
    expect(inFrame((frame) => frame.extensionTag('ref', 'a', new Map([['name', 'b']])))).toMatch(
      /^\x7f'"`UNIQ--ref-[0-9A-F]{8}-QINU`"'\x7f$/,
    )
    expect(inFrame((frame) => frame.extensionTag('nosuchtag', 'x', NO_VALUES))).toBe(
      '<nosuchtag>x</nosuchtag>',
    )
    const options = {
      modules: modulesThat(({ frame }) => frame.extensionTag('ref', '{{x}}', new Map([['name', 'b"']]))),
    }
    expect(expandOn('{{#invoke:Sums|f}}', { pages: PAGES, options }).wikitext).toBe(
      '<ref name="b&quot;">{{x}}</ref>',
    )
  })

  test('has children with other arguments', () => {
    const child = (see: (frame: Frame) => string | undefined): string | undefined =>
      inFrame((frame) =>
        see(
          frame.newChild(
            undefined,
            new Map([
              ['1', 'x'],
              ['a', ' b '],
            ]),
          ),
        ),
      )
    expect(child((frame) => frame.preprocess('{{{1}}}/{{{a}}}/{{{z|-}}}'))).toBe('x/b/-')
    expect(child((frame) => frame.title.dbkey)).toBe('Sums')
    expect(child((frame) => frame.parent?.getArgument('x'))).toBe('b')
    const titled = inFrame((frame) => frame.newChild({ namespace: 0, dbkey: 'Foo' }, NO_VALUES).title.dbkey)
    expect(titled).toBe('Foo')
  })
})
