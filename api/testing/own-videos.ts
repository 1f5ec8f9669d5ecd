import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { storeMedia } from '#api/features/media/store-service.ts'
import type { WholeVideo } from '#shared/contract/admin-video.ts'
import type { Call, World } from './world.ts'

export type OwnFile = { address: string; format: string; bytes: number; sha256: string; id: string }

/** Stores a members-only file, as an upload does. Page tests have no `Blob` that can be read as a stream, hence the file. */
export async function storeFile({ ctx }: World, content: Uint8Array, name: string): Promise<OwnFile> {
  const path = join(ctx.settings.dataDir, ctx.newId())
  writeFileSync(path, content)
  try {
    const { id, format, bytes, sha256 } = await storeMedia(ctx, Bun.file(path), { name, isPublic: false })
    return { id, address: `/api/media/${id}.${format}`, format, bytes, sha256 }
  } finally {
    rmSync(path)
  }
}

/** Adds a video for all members. `filmFiles` are ids. */
export async function addOwnVideo(owner: Call, title: string, more: object = {}): Promise<WholeVideo> {
  const video = { title, videoType: 'wistia', videoId: 'abc123def4', category: 'Money', ...more }
  const response = await owner('/api/admin/videos', { body: video })
  if (response.status !== 200) throw new Error(await response.text())
  return response.json()
}
