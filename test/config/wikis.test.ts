import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import {
  addSettings,
  type GivenFlags,
  givenFlags,
  readSettings,
  SettingError,
} from '../../src/config/config.js'
import { opening, wikisOf } from '../../src/config/wikis.js'

const WIKI = 'en=/data/en,wiki.example=/data/b'
const wikis = (flags: GivenFlags) => wikisOf(readSettings(flags, {}))

describe('a server', () => {
  test('has the wiki of its data folder, with its settings as they are', () => {
    const config = readSettings({ dataDir: 'x' }, {})
    const [only, ...others] = wikisOf(config)
    expect([only, others]).toEqual([{ name: '', root: '', config }, []])
    expect(only!.config).toBe(config)
  })

  test('has several wikis below their names, and at their hosts', () => {
    expect(wikis({ wiki: WIKI })).toMatchObject([
      { name: 'en', root: '/en', config: { dataDir: '/data/en', basePath: '/en', publicUrl: '' } },
      { name: 'wiki.example', root: '', config: { dataDir: '/data/b', basePath: '', publicUrl: '' } },
    ])
  })

  test('puts base path and public URL in their places', () => {
    const flags = { wiki: WIKI, basePath: '/w/rest.php', publicUrl: 'https://all.example:444/w/rest.php' }
    expect(wikis(flags)).toMatchObject([
      { config: { basePath: '/en/w/rest.php', publicUrl: 'https://all.example:444/en/w/rest.php' } },
      { config: { basePath: '/w/rest.php', publicUrl: 'https://wiki.example:444/w/rest.php' } },
    ])
    expect(wikis({ wiki: WIKI, publicUrl: 'http://all.example' })).toMatchObject([
      { config: { publicUrl: 'http://all.example/en' } },
      { config: { publicUrl: 'http://wiki.example' } },
    ])
  })

  test('takes wikis from repeated flags, and as a list from the environment', () => {
    const command = addSettings(new Command(), 'serve')
    command.parse(['--wiki', 'en=/data/en', '--wiki', 'wiki.example=/data/b'], { from: 'user' })
    const expected = [
      { name: 'en', dataDir: '/data/en' },
      { name: 'wiki.example', dataDir: '/data/b' },
    ]
    expect(readSettings(givenFlags(command), {}).wiki).toEqual(expected)
    expect(readSettings({}, { PALIMPSEST_WIKI: WIKI }).wiki).toEqual(expected)
  })

  test.each([
    ['a path of the server itself', { wiki: 'metrics=/a' }, 'wiki: the server itself uses the path /metrics'],
    ['the base path', { wiki: 'w=/a', basePath: '/w/rest.php' }, 'wiki: the server itself uses the path /w'],
    ['a folder twice', { wiki: 'a=/x,b=/x/' }, 'wiki: two wikis have the folder /x'],
    ['a shared log', { wiki: WIKI, log: 'postgres://u@h/d' }, 'log: --log does not go with --wiki'],
    [
      'a secret of a cluster',
      { wiki: WIKI, clusterTokenFile: 'f' },
      'clusterTokenFile: --cluster-token-file',
    ],
    ['nodes of a cluster', { wiki: WIKI, peers: 'http://a' }, 'peers: --peers does not go with --wiki'],
    ['a lag of a node', { wiki: WIKI, maxLogLagMs: '1' }, 'maxLogLagMs: --max-log-lag-ms'],
    ['one address of files', { wiki: WIKI, mediaUrl: 'http://a' }, 'mediaUrl: --media-url does not go'],
  ])('does not start with %s', (_case, flags, message) => {
    expect(() => wikis(flags)).toThrow(SettingError)
    expect(() => wikis(flags)).toThrow(message)
  })
})

test('errors for operators name the wiki, where there are several', async () => {
  const failing = (): never => {
    throw new SettingError('no good')
  }
  await expect(opening({ name: 'en' }, failing)).rejects.toThrow(/^wiki en: no good$/)
  await expect(opening({ name: '' }, failing)).rejects.toThrow(/^no good$/)
})
