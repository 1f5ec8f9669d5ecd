import type { Context } from '#api/context.ts'
import { notFound } from '#api/errors.ts'
import { closedPolicy } from '#api/serving/closed-policy.ts'
import { hasMatchingEtag } from '#api/serving/compressed-response.ts'
import { type ByteRange, contentRange, readByteRange } from '#shared/rules/byte-range.ts'
import type { questionFileForms } from '#shared/values/question-values.ts'
import { type FileHolder, findFile } from './file-service.ts'
import { contentOfFile } from './queries.ts'

type Asked = { id: string; form: (typeof questionFileForms)[number]; request: Request }

/** A photo or voice note, for its member and the owners. Browsers keep none of it: a phone may be shared. */
export function respondWithFile(ctx: Context, holder: FileHolder, { id, form, request }: Asked): Response {
  const { sha256, type } = findFile(ctx, holder, id)
  const found = contentOfFile.get(ctx, { fileId: id, form })
  if (found === undefined || type === null) throw notFound('This file')
  const content = new Uint8Array(found.content)
  const etag = `"${sha256}-${form}"`
  const headers = {
    'content-type': form === 'aac' ? 'audio/mp4' : type,
    'content-security-policy': closedPolicy,
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    etag,
  }
  if (hasMatchingEtag(request, etag)) return new Response(null, { status: 304, headers })
  const range = rangeOf(request, { etag, size: content.length })
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${content.length}` } })
  if (range === null) return new Response(content, { headers })
  const part = content.subarray(range.first, range.last + 1)
  return new Response(part, {
    status: 206,
    headers: { ...headers, 'content-range': contentRange(range, content.length) },
  })
}

/** `If-Range` names the version that a range is of. */
function rangeOf(
  { headers, method }: Request,
  { etag, size }: { etag: string; size: number },
): ByteRange | 'unsatisfiable' | null {
  const version = headers.get('if-range')
  const isRanged = method === 'GET' && (version === null || version === etag)
  return isRanged ? readByteRange(headers.get('range'), size) : null
}
