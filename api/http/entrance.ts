import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { isFromOurselves } from './request-facts.ts'

/** Largest body that any route takes. */
export const bodyLimit = 256 * 1024

const mutating = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** The provider's calls come from elsewhere and prove themselves by a signature over the raw body. */
export const webhookPath = '/api/stripe/webhook'

/**
 * What every request must pass before a route sees it: one spelling of each path, our own origin and plain JSON for
 * whatever changes something.
 */
export function checkEntrance(ctx: Context, request: Request, path: string): void {
  if (path.includes('//')) throw new AppError('not_found', 'There is nothing at this address.')
  if (path.startsWith('/api/') && path.endsWith('/'))
    throw new AppError('not_found', 'There is nothing at this address.')
  if (!mutating.has(request.method) || path === webhookPath) return
  if (!isFromOurselves(ctx, request)) throw new AppError('wrong_origin', 'This request came from another site.')
  // The sandbox's own pages and calls are form-encoded, as the provider's are.
  if (path.startsWith('/sandbox/')) return
  const type = request.headers.get('content-type')
  if (request.body !== null && type !== 'application/json') {
    throw new AppError('unsupported_media_type', 'Please send JSON (Content-Type: application/json).')
  }
  if (Number(request.headers.get('content-length') ?? 0) > bodyLimit) throw tooLarge()
}

const tooLarge = () => new AppError('too_large', 'That is more than we can take at once.')

/** Reads the body, at most `bodyLimit` bytes of it. */
async function readText(request: Request): Promise<string> {
  if (request.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > bodyLimit) throw tooLarge()
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** The body as its route wants it: the webhook's and the sandbox's as they came, every other one as JSON. */
export function readBody(request: Request, path: string): Promise<unknown> {
  return path === webhookPath || path.startsWith('/sandbox/') ? readText(request) : readJson(request)
}

/** Deeper than any body of ours. What is nested by the thousand costs gigabytes once somebody writes it out as an error. */
const nestingLimit = 16

/** How deep the brackets of a JSON text go; those inside strings do not count. */
function nesting(text: string): number {
  let [depth, deepest, isInString] = [0, 0, false]
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isInString && character === '\\') at += 1
    else if (character === '"') isInString = !isInString
    else if (!isInString && (character === '[' || character === '{')) deepest = Math.max(deepest, ++depth)
    else if (!isInString && (character === ']' || character === '}')) depth -= 1
  }
  return deepest
}

async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request)
  if (text === '') return undefined
  if (nesting(text) > nestingLimit) throw new AppError('malformed', 'The request is nested too deeply.')
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('malformed', 'The request could not be read as JSON.')
  }
}
