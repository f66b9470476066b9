/** Backups in one folder, each in a folder named by its time in UTC, such as `2026-11-22T03-00-00Z`. */
import { existsSync, lstatSync, readdirSync, readlinkSync, renameSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { discard, type Told, unfinishedPath } from './unfinished.js'

const DATED = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
/** A copy in which `verify` found problems. It is none of the backups. */
const DAMAGED = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.damaged$/
/** Symbolic link to the newest backup. */
const LATEST = 'latest'
const SECOND_MS = 1000

export class DatedBackups {
  readonly #folder: string
  readonly #told: Told

  constructor(folder: string, told: Told) {
    this.#folder = folder
    this.#told = told
  }

  /** `time` is in milliseconds since 1970. */
  pathAt(time: number): string {
    return join(this.#folder, new Date(time).toISOString().slice(0, 19).replaceAll(':', '-') + 'Z')
  }

  /** Whether this class made the path: a dated backup in this folder, or the link. */
  isOurs(path: string): boolean {
    const name = basename(path)
    return dirname(path) === this.#folder && (DATED.test(name) || name === LATEST)
  }

  /** Renames a complete backup to the name of `time`, or of the next free second. Returns its path. */
  place(unfinished: string, time: number): string {
    const path = this.pathAt(time)
    if (existsSync(path)) return this.place(unfinished, time + SECOND_MS)
    try {
      renameSync(unfinished, path)
      return path
    } catch (error) {
      // Another backup took the name of this second first.
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
      return this.place(unfinished, time + SECOND_MS)
    }
  }

  /** Renames a damaged copy to the name of `time` with `.damaged`, and removes older ones. Returns its path. */
  setAside(unfinished: string, time: number): string {
    for (const name of readdirSync(this.#folder)) if (DAMAGED.test(name)) discard(join(this.#folder, name))
    const path = `${this.pathAt(time)}.damaged`
    renameSync(unfinished, path)
    return path
  }

  /** Points the link `latest` to the newest backup. The rename replaces the link atomically. */
  linkLatest(): void {
    const newest = this.#list().at(0)
    const link = join(this.#folder, LATEST)
    const present = lstatSync(link, { throwIfNoEntry: false })
    if (newest === undefined || (present?.isSymbolicLink() && readlinkSync(link) === newest)) return
    if (present !== undefined && !present.isSymbolicLink()) {
      this.#told.warn(`${link} is not a link, so it stays as it is and does not lead to the newest backup`)
      return
    }
    const next = unfinishedPath(link)
    try {
      symlinkSync(newest, next)
      renameSync(next, link)
    } catch (error) {
      // Some file systems have no links. The backup is complete without one.
      this.#told.warn(`${link} does not lead to the newest backup: ${(error as Error).message}`)
    }
  }

  /** Removes the oldest backups until `keep` are left. Never removes `made`, even when the clock was set back. */
  removeOldest(keep: number, made: string): void {
    for (const name of this.#list().slice(keep)) {
      const path = join(this.#folder, name)
      if (path !== made && discard(path)) this.#told.tell(`removed ${path}`)
    }
  }

  /** Names of the backups, newest first. Folders without a store do not count. */
  #list(): string[] {
    return readdirSync(this.#folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && DATED.test(entry.name))
      .map(({ name }) => name)
      .filter((name) => existsSync(join(this.#folder, name, 'store', 'data.mdb')))
      .sort()
      .reverse()
  }
}
