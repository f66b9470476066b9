import { describe, expect, test } from 'vitest'
import { startProgram, type FilterProgram } from '../../src/dump/filterProgram.js'
import { chunks } from './dumpText.js'

const MIB = Buffer.alloc(1024 * 1024, 'x')

async function startNode(script: string): Promise<FilterProgram> {
  const program = await startProgram(process.execPath, ['-e', script])
  if (program === undefined) throw new Error('node is not there')
  return program
}

async function outputOf(
  program: FilterProgram,
  input: AsyncIterable<Buffer>,
): Promise<{ output: string; complaint: string | undefined }> {
  const output: Buffer[] = []
  const running = program.run(input)
  for (;;) {
    const step = await running.next()
    if (step.done === true) return { output: Buffer.concat(output).toString(), complaint: step.value }
    output.push(step.value)
  }
}

/** Tells how many bytes were taken from it. */
function counted(input: Buffer): { stream: AsyncIterable<Buffer>; taken: () => number } {
  let taken = 0
  const stream = (async function* () {
    for await (const chunk of chunks(input, 10_000)) {
      taken += chunk.length
      yield chunk
    }
  })()
  return { stream, taken: () => taken }
}

describe('a filter program', () => {
  test('turns input into output', async () => {
    const program = await startNode('process.stdin.pipe(process.stdout)')
    const { output, complaint } = await outputOf(program, chunks(MIB, 10_000))
    expect(output === MIB.toString()).toBe(true)
    expect(complaint).toBeUndefined()
  })

  test('is undefined when it is not installed', async () => {
    expect(await startProgram('no-such-program-anywhere', [])).toBeUndefined()
  })

  test('is an error when it cannot be started', async () => {
    await expect(startProgram(import.meta.dirname, [])).rejects.toThrow('cannot start')
  })

  test('that ends well without reading everything is fed to the end of the input all the same', async () => {
    const program = await startNode('process.stdin.once("data", () => process.exit(0))')
    const { stream, taken } = counted(MIB)
    expect(await outputOf(program, stream)).toEqual({ output: '', complaint: undefined })
    expect(taken()).toBe(MIB.length)
  })

  test('that fails gives what it wrote before and its complaint', async () => {
    const program = await startNode(
      'process.stdin.once("data", () => { console.log("begun"); console.error("bad  block\\nhere"); process.exitCode = 2; process.stdin.destroy() })',
    )
    expect(await outputOf(program, chunks(MIB, 10_000))).toEqual({
      output: 'begun\n',
      complaint: 'bad block here',
    })
  })

  test.each([
    ['process.exit(3)', 'ended with status 3'],
    ['process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)', 'ended with SIGTERM'],
  ])('that fails in silence (%s) is told by its end', async (script, complaint) => {
    const program = await startNode(script)
    expect(await outputOf(program, chunks(MIB, 10_000))).toEqual({ output: '', complaint })
  })

  test('passes on what the input throws', async () => {
    const program = await startNode('process.stdin.pipe(process.stdout)')
    const input = (async function* () {
      yield* chunks(Buffer.from('abc'), 1)
      throw new Error('the disk is gone')
    })()
    await expect(outputOf(program, input)).rejects.toThrow('the disk is gone')
  })

  test('is ended when its output is not wanted any more', async () => {
    const program = await startNode('process.on("SIGPIPE", () => {}); process.stdin.pipe(process.stdout)')
    const { stream, taken } = counted(Buffer.concat([MIB, MIB, MIB, MIB]))
    for await (const bytes of program.run(stream)) {
      expect(bytes.length).toBeGreaterThan(0)
      break
    }
    expect(taken()).toBeLessThan(4 * MIB.length)
  })
})
