/** Files by name, with their facts. */
import type { LocalFormats } from '../../domain/localFormats.js'
import { bytesInWords } from '../article/file.js'
import { type Html, html } from '../html.js'
import { text } from '../messages.js'
import { timeElement } from '../parts/time.js'
import { pager } from './pager.js'

export interface ListedFile {
  readonly href: string
  readonly name: string
  readonly mimeType: string
  readonly sizeBytes: number
  /** Seconds since 1970. */
  readonly time: number
  /** Undefined if the uploader is unknown. */
  readonly uploader: string | undefined
}

export interface FileListView {
  readonly formats: LocalFormats
  /** Path of the list. */
  readonly path: string
  /** Where the list begins, as typed. */
  readonly from: string
  readonly files: readonly ListedFile[]
  readonly first: string | undefined
  readonly next: string | undefined
}

export function fileList({ formats, path, from, files, first, next }: FileListView): Html {
  const parts = pager([
    { label: text('first-page'), href: first },
    { label: text('next-page'), href: next, rel: 'next' },
  ])
  const row = (file: ListedFile): Html =>
    html`<tr>
      <td><a href="${file.href}"><bdi>${file.name}</bdi></a></td>
      <td>${file.mimeType}</td>
      <td>${bytesInWords(file.sizeBytes)}</td>
      <td>${timeElement(file.time, formats)}</td>
      <td>${file.uploader !== undefined && html`<bdi>${file.uploader}</bdi>`}</td>
    </tr>\n`
  const table = html`<div class="table-frame" tabindex="0" role="group" aria-label="${text('files-heading')}">
    <table class="wikitable">
      <thead>
        <tr>
          <th>${text('files-name')}</th>
          <th>${text('file-kind')}</th>
          <th>${text('info-size')}</th>
          <th>${text('file-time')}</th>
          <th>${text('file-uploader')}</th>
        </tr>
      </thead>
      <tbody>${files.map(row)}</tbody>
    </table>
  </div>`
  return html`<form class="fields" action="${path}">
      <label>${text('files-from')} <input name="from" value="${from}" dir="auto" maxlength="255" /></label>
      <button type="submit">${text('all-pages-show')}</button>
    </form>
    ${parts} ${files.length === 0 ? html`<p>${text('files-none')}</p>` : table} ${parts}`
}
