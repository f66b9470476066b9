/** Loads a file of the package, by its path in it. */
export type Load = <Module>(path: string) => Module
