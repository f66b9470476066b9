/** Facts of made changes. */
let entries = 0

/** The fields that every edit and creation has, with an id that no other has in this process. */
export const newChange = () => ({
  id: (++entries).toString(16).padStart(32, '0'),
  time: 1_800_000_000 + entries,
  editor: { id: 1, name: 'Ann' },
  comment: '',
  minor: false,
  contentModel: 'wikitext',
})
