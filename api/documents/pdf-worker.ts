import { parentPort } from 'node:worker_threads'
import { drawPdf } from './invoice-pdf.ts'
import type { PdfDocument, PdfRequest, PdfResponse } from './pdf-renderer.ts'
import { drawStatement } from './statement-pdf.ts'

// The thread that `pdf-renderer.ts` starts. Drawing one document takes a core for 10 to 20 ms, and the library and its
// fonts are loaded here alone.
parentPort?.on('message', async ({ id, document }: PdfRequest) => {
  parentPort?.postMessage(await draw(id, document))
})

const drawAny = (document: PdfDocument) => ('kind' in document ? drawStatement(document) : drawPdf(document))

async function draw(id: number, document: PdfRequest['document']): Promise<PdfResponse> {
  try {
    return { id, bytes: await drawAny(document) }
  } catch (error) {
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
