import { Worker } from 'node:worker_threads'
import { programFile } from '#api/project.ts'
import type { LegalDocument } from './legal-document.ts'
import type { StatementDocument } from './statement-pdf.ts'

export type PdfDocument = LegalDocument | StatementDocument
export type PdfRequest = { id: number; document: PdfDocument; logo: Uint8Array | null }
export type PdfResponse = { id: number; bytes: Uint8Array<ArrayBuffer> } | { id: number; failure: string }

type Pending = { resolve(bytes: Uint8Array<ArrayBuffer>): void; reject(error: unknown): void }
type Renderer = { worker: Worker; pending: Map<number, Pending>; idle: ReturnType<typeof setTimeout> | undefined }

/** The thread takes some 60 MB, so it ends after this long without work. */
const idleMs = 30_000

let renderer: Renderer | null = null
let lastId = 0

/**
 * Renders one document at a time in a thread. The logo is separate, as a document only refers to the bytes it was issued with.
 */
export function renderPdf(document: PdfDocument, logo: Uint8Array | null = null): Promise<Uint8Array<ArrayBuffer>> {
  renderer ??= startRenderer()
  const { worker, pending, idle } = renderer
  clearTimeout(idle)
  lastId += 1
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
  pending.set(lastId, { resolve, reject })
  worker.ref()
  worker.postMessage({ id: lastId, document, logo } satisfies PdfRequest)
  return promise
}

function startRenderer(): Renderer {
  const worker = new Worker(programFile('api/documents/pdf-worker'))
  const started: Renderer = { worker, pending: new Map(), idle: undefined }
  worker.on('message', (response: PdfResponse) => settleRequest(started, response))
  worker.on('error', (error) => {
    stopRenderer(started)
    for (const { reject } of started.pending.values()) reject(error)
  })
  return started
}

function settleRequest(started: Renderer, response: PdfResponse): void {
  const { worker, pending } = started
  const request = pending.get(response.id)
  pending.delete(response.id)
  if ('bytes' in response) request?.resolve(response.bytes)
  else request?.reject(new Error(response.failure))
  if (pending.size > 0) return
  // Lets the program exit if it has nothing else to do.
  worker.unref()
  started.idle = setTimeout(() => stopRenderer(started), idleMs)
  started.idle.unref()
}

function stopRenderer(started: Renderer): void {
  if (renderer === started) renderer = null
  started.worker.terminate()
}
