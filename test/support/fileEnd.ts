/** Runs for each test file, also where files share a process: cleans up after the tests of the file. */
import { afterAll } from 'vitest'
import { endFile } from './cleanUp.js'

afterAll(endFile)
