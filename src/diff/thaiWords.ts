/**
 * Cuts runs of Thai characters into dictionary words as libthai does: the fewest characters outside of words, then the
 * fewest words. Source: recorded breaks of libthai, and its published description (maximal matching).
 */
import type { ThaiBreaker } from './thaiBreaks.js'
import type { ThaiDictionary } from './thaiDictionary.js'

/** After characters that are no word, words count again where this many stand in a row. */
const WORDS_IN_A_ROW = 3

/** A cut, and those before it. */
interface Cut {
  readonly at: number
  readonly before: Cut | undefined
  readonly count: number
}

/** One way to cut the start of a run. `state` is the dictionary's, for the characters from the last cut to `at`. */
interface Way {
  at: number
  state: number
  cut: Cut | undefined
  /** Characters outside of words. */
  penalty: number
}

type Step = 'word' | 'end' | 'misfit'

/** A breaker that remembers the runs it has cut. Make one for each comparison, since most runs are on both sides. */
export function dictionaryBreaker(dictionary: ThaiDictionary): ThaiBreaker {
  const known = new Map<string, readonly number[]>()
  return (run) => {
    let places = known.get(run)
    if (places === undefined) known.set(run, (places = new RunCutter(run, dictionary).cut()))
    return places
  }
}

class RunCutter {
  readonly #length: number
  readonly #codes: Uint8Array
  readonly #places: Uint8Array
  readonly #dictionary: ThaiDictionary
  /** For each place from 1 on: 1 if words in a row begin there, 2 if not, 0 if unknown. */
  readonly #inARow: Uint8Array

  constructor(run: string, dictionary: ThaiDictionary) {
    this.#length = run.length
    this.#dictionary = dictionary
    this.#codes = Uint8Array.from({ length: run.length }, (_, at) => dictionary.code(run.charCodeAt(at)))
    this.#places = wordPlaces(run)
    this.#inARow = new Uint8Array(run.length)
  }

  /** The starts of words after the first, in rising order. */
  cut(): number[] {
    const ways: Way[] = [this.#wayFrom(0)]
    let best: Way = { ...ways[0]! }
    while (ways.length > 0) {
      const way = this.#advance(ways, earliest(ways))
      if (way.at < this.#length) {
        dropWorse(ways, way)
        continue
      }
      ways.splice(ways.indexOf(way), 1)
      if (isBetterEnd(way, best)) best = way
    }
    return this.#starts(best)
  }

  #wayFrom(at: number): Way {
    return { at, state: this.#dictionary.root, cut: undefined, penalty: 0 }
  }

  #starts({ cut }: Way): number[] {
    const starts: number[] = []
    for (; cut !== undefined; cut = cut.before) if (cut.at < this.#length) starts.push(cut.at)
    return starts.reverse()
  }

  /** Leads a way to its next cut. Returns it, or its copy that cuts where the way goes on in a longer word. */
  #advance(ways: Way[], way: Way): Way {
    const from = way.at
    switch (this.#read(way)) {
      case 'word':
        return this.#cutWord(ways, way)
      case 'end':
        return this.#leap(way, this.#length)
      case 'misfit':
        return this.#leap(way, this.#recovery(from + 1))
    }
  }

  /** Reads on to the end of a word. */
  #read(way: Way): Step {
    const dictionary = this.#dictionary
    while (way.at < this.#length) {
      const state = dictionary.next(way.state, this.#codes[way.at]!)
      if (state === 0) return 'misfit'
      way.state = state
      way.at++
      const mayEnd = way.at === this.#length || this.#places[way.at] === 1
      if (mayEnd && dictionary.isWord(state)) return 'word'
    }
    return 'end'
  }

  /** Ends a word. A longer word with the same start is another way. */
  #cutWord(ways: Way[], way: Way): Way {
    let ended = way
    if (way.at < this.#length && this.#dictionary.canGoOn(way.state)) ways.unshift((ended = { ...way }))
    return this.#cutAt(ended, ended.at)
  }

  #leap(way: Way, to: number): Way {
    way.penalty += to - (way.cut?.at ?? 0)
    return this.#cutAt(way, to)
  }

  #cutAt(way: Way, at: number): Way {
    way.cut = { at, before: way.cut, count: (way.cut?.count ?? 0) + 1 }
    way.at = at
    way.state = this.#dictionary.root
    return way
  }

  /** The first place from `from` on where words in a row begin, or the end. */
  #recovery(from: number): number {
    for (let at = from; at < this.#length; at++) {
      if (this.#places[at] === 0) continue
      if (this.#inARow[at] === 0) this.#inARow[at] = this.#readsWords(at) ? 1 : 2
      if (this.#inARow[at] === 1) return at
    }
    return this.#length
  }

  #readsWords(from: number): boolean {
    const ways: Way[] = [this.#wayFrom(from)]
    while (ways.length > 0) {
      let way = earliest(ways)
      while (this.#read(way) === 'word') {
        way = this.#cutWord(ways, way)
        if (way.cut!.count === WORDS_IN_A_ROW) return true
        const { at } = way
        if (at === this.#length) break
        for (let n = ways.length - 1; n >= 0; n--)
          if (ways[n] !== way && ways[n]!.cut?.at === at) ways.splice(n, 1)
      }
      ways.splice(ways.indexOf(way), 1)
    }
    return false
  }
}

/** The way with the earliest last cut; among several, the first. */
function earliest(ways: readonly Way[]): Way {
  let found = ways[0]!
  for (const way of ways) if ((way.cut?.at ?? -1) < (found.cut?.at ?? -1)) found = way
  return found
}

/** Keeps one of the ways whose last cut is where that of `way` is. */
function dropWorse(ways: Way[], way: Way): void {
  let kept = way
  for (let n = 0; n < ways.length; n++) {
    const other = ways[n]!
    if (other === kept || other.cut?.at !== kept.cut!.at) continue
    const otherIsBetter =
      other.penalty < kept.penalty || (other.penalty === kept.penalty && other.cut.count < kept.cut!.count)
    const dropped = otherIsBetter ? ways.indexOf(kept) : n
    if (otherIsBetter) kept = other
    ways.splice(dropped, 1)
    if (dropped <= n) n--
  }
}

/** Of ways that reached the end or a place before: the further one, with the smaller penalty, with not more cuts. */
function isBetterEnd(way: Way, best: Way): boolean {
  if (way.at !== best.at) return way.at > best.at
  if (way.penalty !== best.penalty) return way.penalty < best.penalty
  return way.cut!.count <= (best.cut?.count ?? 0)
}

// Places in a run of Thai characters where a word may start, by the signs around. Source: recorded libthai breaks.

const KO_KAI = 0xe01
const RU = 0xe24
const LU = 0xe26
const O_ANG = 0xe2d
const WO_WAEN = 0xe27
const SARA_A = 0xe30
const MAI_HAN_AKAT = 0xe31
const SARA_AA = 0xe32
const SARA_I = 0xe34
const SARA_UEE = 0xe37
const SARA_E = 0xe40
const SARA_AE = 0xe41
const SARA_O = 0xe42
const SARA_AI_MAIMALAI = 0xe44
const MAITAIKHU = 0xe47
const MAI_EK = 0xe48
const MAI_CHATTAWA = 0xe4b
const THANTHAKHAT = 0xe4c

const isConsonant = (unit: number): boolean => unit >= KO_KAI && unit <= 0xe2e && unit !== RU && unit !== LU
const isTone = (unit: number): boolean => unit >= MAI_EK && unit <= MAI_CHATTAWA
const isUpperVowel = (unit: number): boolean => unit === MAI_HAN_AKAT || (unit >= SARA_I && unit <= SARA_UEE)

/** 1 for each unit before which a word may start. The start and the end of the run are left out. */
function wordPlaces(run: string): Uint8Array {
  const places = new Uint8Array(run.length + 4)
  const unit = (at: number): number => (at < run.length ? run.charCodeAt(at) : 0)
  for (let at = 0; at < run.length;) {
    const here = unit(at)
    if (isConsonant(here)) at = passConsonant(unit, at, places)
    else if (here === SARA_E || here === SARA_AE) at = passLeadingVowel(unit, at, places)
    else {
      const leads = here >= SARA_O && here <= SARA_AI_MAIMALAI
      if (leads || here === RU || here === LU) places[at] = 1
      at += leads ? 2 : 1
    }
  }
  places[0] = 0
  return places.subarray(0, run.length)
}

type UnitAt = (at: number) => number

/** Consonants. Returns the place after those that belong together. */
function passConsonant(unit: UnitAt, at: number, places: Uint8Array): number {
  if (unit(at + 1) === THANTHAKHAT) return at + 2
  if (unit(at + 2) === THANTHAKHAT) return at + 3
  const third = unit(at + 2)
  if (unit(at) !== KO_KAI && unit(at + 1) === MAITAIKHU && (third === O_ANG || third === WO_WAEN)) {
    places[at] = 1
    return at + 4
  }
  const before = isTone(unit(at - 1)) ? unit(at - 2) : unit(at - 1)
  if (at === 0 || (before !== MAI_HAN_AKAT && before !== SARA_UEE)) places[at] = 1
  return at + 1
}

/** Vowels written before their consonant, which can have parts above and behind it. */
function passLeadingVowel(unit: UnitAt, at: number, places: Uint8Array): number {
  places[at] = 1
  const next = at + 2
  if (unit(next) === MAITAIKHU) return next + 2
  if (isUpperVowel(unit(next))) return next + (isTone(unit(next + 1)) ? 3 : 2)
  const [first, second, third] = [unit(next), unit(next + 1), unit(next + 2)]
  const isLong = second === SARA_AA && third === SARA_A
  const isShort =
    first !== KO_KAI && second === MAITAIKHU && third !== 0 && third !== O_ANG && third !== WO_WAEN
  return isLong || isShort ? next + 3 : next
}
