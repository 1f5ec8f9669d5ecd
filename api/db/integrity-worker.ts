import { parentPort, workerData } from 'node:worker_threads'
import { findProblem } from './damage.ts'
import { openForeign } from './own-schema.ts'

const sqlite = openForeign(String(workerData))
parentPort?.postMessage(findProblem(sqlite))
sqlite.close()
