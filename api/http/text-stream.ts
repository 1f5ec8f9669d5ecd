import { setImmediate as nextTick } from 'node:timers/promises'

/**
 * A body of pieces that are made when they are needed, so that memory stays flat; other requests are handled between two of
 * them. A piece, which may be empty, blocks the server while it is made: it should take no more than a millisecond.
 */
export function streamText(pieces: Iterator<string, void, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      for (let piece = ''; piece === ''; ) {
        await nextTick()
        const { value, done } = pieces.next()
        if (done) return controller.close()
        piece = value
        if (piece !== '') controller.enqueue(encoder.encode(piece))
      }
    },
    cancel: () => void pieces.return?.(),
  })
}
