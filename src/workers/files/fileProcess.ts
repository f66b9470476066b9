/**
 * A process that opens files, which may be hostile. Decoders are native code. If a file makes one crash or run for
 * ever, only this process is lost. It does one task at a time.
 */
import { setPriority } from 'node:os'
import sharp from 'sharp'
import { firstLine, inspectFile } from '../../files/inspect.js'
import { makeThumbnail } from '../../files/makeThumbnail.js'
import { type FileAnswer, type FileRequest, OUT_OF_MEMORY } from './fileTasks.js'

const maxMemoryBytes = Number(process.argv[2])
const MEMORY_CHECK_MS = 50
/** Lower priority than the server's own work. */
const NICENESS = 10

sharp.cache(false)
sharp.concurrency(1)
setPriority(NICENESS)

// Decoders run in other threads, so this timer always gets its turn.
setInterval(() => {
  if (process.memoryUsage.rss() > maxMemoryBytes) process.exit(OUT_OF_MEMORY)
}, MEMORY_CHECK_MS).unref()

process.on('message', (request: FileRequest) => {
  answer(request).then(
    (reply) => process.send?.(reply),
    (error: unknown) => {
      throw error
    },
  )
})
// The parent process is gone. An orderly exit would wait for the decoder.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

async function answer(request: FileRequest): Promise<FileAnswer> {
  try {
    return { output: await perform(request) }
  } catch (error) {
    // Clients must not learn the path of the file.
    return { failure: firstLine(error).replaceAll(request.input.path, 'the file') }
  }
}

function perform(request: FileRequest): Promise<unknown> {
  switch (request.name) {
    case 'inspect':
      return inspectFile(request.input.path, request.input.name)
    case 'thumbnail':
      return makeThumbnail(request.input)
  }
}
