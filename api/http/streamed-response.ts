import { setImmediate as nextTick } from 'node:timers/promises'
import type { Context } from '#api/context.ts'
import { recordError } from '#api/http/error-responses.ts'
import { noteUnsent } from '#api/http/request-turns.ts'
import type { HandlerInput } from '#api/serving/compressed-response.ts'

/** Making a piece blocks the server, so it should take a millisecond at most. It may be empty. */
type Pieces = Iterator<string, void, undefined> | AsyncIterator<Uint8Array, void, undefined>

type Streamed = { pieces: Pieces; headers: Record<string, string> }

/** The size most files stay below. Only longer ones can still break off after the headers, while memory stays flat. */
const readAheadBytes = 64 * 1024

/**
 * Streams pieces made on demand, so memory stays flat and other requests get in between. An error before the first bytes is an
 * ordinary error response. A later one breaks the connection, since a partial file mustn't look complete.
 *
 * Takes the headers set so far. With anything left in `set`, Elysia would send the body itself, and treat an error as the end of
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
  return new Response(bodyOf(ctx, { begun, chunks, recordBreak }), { headers: all })
}

type Body = {
  begun: Uint8Array[]
  chunks: AsyncGenerator<Uint8Array, void>
  recordBreak: (error: unknown) => void
}

function bodyOf(ctx: Context, { begun, chunks, recordBreak }: Body): ReadableStream<Uint8Array> {
  let isGivenUp = false
  let noteEnd = () => {}
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of begun.splice(0)) controller.enqueue(chunk)
      noteEnd = noteUnsent(ctx, (reason) => {
        isGivenUp = true
        noteEnd()
        controller.error(reason)
        chunks.return().catch(recordBreak)
      })
    },
    async pull(controller) {
      try {
        const { value, done } = await chunks.next()
        if (isGivenUp) return
        if (!done) return controller.enqueue(value)
        noteEnd()
        controller.close()
      } catch (error) {
        noteEnd()
        recordBreak(error)
        throw error
      }
    },
    cancel: async () => {
      noteEnd()
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

type Archive = { fileName: string; pieces: AsyncGenerator<Uint8Array, void> }

/** Sends a ZIP as it's made. */
export const archiveResponse = (
  ctx: Context,
  { fileName, pieces }: Archive,
  set: HandlerInput['set'],
): Promise<Response> =>
  streamedResponse(ctx, set, {
    pieces,
    headers: {
      'content-type': 'application/zip',
      // Encoded, because a brand’s name may have any letter.
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`,
    },
  })
