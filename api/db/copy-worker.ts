import { parentPort, workerData } from 'node:worker_threads'
import { inspectHere } from './copy.ts'

// The thread that `inspectCopy` starts.
parentPort?.postMessage(inspectHere(String(workerData)))
