import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { findProblem } from './damage.ts'

const sqlite = new Database(String(workerData), { readonly: true })
parentPort?.postMessage(findProblem(sqlite))
sqlite.close()
