/** Interface for submitting a change to the wiki. */
import type { Entry, Verdict } from '../storage/entries/entries.js'

export interface EntryWriter {
  /** The entry's verdict. When the promise resolves, the change is on the disk, and every process shows it. */
  write(entry: Entry): Promise<Verdict>
}
