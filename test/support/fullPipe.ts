/** A pipe that is full, since nobody reads it. */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterFile } from './cleanUp.js'
import { temporaryFolder } from './store.js'

const PIECE_BYTES = 4096

export class FullPipe {
  /** For a process that writes to the pipe. */
  readonly writeFd: number
  readonly #fd: number

  constructor() {
    const path = join(temporaryFolder(), 'pipe')
    execFileSync('mkfifo', [path])
    this.#fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
    this.writeFd = openSync(path, 'w')
    afterFile(() => {
      closeSync(this.#fd)
      closeSync(this.writeFd)
    })
    const piece = Buffer.alloc(PIECE_BYTES, 'x')
    while (untilBlocked(() => writeSync(this.#fd, piece)) > 0);
  }

  /** Takes what is in the pipe. */
  read(): string {
    const taken: Buffer[] = []
    const piece = Buffer.alloc(PIECE_BYTES)
    for (let bytes; (bytes = untilBlocked(() => readSync(this.#fd, piece))) > 0;)
      taken.push(Buffer.from(piece.subarray(0, bytes)))
    return Buffer.concat(taken).toString().replace(/^x+/, '')
  }
}

function untilBlocked(call: () => number): number {
  try {
    return call()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0
    throw error
  }
}
