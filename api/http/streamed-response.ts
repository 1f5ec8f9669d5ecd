import { setImmediate as nextTick } from 'node:timers/promises'
import type { Context } from '#api/context.ts'
import type { HandlerInput } from './compressed-response.ts'
import { recordError } from './error-responses.ts'

/** A piece, which may be empty, blocks the server while it is made: it should take no more than a millisecond. */
type Pieces = Iterator<string, void, undefined> | AsyncIterator<Uint8Array, void, undefined>

type Streamed = { pieces: Pieces; headers: Record<string, string> }

/** What most files come to at all: only longer ones can still break off, while memory stays flat. */
const readAheadBytes = 64 * 1024

/**
 * Responds with pieces that are made when they are needed, so that memory stays flat; other requests are handled between two of
 * them. What cannot be read at the beginning is an error like any other, since nothing has been sent. What cannot be read later
 * breaks the connection off: a part must not look like the whole.
 *
 * Takes the headers set so far. What is left in `set` would make Elysia send the body itself, and there an error is the end of
 * the file.
 */
export async function streamedResponse(
  ctx: Context,
  set: HandlerInput['set'],
  { pieces, headers }: Streamed,
): Promise<Response> {
  const chunks = chunksOf(pieces)
  const begun: Uint8Array[] = []
  for (let bytes = 0; bytes < readAheadBytes; ) {
    const { value, done } = await chunks.next()
    if (done) break
    begun.push(value)
    bytes += value.length
  }
  const all = new Headers({ ...set.headers, ...headers })
  set.headers = {}
  const recordBreak = (error: unknown) => recordError(ctx, error, all.get('x-request-id') ?? '')
  return new Response(bodyOf(begun, chunks, recordBreak), { headers: all })
}

/** The next chunk is made once the last one has been taken; a caller who leaves ends it. */
function bodyOf(
  begun: Uint8Array[],
  chunks: AsyncGenerator<Uint8Array, void>,
  recordBreak: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of begun.splice(0)) controller.enqueue(chunk)
    },
    async pull(controller) {
      try {
        const { value, done } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        recordBreak(error)
        throw error
      }
    },
    cancel: async () => {
      await chunks.return()
    },
  })
}

async function* chunksOf(pieces: Pieces): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  try {
    for (;;) {
      await nextTick()
      const { value, done } = await pieces.next()
      if (done) return
      if (value.length > 0) yield typeof value === 'string' ? encoder.encode(value) : value
    }
  } finally {
    await pieces.return?.()
  }
}
