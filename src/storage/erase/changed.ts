/** Copies with other parts, or the same object where nothing differs. */

export function changed<T extends object>(object: T, parts: Partial<T>): T {
  const isSame = (Object.keys(parts) as (keyof T)[]).every((name) => object[name] === parts[name])
  return isSame ? object : { ...object, ...parts }
}

export function changedList<T>(list: readonly T[], change: (item: T) => T): readonly T[] {
  const after = list.map(change)
  return after.every((item, n) => item === list[n]) ? list : after
}
