import { createHash } from 'node:crypto'
import { runJob } from '#api/jobs/run.ts'
import type { Import, ImportOptions, ImportRow } from '#shared/contract/imports.ts'
import type { MediaUpload } from '#shared/contract/media.ts'
import { chunkType, maxChunkBytes, offsetHeader } from '#shared/contract/upload-piece.ts'
import { type Call, startWorld, type World } from './world.ts'

/** Sends a file as the browser does, in pieces. Returns the upload. */
async function send(call: Call, name: string, content: Buffer): Promise<string> {
  const fingerprint = createHash('sha256').update(content).digest('hex')
  const body = { name, bytes: content.length, fingerprint, isPublic: false, isImport: true }
  const { id } = (await (await call('/api/admin/media/uploads', { body })).json()) as MediaUpload
  for (let offset = 0; offset < content.length; offset += maxChunkBytes)
    await call(`/api/admin/media/uploads/${id}`, {
      method: 'PATCH',
      body: content.subarray(offset, offset + maxChunkBytes),
      headers: { 'content-type': chunkType, [offsetHeader]: String(offset) },
    })
  return id
}

export const read = async <Body>(response: Promise<Response>) => (await response).json() as Promise<Body>
export const showImport = (call: Call, id: string) => read<Import>(call(`/api/admin/imports/${id}`))
export const importRowsOf = (call: Call, id: string, query = '') =>
  read<ImportRow[]>(call(`/api/admin/imports/${id}/rows${query}`))

export async function planMembers(
  world: World,
  call: Call,
  content: string | Buffer,
  options: Partial<ImportOptions> = {},
) {
  const upload = await send(call, 'members.csv', Buffer.from(content as string))
  const begun = await read<Import>(call('/api/admin/imports', { body: { kind: 'members', upload, options } }))
  await runJob(world.ctx, 'imports')
  return showImport(call, begun.id)
}

export async function actOnImport(world: World, call: Call, id: string, what: 'apply' | 'undo') {
  await call(`/api/admin/imports/${id}/${what}`, { method: 'POST' })
  await runJob(world.ctx, 'imports')
  return showImport(call, id)
}

export function startImports() {
  const world = startWorld()
  return { world, call: world.signIn(world.addOwner()) }
}
