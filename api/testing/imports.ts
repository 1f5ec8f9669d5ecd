import { createHash } from 'node:crypto'
import { runJob } from '#api/features/operations/jobs/service.ts'
import type { Import, ImportKindName, ImportOptions, ImportRow } from '#shared/contract/imports.ts'
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

export const planMembers = (world: World, call: Call, content: string | Buffer, options: Partial<ImportOptions> = {}) =>
  planFile(world, call, { kind: 'members', name: 'members.csv', content, options })

type GivenFile = { kind: ImportKindName; name: string; content: string | Buffer; options?: Partial<ImportOptions> }

export async function planFile(world: World, call: Call, file: GivenFile) {
  const { id } = await beginFile(call, file)
  await runJob(world.ctx, 'imports')
  return showImport(call, id)
}

export async function beginFile(call: Call, { kind, name, content, options = {} }: GivenFile) {
  const upload = await send(call, name, Buffer.from(content as string))
  return read<Import>(call('/api/admin/imports', { body: { kind, upload, options } }))
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
