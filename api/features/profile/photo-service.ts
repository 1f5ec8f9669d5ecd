import { and, eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { whenWritable } from '#api/db/busy.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { memberPhotos, users } from '#api/db/schema/people.ts'
import { AppError, memberNotFound, notFound } from '#api/errors.ts'
import { assertStillLoggedIn } from '#api/features/accounts/login/session-service.ts'
import { squarePhoto } from '#api/features/media/photograph-service.ts'
import type { Member, Owner } from '#api/identity/person.ts'
import { type Room, withPlace } from '#api/serving/key-lock.ts'
import { rateLimits, recordHitsInAdvance } from '#api/serving/rate-limits.ts'
import { type OwnPhoto, photoPath, photoPathForOwners } from '#shared/contract/photo.ts'

/** Drawn or queued. The last of them waits a few seconds. */
const roomForPhotos: Room = {
  name: 'photos',
  most: 8,
  retryAfter: 5,
  message: 'We’re busy. Try again in a few seconds.',
}

/** `signal` ends when the sender leaves. */
type SentPhoto = { read: () => Promise<Uint8Array>; signal: AbortSignal }

/**
 * Each photo has a new address, so that a phone knows which one it holds. One at a time per account, from its first byte, or one
 * account could fill the memory and the queue.
 */
export function setOwnPhoto(ctx: Context, person: Member, sent: SentPhoto): Promise<OwnPhoto> {
  const message = 'Your last photo is still uploading. Try again in a few seconds.'
  const ownRoom: Room = { name: `photo of ${person.id}`, most: 1, message, retryAfter: 5 }
  return withPlace(ctx, ownRoom, () => drawOwnPhoto(ctx, person, sent))
}

async function drawOwnPhoto(ctx: Context, person: Member, { read, signal }: SentPhoto): Promise<OwnPhoto> {
  const bytes = await read()
  if (bytes.length === 0) throw new AppError('invalid', 'This file is empty.')
  await whenWritable(ctx)
  // A slow sender takes no place until the bytes are here, and someone who finds none free hasn't used up an attempt.
  const photo = await withPlace(ctx, roomForPhotos, () => {
    const limit = rateLimits.photos(person.id)
    recordHitsInAdvance(ctx, [limit], 'You can change your photo 30 times a day. Try again tomorrow.')
    return squarePhoto(bytes, { by: `user:${person.id}`, signal })
  })
  return transact(ctx, () => {
    assertStillLoggedIn(ctx, person)
    const [id, createdAt] = [ctx.newId(), ctx.now().toISOString()]
    forgetPhoto(ctx, person.id)
    insertRow(ctx, memberPhotos, { id, userId: person.id, content: Buffer.from(photo).toString('base64'), createdAt })
    return showPhoto(ctx, person.id, photoPath(id))
  })
}

/** Safe to repeat. */
export const removeOwnPhoto = (ctx: Context, person: Member): OwnPhoto =>
  transact(ctx, () => (forgetPhoto(ctx, person.id) ? showPhoto(ctx, person.id, null) : { profileImageUrl: null }))

/** Removes only the photo the owner looked at. If the member has replaced it, that one stays and is returned. */
export const removePhotoOf = (
  ctx: Context,
  owner: Owner,
  { memberId, id }: { memberId: string; id: string },
): OwnPhoto =>
  transact(ctx, () => {
    const member = ctx.db.select({ photo: users.profileImageUrl }).from(users).where(eq(users.id, memberId)).get()
    if (member === undefined) throw memberNotFound()
    if (!forgetPhoto(ctx, memberId, id)) return { profileImageUrl: photoPathForOwners(member.photo) }
    audit(ctx, owner.actor, 'member.photo_removed', { targetId: memberId })
    return setAddress(ctx, memberId, null)
  })

/** Returns whether there was one. With `id`, only that photo. */
const forgetPhoto = ({ db }: Context, userId: string, id?: string): boolean =>
  db
    .delete(memberPhotos)
    .where(and(eq(memberPhotos.userId, userId), id === undefined ? undefined : eq(memberPhotos.id, id)))
    .returning({ id: memberPhotos.id })
    .all().length > 0

function showPhoto(ctx: Context, userId: string, profileImageUrl: string | null): OwnPhoto {
  audit(ctx, `user:${userId}`, 'member.profile_changed', { targetId: userId, detail: { fields: ['photo'] } })
  return setAddress(ctx, userId, profileImageUrl)
}

function setAddress(ctx: Context, userId: string, profileImageUrl: string | null): OwnPhoto {
  const updatedAt = ctx.now().toISOString()
  ctx.db.update(users).set({ profileImageUrl, updatedAt }).where(eq(users.id, userId)).run()
  return { profileImageUrl }
}

/** A photo by its id. With `userId`, only that person's. Browsers must not store it, because a phone may be shared. */
export function photoResponse({ db }: Context, { id, userId }: { id: string; userId?: string }): Response {
  const row = db
    .select({ content: memberPhotos.content })
    .from(memberPhotos)
    .where(and(eq(memberPhotos.id, id), userId === undefined ? undefined : eq(memberPhotos.userId, userId)))
    .get()
  if (row === undefined) throw notFound('This photo')
  const headers = {
    'content-type': 'image/webp',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': `default-src 'none'; sandbox`,
  }
  return new Response(Buffer.from(row.content, 'base64'), { headers })
}
