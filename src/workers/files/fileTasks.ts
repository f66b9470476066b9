/** The tasks of the processes that open files: name, input and output. */
import type { Inspection } from '../../files/inspect.js'
import type { ThumbnailOrder } from '../../files/makeThumbnail.js'

export interface FileTasks {
  /** Reads the facts of a file from its contents. `name` is the name of its page. */
  readonly inspect: {
    readonly input: { readonly path: string; readonly name: string }
    readonly output: Inspection
  }
  /** Writes a scaled picture. */
  readonly thumbnail: { readonly input: ThumbnailOrder; readonly output: undefined }
}

export type FileTaskName = keyof FileTasks
export type FileTaskInput<Name extends FileTaskName> = FileTasks[Name]['input']
export type FileTaskOutput<Name extends FileTaskName> = FileTasks[Name]['output']

/** Message to a process. */
export type FileRequest = {
  readonly [Name in FileTaskName]: { readonly name: Name; readonly input: FileTaskInput<Name> }
}[FileTaskName]

/** Answer of a process. */
export type FileAnswer = { readonly output: unknown } | { readonly failure: string }

/**
 * Exit status of a process that exceeds its memory limit. The limit, in bytes, is the first argument of the process.
 */
export const OUT_OF_MEMORY = 75
