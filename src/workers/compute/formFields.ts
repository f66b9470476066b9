/** Reads chosen fields from a form, URL-encoded or multipart. Runs in any thread. */
import { Busboy, type BusboyInstance } from '@fastify/busboy'

/** Values by name. The last value of a repeated field counts. */
export type FormFields =
  | { readonly ok: true; readonly fields: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly detail: string }

/** No form of this API has more fields, or more parts in a multipart body. */
const MAX_FIELDS = 100
const MAX_NAME_BYTES = 100

/** `contentType` tells the kind of form. A file counts as a field with its contents. */
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
