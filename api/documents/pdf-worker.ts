import { parentPort } from 'node:worker_threads'
import { drawPdf } from './invoice-pdf.ts'
import type { PdfRequest, PdfResponse } from './pdf-renderer.ts'
import { drawStatement } from './statement-pdf.ts'

// The thread `pdf-renderer.ts` starts. A document takes 10 to 20 ms of CPU, and only this thread loads the library and fonts.
parentPort?.on('message', async (request: PdfRequest) => {
  parentPort?.postMessage(await respondTo(request))
})

const drawAny = ({ document, logo }: PdfRequest) =>
  'kind' in document ? drawStatement(document, logo) : drawPdf(document, logo)

async function respondTo(request: PdfRequest): Promise<PdfResponse> {
  const { id } = request
  try {
    return { id, bytes: await drawAny(request) }
  } catch (error) {
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
