import { expect, test } from 'vitest'
import { startGarden } from './garden.js'

test.each(['', '/w/rest.php'])(
  'with the base path "%s", and no pages for readers, the address of the server leads to the docs',
  async (basePath) => {
    const garden = await startGarden({ basePath, reader: false })
    const { status, headers } = await garden.send('/')
    expect([status, headers['location']]).toEqual([302, `${garden.base}${basePath}/docs`])
    const docs = await garden.send(`${basePath}/docs`)
    expect([docs.status, docs.bytes.toString().startsWith('<!doctype html>')]).toEqual([200, true])
  },
)
