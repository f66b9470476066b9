import { defineConfig } from 'vitest/config'

/** Conformance tests that run on `node:http` too: those of sockets, and some of each kind of answer. */
const NODE_HTTP = ['socket', 'closing', 'lifecycle', 'http', 'hostile', 'hostileKeys', 'bodies', 'accessLog']
  .concat(['readLimit', 'conditional', 'media', 'page', 'history', 'edit', 'errors', 'health'])
  .map((name) => `test/conformance/${name}.test.ts`)

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: './test/support/compile.ts',
    reporters: ['default', './test/support/countReporter.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    projects: [
      { extends: true, test: { name: 'all' } },
      { extends: true, test: { name: 'node:http', include: NODE_HTTP, env: { PALIMPSEST_HTTP: 'node' } } },
    ],
  },
})
