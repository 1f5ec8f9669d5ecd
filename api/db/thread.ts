import { Worker } from 'node:worker_threads'
import { programFile } from '#api/project.ts'
import type { CopyState } from './copy.ts'

// Checking a gigabyte takes many seconds, so we use a thread to keep the site responsive.

/** The first fault in the database's pages. Null if they're sound. */
export const findProblemInThread = (file: string) => answerOfThread<string | null>('integrity-worker', file)

/** Reads every page of a copy that's not in use. */
export const inspectCopy = (file: string) => answerOfThread<CopyState>('copy-worker', file)

function answerOfThread<Answer>(worker: string, file: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const thread = new Worker(programFile(`api/db/${worker}`), { workerData: file })
  thread.once('message', resolve)
  thread.once('error', reject)
  thread.once('exit', (code) => reject(new Error(`The check ended with ${code}.`)))
  return promise
}
