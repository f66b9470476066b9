/** Loads a file of the package by its path in the package. */
export type Load = <Module>(path: string) => Module
