/** Places in a run of Thai characters where a word may start, by the signs around. Source: recorded libthai breaks. */

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
export function wordPlaces(run: string): Uint8Array {
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
