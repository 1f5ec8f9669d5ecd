import { parentPort, workerData } from 'node:worker_threads'
import { inspectHere } from './copy.ts'

parentPort?.postMessage(inspectHere(String(workerData)))
