import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * A body of pieces that are made as they are taken, so that memory stays flat; between two of them everybody else has his
 * turn. A piece, which may be empty, is what a single turn may take: keep it to a millisecond of work.
 */
export function streamedText(pieces: Iterator<string, void, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      for (let wanted = ''; wanted === ''; ) {
        await nextTurn()
        const { value, done } = pieces.next()
        if (done) return controller.close()
        wanted = value
        if (wanted !== '') controller.enqueue(encoder.encode(wanted))
      }
    },
    cancel: () => void pieces.return?.(),
  })
}
