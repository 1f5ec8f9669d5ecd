import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { MediaUpload } from '#shared/contract/media.ts'
import { chunkType, maxChunkBytes, offsetHeader } from '#shared/contract/upload-piece.ts'
import type { Client } from './connection.ts'
import { usageError } from './exit-codes.ts'
import { request } from './request.ts'

/** Sends a file to move in from, in pieces. What arrived of it before a cut isn't sent again. Returns the upload's id. */
export async function uploadImport({ api }: Client, path: string): Promise<string> {
  const bytes = sizeOf(path)
  const fingerprint = await hashOf(path)
  const begun = await request(
    MediaUpload,
    api.admin.media.uploads.post({
      name: basename(path),
      bytes,
      fingerprint,
      isPublic: false,
      replaces: null,
      isImport: true,
    }),
  )
  const file = await open(path)
  try {
    for (let { offset } = begun; offset < bytes; ) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(maxChunkBytes), 0, maxChunkBytes, offset)
      const body = new Uint8Array(buffer.subarray(0, bytesRead))
      const headers = { 'content-type': chunkType, [offsetHeader]: offset }
      // The client would make JSON of a body of its own.
      const sent = api.admin.media.uploads({ id: begun.id }).patch(undefined as never, { headers, fetch: { body } })
      offset = (await request(MediaUpload, sent)).offset
    }
  } finally {
    await file.close()
  }
  return begun.id
}

function sizeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw usageError(`There’s no file ${path}.`)
  if (!found.isFile()) throw usageError(`${path} isn’t a file.`)
  if (found.size === 0) throw usageError(`${path} is empty.`)
  return found.size
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(path)) hash.update(bytes)
  return hash.digest('hex')
}
