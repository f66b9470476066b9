/**
 * Values of the table `categorylinks`: the sort key, a line break, and in base 36 the seconds since 1970 of the
 * time when the page came into the category. Older versions of the program kept the sort key alone, which has no line
 * break.
 */
const TIME_MARK = '\n'

export const writeCategoryValue = (sortKey: string, time: number | undefined): string =>
  time === undefined ? sortKey : `${sortKey}${TIME_MARK}${time.toString(36)}`

export function readCategoryValue(value: string): { sortKey: string; time: number | undefined } {
  const [sortKey = '', time] = value.split(TIME_MARK)
  return { sortKey, time: time === undefined ? undefined : Number.parseInt(time, 36) }
}
