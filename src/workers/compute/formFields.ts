/** Reads chosen fields out of a form, URL-encoded or multipart, in whatever thread. */
import { Busboy, type BusboyInstance } from '@fastify/busboy'

/** Values by name; of a field that is there several times, the last. */
export type FormFields =
  | { readonly ok: true; readonly fields: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly detail: string }

/** More fields, or parts of a multipart body, no form of this API has. */
const MAX_FIELDS = 100
const MAX_NAME_BYTES = 100

/** `contentType` says which of the two kinds it is. A file counts as a field with its content. */
export function readFormFields(
  bytes: Uint8Array,
  contentType: string,
  names: readonly string[],
): Promise<FormFields> {
  const fields: Record<string, string> = {}
  const keep = (name: string, value: string): void => {
    if (names.includes(name)) fields[name] = value
  }
  return new Promise((resolve) => {
    const fail = (error: Error): void => resolve({ ok: false, detail: error.message })
    let parser: BusboyInstance
    try {
      parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: {
          fieldNameSize: MAX_NAME_BYTES,
          fieldSize: bytes.length,
          fileSize: bytes.length,
          fields: MAX_FIELDS,
          files: MAX_FIELDS,
          parts: MAX_FIELDS,
        },
      })
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
      return
    }
    parser.on('field', keep)
    parser.on('file', (name, stream) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => keep(name, Buffer.concat(chunks).toString()))
      stream.on('error', fail)
    })
    parser.on('error', (error) => fail(error as Error))
    parser.on('finish', () => resolve({ ok: true, fields }))
    parser.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  })
}
