import type { Piece } from './piece-files.ts'

/** Safari before 26 writes files in a dedicated worker only. */
export async function writeInWorker(piece: Piece): Promise<void> {
  const worker = new Worker(new URL('./piece-worker.ts', import.meta.url), { type: 'module' })
  try {
    const answer = new Promise<unknown>((resolve, reject) => {
      worker.addEventListener('message', ({ data }) => resolve(data))
      worker.addEventListener('error', () => reject(new Error('A piece could not be written.')))
    })
    worker.postMessage(piece, [piece.bytes])
    const problem = await answer
    if (problem !== null) throw new DOMException('A piece could not be written.', String(problem))
  } finally {
    worker.terminate()
  }
}
