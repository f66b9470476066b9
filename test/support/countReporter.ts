/** Prints one closing line, `N passed, M failed`, that any continuous-integration system can read. */
import type { Reporter, TestModule, SerializedError } from 'vitest/node'
import { LOADS_UWS } from './loadsUws.js'
import { leftOut, TIER } from './tiers.js'

export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0
    let skipped = 0
    let failed = unhandled.length
    for (const module of modules) {
      failed += module.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        else if (state === 'failed') failed++
        else skipped++
      }
    }
    // The default reporter prints its summary in the same event: wait for it, so that this line stays the last.
    process.once('exit', () => {
      if (TIER === 'fast') process.stdout.write(`${leftOut()}\n`)
      else if (!LOADS_UWS)
        process.stdout.write(
          'Left out: the tests by uWebSockets.js, which has no binary for this Node here.\n',
        )
      process.stdout.write(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`)
    })
  }
}
