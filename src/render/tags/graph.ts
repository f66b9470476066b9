/** `<graph>`: the texts of a diagram in the Vega language. */
import { jsonLabels } from './jsonLabels.js'
import { standIn } from './standIn.js'
import { MAX_TAG_LENGTH, type ExtensionTag } from './tag.js'

export function renderGraph({ content }: ExtensionTag): string {
  return standIn('graph', 'Graph', content.length > MAX_TAG_LENGTH ? [] : jsonLabels(content))
}
