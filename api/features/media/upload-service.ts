import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import type { Owner } from '#api/http/session.ts'
import type { MediaFile, NewPicture } from '#shared/contract/media.ts'
import { mediaAddress } from '#shared/rules/media.ts'
import { withoutMetadata } from './photograph-service.ts'
import { storeMedia } from './store-service.ts'

/** Stores a picture for everybody, without what the camera wrote into it. */
export async function addPicture(ctx: Context, owner: Owner, { name, content }: NewPicture): Promise<MediaFile> {
  const picture = await withoutMetadata(new Uint8Array(Buffer.from(content, 'base64')))
  const stored = await storeMedia(ctx, picture, { name, isPublic: true })
  audit(ctx, owner.actor, 'media.added', { targetId: stored.id, detail: { name: stored.name } })
  return { ...stored, address: mediaAddress(stored), videos: 0 }
}
