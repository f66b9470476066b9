/**
 * The form that edits a page, with what it shows around the text: a preview, changes, or both sides of a conflict.
 * Pages come in parts, since texts and previews are long and come from threads as bytes.
 */
import { type Fragment, type Html, html, trusted, type PagePart } from '../html.js'
import type { Links } from '../links.js'
import { sentence, type Speaker, text, word } from '../messages.js'
import type { ReaderSite } from '../site.js'

/** Names of the form's fields, as in MediaWiki. */
export const EDIT_FIELDS = [
  'wpTextbox1',
  'wpSummary',
  'wpSection',
  'wpMinoredit',
  'wpEditToken',
  'parentRevId',
  'wpSave',
  'wpPreview',
  'wpDiff',
] as const

export interface EditView {
  readonly site: Speaker
  readonly links: Links
  /** Title of the page in URL form. */
  readonly key: string
  /** Escaped text of the page. */
  readonly source: PagePart
  /** Number of the section that the text is; undefined for the whole page. */
  readonly section?: number | undefined
  /** The revision that the text was made from; undefined for a new page. */
  readonly baseId: number | undefined
  readonly token: string
  readonly summary: string
  readonly minor: boolean
  /** Whether this user may mark edits as minor. */
  readonly mayMarkMinor: boolean
  /** Address of a user who is not logged in, which the history will show. */
  readonly address: string | undefined
  readonly license: { readonly title: string }
  /** Stands above the text. */
  readonly result: EditResult | undefined
}

/** A preview, comparison or conflict of a text that was sent but not saved. */
export type EditResult =
  | { readonly kind: 'preview' | 'changes'; readonly content: readonly PagePart[] }
  /** `yours` is escaped. The comparison is from the present text to yours. */
  | { readonly kind: 'conflict'; readonly yours: PagePart; readonly comparison: PagePart | undefined }

export function editPage(view: EditView): PagePart[] {
  const { result } = view
  return [
    ...(result !== undefined && result.kind !== 'conflict' ? resultParts(result.kind, result.content) : []),
    ...form(view),
    ...(result?.kind === 'conflict' ? conflictParts(result) : []),
  ]
}

const PREVIEW_START = [
  trusted('<section class="edit-result is-beside" tabindex="0" aria-label="'),
  trusted('">'),
] as const

function resultParts(kind: 'preview' | 'changes', content: readonly PagePart[]): PagePart[] {
  const heading = html`<h2>${text(`${kind}-heading`)}</h2>`
  const note = kind === 'preview' && html`<p class="notice">${text('edit-not-saved')}</p>`
  // On wide screens the preview stands beside the text, and scrolls on its own.
  const frame =
    kind === 'preview'
      ? html`${PREVIEW_START[0]}${text('preview-heading')}${PREVIEW_START[1]}`
      : trusted('<section class="edit-result">')
  return [html`${frame}${heading}${note}`, ...content, trusted('</section>')]
}

function conflictParts({ yours, comparison }: EditResult & { kind: 'conflict' }): PagePart[] {
  return [
    ...(comparison === undefined ? [] : [html`<h2>${text('conflict-differences')}</h2>`, comparison]),
    ...readOnlyText('wpTextbox2', text('your-text'), yours),
  ]
}

/** Templates hold whole elements only, since the formatter closes others. */
function form(view: EditView): PagePart[] {
  const { links, key, source, baseId, section, token } = view
  const open = [
    trusted('<form class="edit" method="post" enctype="multipart/form-data" action="'),
    trusted('"'),
    trusted('>'),
  ]
  // For the script that keeps drafts.
  const words = html` data-page="${links.page(key)}" data-restored="${text('draft-restored', '$1')}"
    data-discard="${text('draft-discard')}"`
  const hidden = html`<input type="hidden" name="parentRevId" value="${baseId ?? ''}" />
    ${section !== undefined && html`<input type="hidden" name="wpSection" value="${section}" />`}
    <input type="hidden" name="wpEditToken" value="${token}" />
    <label class="visually-hidden" for="wpTextbox1">${text('edit-text')}</label>`
  return [
    html`${open[0]}${links.action(key, 'submit')}${open[1]}${words}${open[2]}${hidden}`,
    trusted(textArea('id="wpTextbox1" name="wpTextbox1" spellcheck="true"')),
    source,
    html`${trusted('</textarea>')}${fields(view)}${trusted('</form>')}`,
  ]
}

/** A line break at the start of a text area does not count. */
const textArea = (attributes: string): string => `<textarea ${attributes} rows="24" dir="auto">\n`

function fields({ site, links, key, summary, minor, mayMarkMinor, address, license }: EditView): Html {
  const submit = (name: 'wpSave' | 'wpPreview' | 'wpDiff', label: Fragment): Html =>
    html`<button type="submit" name="${name}" value="1" ${name === 'wpSave' && trusted(' class="primary"')}>
      ${label}
    </button> `
  return html` <p>
      <label
        >${word(site, 'edit-summary')} <input name="wpSummary" value="${summary}" maxlength="500" dir="auto"
      /></label>
    </p>
    ${
      mayMarkMinor &&
      html`<p>
        <label
          ><input type="checkbox" name="wpMinoredit" value="1" ${minor && trusted(' checked')} />
          ${word(site, 'edit-minor')}</label
        >
      </p>`
    }
    ${address !== undefined && html`<p class="note">${sentence('edit-anonymous', html`<bdi>${address}</bdi>`)}</p>`}
    ${license.title !== '' && html`<p class="note">${text('edit-license', license.title)}</p>`}
    <p class="buttons">
      ${submit('wpSave', word(site, 'edit-save'))} ${submit('wpPreview', word(site, 'edit-preview'))}
      ${submit('wpDiff', word(site, 'edit-changes'))} <a href="${links.page(key)}">${word(site, 'edit-cancel')}</a>
    </p>`
}

/** The text of a page that this user cannot edit. */
export function sourcePage(source: PagePart): PagePart[] {
  return readOnlyText('wpTextbox1', text('edit-text'), source)
}

function readOnlyText(id: string, label: string, source: PagePart): PagePart[] {
  return [
    html`<p><label for="${id}">${label}</label></p>`,
    trusted(textArea(`id="${id}" readonly`)),
    source,
    trusted('</textarea>'),
  ]
}

/** The name of a user who is logged in, with the way out; otherwise the way in, and back to `key`. */
export function userMenu(
  name: string | undefined,
  key: string,
  site: Pick<ReaderSite, 'links' | 'words' | 'language'>,
): Fragment {
  const { links } = site
  const returnto = { returnto: key || undefined }
  if (name === undefined)
    return html`<a href="${links.special('UserLogin', returnto)}">${word(site, 'log-in')}</a>`
  return html`<bdi>${name}</bdi> <a href="${links.special('Contributions', {}, name)}">${word(site, 'my-changes')}</a>
    <a href="${links.special('UserLogout', returnto)}">${word(site, 'log-out')}</a>`
}

/** A text that is no wikitext, as its page shows it. `source` is escaped. */
export function codePreview(source: PagePart): PagePart[] {
  return [html`<p>${text('preview-code')}</p>`, trusted('<pre dir="ltr">'), source, trusted('</pre>')]
}
