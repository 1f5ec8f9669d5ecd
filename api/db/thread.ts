import { programFile } from '#api/project.ts'
import type { CopyState } from './copy.ts'

// A gigabyte takes many seconds to go through: in a thread of its own, so that the site goes on meanwhile.

/** The first thing that is wrong with the pages of a database; null where they are sound. */
export const findProblemInThread = (file: string) => answerOfThread<string | null>('integrity-worker', file)

/** Goes through every page of a copy that nobody uses. */
export const inspectCopy = (file: string) => answerOfThread<CopyState>('copy-worker', file)

function answerOfThread<Answer>(worker: string, file: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const thread = new Worker(programFile(`api/db/${worker}`), { workerData: file })
  thread.once('message', resolve)
  thread.once('error', reject)
  thread.once('exit', (code) => reject(new Error(`The check ended with ${code}.`)))
  return promise
}
