/** The two JSON shapes of the action API: formatversion 1, the old one, and formatversion 2. */
export type FormatVersion = 1 | 2

export class Shape {
  readonly version: FormatVersion

  constructor(version: FormatVersion) {
    this.version = version
  }

  /** A boolean. The old shape has `""` for true, and omits false. */
  flag(name: string, value: boolean): Readonly<Record<string, unknown>> {
    if (this.version === 2) return { [name]: value }
    return value ? { [name]: '' } : {}
  }

  /** The main text of an object, called `*` in the old shape. */
  text(name: string, value: string): Readonly<Record<string, string>> {
    return { [this.version === 2 ? name : '*']: value }
  }

  warnings(byModule: ReadonlyMap<string, readonly string[]>): Readonly<Record<string, unknown>> {
    if (byModule.size === 0) return {}
    const entries = [...byModule].map(([module, texts]) => [module, this.text('warnings', texts.join('\n'))])
    return { warnings: Object.fromEntries(entries) as unknown }
  }
}
