import { parentPort } from 'node:worker_threads'
import { drawPdf } from './invoice-pdf.ts'
import type { PdfRequest, PdfResponse } from './pdf-renderer.ts'

// The thread that `pdf-renderer.ts` starts. Drawing one document takes a core for 10 to 20 ms, and the library and its
// fonts are loaded here alone.
parentPort?.on('message', async ({ id, document }: PdfRequest) => {
  parentPort?.postMessage(await draw(id, document))
})

async function draw(id: number, document: PdfRequest['document']): Promise<PdfResponse> {
  try {
    return { id, bytes: await drawPdf(document) }
  } catch (error) {
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
