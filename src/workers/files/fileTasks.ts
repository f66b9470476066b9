/** The tasks of the processes that open files: name, input and output. */
import type { Inspection } from '../../files/inspect.js'
import type { ThumbnailOrder } from '../../files/makeThumbnail.js'

export interface FileTasks {
  /** What a file is; `name` is that of its page. */
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

/** What is sent to a process. */
export type FileRequest = {
  readonly [Name in FileTaskName]: { readonly name: Name; readonly input: FileTaskInput<Name> }
}[FileTaskName]

/** What comes back. */
export type FileAnswer = { readonly output: unknown } | { readonly failure: string }

/** How a process ends that takes more memory than it was given, which is its first argument, in bytes. */
export const OUT_OF_MEMORY = 75
