import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import {
  addSettings,
  flagName,
  givenFlags,
  isExpert,
  readSettings,
  SettingError,
  settingsOf,
  threadCounts,
  variableName,
  processMemory,
} from '../../src/config/config.js'
import { configurationMarkdown } from '../docs/configDocs.js'
import { settingNames, SETTINGS } from '../../src/config/settings.js'
import { usableMemory } from '../../src/runtime/memory.js'

const MIB = 2 ** 20
const GIB = 2 ** 30

describe('a setting', () => {
  test('has its default where nothing is given', () => {
    const settings = readSettings({}, {})
    expect(settings).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      html: 'here',
      trustedProxies: [],
      basePath: '',
    })
  })

  test('comes from the flag, else from the environment, else from the table', () => {
    const environment = { PALIMPSEST_PORT: '81', PALIMPSEST_HOST: '0.0.0.0' }
    expect(readSettings({ port: '82' }, environment)).toMatchObject({
      port: 82,
      host: '0.0.0.0',
      logLevel: 'info',
    })
  })

  test('is named alike as flag and variable', () => {
    expect([flagName('drainTimeoutMs'), variableName('drainTimeoutMs')]).toEqual([
      '--drain-timeout-ms',
      'PALIMPSEST_DRAIN_TIMEOUT_MS',
    ])
    expect([flagName('diff'), variableName('diff')]).toEqual(['--no-diff', 'PALIMPSEST_DIFF'])
  })

  test.each([
    ['a slash at the end of a base path', { basePath: '/w/rest.php/' }, { basePath: '/w/rest.php' }],
    [
      'a slash at the end of a URL',
      { publicUrl: 'https://wiki.example/rest.php/' },
      { publicUrl: 'https://wiki.example/rest.php' },
    ],
    ['a URL without a path', { publicUrl: 'http://wiki.example:80' }, { publicUrl: 'http://wiki.example' }],
    ['lists', { trustedProxies: '10.0.0.0/8, ::1' }, { trustedProxies: ['10.0.0.0/8', '::1'] }],
    ['an empty list', { trustedProxies: '' }, { trustedProxies: [] }],
    ['a number of processes', { processes: '3' }, { processes: 3 }],
    ['memory in bytes', { memory: '1073741824' }, { memory: 2 ** 30 }],
    ['memory in units', { memory: '1.5GiB' }, { memory: 1.5 * 2 ** 30 }],
    ['memory in short units', { memory: '512m' }, { memory: 2 ** 29 }],
    ['memory of the machine', { memory: 'auto' }, { memory: 'auto' }],
    ['as many processes as fit', { processes: 'auto' }, { processes: 'auto' }],
    ['switches', { diff: false, allowCrossOrigin: true }, { diff: false, allowCrossOrigin: true }],
    ['a choice that is switched off', { html: false }, { html: 'none' }],
    ['a choice', { html: 'upstream' }, { html: 'upstream' }],
    ['no wikis', { wiki: '' }, { wiki: [] }],
    [
      'wikis',
      { wiki: 'en=/data/en, Wiki.Example=/data/b=c' },
      {
        wiki: [
          { name: 'en', dataDir: '/data/en' },
          { name: 'wiki.example', dataDir: '/data/b=c' },
        ],
      },
    ],
  ])('is understood with %s', (_case, flags, expected) => {
    expect(readSettings(flags, {})).toMatchObject(expected)
  })

  test.each([
    ['processes', '0'],
    ['memory', '63MiB'],
    ['memory', '2MB'],
    ['memory', '-1G'],
    ['memory', 'all'],
    ['memory', '4000T'],
    ['wiki', 'en'],
    ['wiki', 'en='],
    ['wiki', '=/data'],
    ['wiki', 'a/b=/data'],
    ['wiki', 'a b=/data'],
    ['wiki', 'a..b=/data'],
    ['wiki', 'en=/a,en=/b'],
    ['wiki', 'Wiki.example=/a,wiki.Example=/b'],
    ['wiki', 'en=/a,'],
    ['processes', 'many'],
    ['port', '65536'],
    ['port', '8o'],
    ['port', '-1'],
    ['port', ''],
    ['taskTimeoutMs', '0'],
    ['host', ''],
    ['html', 'yes'],
    ['logLevel', 'loud'],
    ['upstreamContact', 'a(b)'],
    ['upstreamContact', 'a\nb: c'],
    ['basePath', 'rest.php'],
    ['basePath', '/a b'],
    ['publicUrl', 'wiki.example'],
    ['publicUrl', 'ftp://wiki.example'],
    ['publicUrl', 'https://wiki.example/?a=b'],
    ['remoteFileUrl', 'https://upload.example/'],
    ['remoteFileUrl', 'https://upload.example/{title}'],
    ['remoteFileUrl', 'https://upload.example/{name}" onload="x'],
    ['remoteFileUrl', 'javascript://x/{name}'],
    ['remoteFileUrl', 'https://{name}'],
    ['trustedProxies', '10.0.0.0/33'],
    ['trustedProxies', 'proxy.example'],
    ['trustedProxies', '10.0.0.1/8/8'],
  ] as const)('%s refuses "%s", and the message names both', (name, value) => {
    const variable = variableName(name)
    expect(() => readSettings({}, { [variable]: value })).toThrow(SettingError)
    expect(() => readSettings({}, { [variable]: value })).toThrow(
      `${name}: ${variable} is "${value}", but it must be `,
    )
    expect(() => readSettings({ [name]: value }, {})).toThrow(`${name}: ${flagName(name)} is "${value}"`)
  })
})

describe('a command', () => {
  const parse = (...args: string[]) => {
    const command = new Command('serve').exitOverride()
    addSettings(command, 'serve').parse(args, { from: 'user' })
    return givenFlags(command)
  }

  test('gives only what stood on the command line', () => {
    expect(parse()).toEqual({})
    expect(parse('--port', '81', '--no-html', '--allow-cross-origin')).toEqual({
      port: '81',
      html: false,
      allowCrossOrigin: true,
    })
  })

  test('takes only the settings that belong to it', () => {
    expect(settingsOf('stats')).toEqual(['dataDir'])
    expect(settingsOf('import')).not.toContain('port')
    expect(settingsOf('serve')).toEqual(expect.arrayContaining(['dataDir', 'port', 'logLevel']))
  })

  test('explains its settings in its help, but for the expert ones', () => {
    const help = addSettings(new Command('serve'), 'serve').helpInformation()
    const explained = settingsOf('serve').filter((name) => help.includes(`  ${flagName(name)}`))
    expect(explained).toEqual(settingsOf('serve').filter((name) => !isExpert(name)))
  })

  test('refuses a setting of an earlier version, and says what holds instead', () => {
    const said = '--session-days is no setting any more: a login lasts 30 days. Remove it'
    expect(() => readSettings(parse('--session-days', '7'), {})).toThrow(new SettingError(said))
    const variable = { PALIMPSEST_THUMBNAIL_PROCESSES: '2' }
    expect(() => readSettings({}, variable)).toThrow(
      'PALIMPSEST_THUMBNAIL_PROCESSES is no setting any more: each',
    )
  })
})

test('people find at most 50 settings in help and docs before the expert ones', () => {
  expect(settingNames().filter((name) => !isExpert(name)).length).toBeLessThanOrEqual(50)
})

test('the documentation names every setting', () => {
  for (const name of settingNames()) {
    expect(configurationMarkdown()).toContain(`| \`${flagName(name)}\` |`)
  }
})

describe('threads of a server process', () => {
  const counts = (processors: number, flags: Record<string, string>) =>
    threadCounts(readSettings(flags, {}), processors)

  test.each([
    [1, '1', { compute: 1, render: 1 }],
    [16, '1', { compute: 4, render: 8 }],
    [16, '2', { compute: 2, render: 4 }],
    [16, '12', { compute: 1, render: 1 }],
    [16, 'auto', { compute: 1, render: 1 }],
  ])('are its share of %i processors where there are %s processes', (processors, processes, expected) => {
    expect(counts(processors, { processes })).toEqual(expected)
  })

  test('are as many as the settings say', () => {
    const flags = { processes: '12', memory: '64MiB', computeThreads: '3', renderThreads: '5' }
    expect(counts(16, flags)).toEqual({ compute: 3, render: 5 })
  })

  test.each([
    ['usual', '1', 8],
    ['64MiB', '1', 1],
    ['1GiB', '1', 1],
    ['2GiB', '1', 3],
    ['8GiB', '1', 8],
    ['8GiB', '4', 2],
    ['2GiB', '4', 1],
  ])('for HTML fit into %s of memory and %s processes', (memory, processes, render) => {
    expect(counts(16, { memory, processes })).toMatchObject({ render })
  })
})

describe('the memory of a server', () => {
  const shares = (flags: Record<string, string>, environment: Record<string, string> = {}): number[] => {
    const config = readSettings(flags, environment)
    const { hotAnswersBytes, comparisonsBytes, slowAnswersBytes, luaMemoryBytes } = config
    return [hotAnswersBytes, comparisonsBytes, slowAnswersBytes, luaMemoryBytes].map((bytes) => bytes / MIB)
  }

  test.each([
    ['usual', '1', [128, 32, 256, 50]],
    ['usual', '8', [128, 32, 256, 50]],
    ['1GiB', '1', [128, 32, 256, 50]],
    ['4GiB', '4', [128, 32, 256, 50]],
    ['4GiB', '1', [512, 128, 1024, 50]],
    ['256MiB', '1', [32, 8, 64, 16]],
    ['64MiB', '8', [1, 0.25, 2, 1]],
  ])(
    'gives ready answers, comparisons, slow clients and modules their shares of %s in %s processes',
    (memory, processes, expected) => {
      expect(shares({ memory, processes })).toEqual(expected)
    },
  )

  test('leaves what a setting says itself, as a flag or as a variable', () => {
    const environment = { PALIMPSEST_MEMORY: '4GiB', PALIMPSEST_COMPARISONS_BYTES: '1048576' }
    expect(shares({ hotAnswersBytes: '0' }, environment)).toEqual([0, 1, 1024, 50])
  })

  test('is by default what the table names', () => {
    const usual = readSettings({}, {})
    for (const name of ['hotAnswersBytes', 'comparisonsBytes', 'slowAnswersBytes', 'luaMemoryBytes'] as const)
      expect([name, usual[name]]).toEqual([name, SETTINGS[name].default])
  })

  test('is by auto half of what the machine or its control group has', () => {
    expect(processMemory('auto', 2, () => 8 * GIB)).toBe(2 * GIB)
    expect(processMemory('auto', 1)).toBe(Math.floor(usableMemory() / 2))
  })
})
