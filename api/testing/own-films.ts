import { storeMedia } from '#api/features/media/store-service.ts'
import type { AdminLesson } from '#shared/contract/admin-video.ts'
import type { Call, World } from './world.ts'

export type OwnFile = { address: string; format: string; bytes: number; sha256: string; id: string }

/** Stores a members-only file, as an upload does. */
export async function storeFile(world: World, content: Uint8Array, name: string): Promise<OwnFile> {
  const file = { name, isPublic: false }
  const { id, format, bytes, sha256 } = await storeMedia(world.ctx, new Blob([new Uint8Array(content)]), file)
  return { id, address: `/api/media/${id}.${format}`, format, bytes, sha256 }
}

/** Adds a video for all members. `filmFiles` are ids. */
export async function addOwnVideo(owner: Call, title: string, more: object = {}): Promise<AdminLesson> {
  const video = { title, videoType: 'wistia', videoId: 'abc123def4', category: 'Money', ...more }
  const response = await owner('/api/admin/videos', { body: video })
  if (response.status !== 200) throw new Error(await response.text())
  return response.json()
}
