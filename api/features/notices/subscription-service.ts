import { and, eq, ne } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { pushSubscriptions } from '#api/db/schema/notices.ts'
import { AppError } from '#api/errors.ts'
import type { Member } from '#api/identity/person.ts'
import { isPushAddress } from '#api/push/hosts.ts'
import { type PushAddress, pushRequest } from '#api/push/request.ts'
import { sampleSubject } from '#api/push/subject.ts'
import type { NoticeSettings, PushSubscription } from '#shared/contract/notices.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { listChoices } from './choice-service.ts'
import { pushKeysOf } from './keys-service.ts'
import { openedSince, otherPhones, phoneBySession, phonesOf } from './queries.ts'

const mostPhones = 10
const openedMs = 4 * dayMs

export function readNoticeSettings(ctx: Context, { id: userId, sid }: Member): NoticeSettings {
  const phones = phonesOf.all(ctx, { userId, now: ctx.now().toISOString() })
  const since = new Date(ctx.now().getTime() - openedMs).toISOString()
  return {
    key: pushKeysOf(ctx).publicKey,
    choices: listChoices(ctx, userId),
    isSubscribed: phones.some((phone) => phone.sid === sid),
    phones: phones.length,
    opened: openedSince.all(ctx, { userId, since }).map(({ id }) => id),
  }
}

/** Stores where this browser gets its notices, at each opening again. Its earlier address is forgotten. */
export async function subscribePhone(
  ctx: Context,
  member: Member,
  { endpoint, keys }: PushSubscription,
): Promise<NoticeSettings> {
  const { id: userId, sid } = member
  if (sid === null) throw new AppError('conflict', 'Notices come to a browser. Switch them on there.')
  if (!isPushAddress(ctx.settings, endpoint))
    throw new AppError('invalid', 'Notices don’t work in this browser. Use Chrome, Edge, Firefox or Safari.')
  const address = { endpoint, p256dh: keys.p256dh, auth: keys.auth }
  await assertKeysWork(ctx, address)
  transact(ctx, () => {
    // The browser had another login before, whose notices would come here.
    ctx.db
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.endpoint, endpoint), ne(pushSubscriptions.sid, sid)))
      .run()
    const now = ctx.now().toISOString()
    const known = phoneBySession.get(ctx, { sid })
    if (known === undefined) {
      insertRow(ctx, pushSubscriptions, { id: ctx.newId(), sid, userId, ...address, renewedAt: now, createdAt: now })
      dropLeastRenewed(ctx, userId, sid)
    } else
      ctx.db
        .update(pushSubscriptions)
        .set({ ...address, renewedAt: now })
        .where(eq(pushSubscriptions.id, known.id))
        .run()
  })
  return readNoticeSettings(ctx, member)
}

/** Keys that no message can be written with would fail each time. */
async function assertKeysWork(ctx: Context, address: PushAddress): Promise<void> {
  try {
    const terms = {
      keys: pushKeysOf(ctx),
      subject: sampleSubject,
      ttlSeconds: 60,
      urgency: 'normal',
      topic: 'try',
    } as const
    // Nothing is encrypted, and so no key used, for an empty one.
    await pushRequest(address, 'try', terms)
  } catch {
    throw new AppError('invalid', 'This browser’s keys for notices don’t work. Switch them off and on again.')
  }
}

function dropLeastRenewed(ctx: Context, userId: string, sid: string): void {
  for (const { id } of otherPhones.all(ctx, { userId, sid }).slice(mostPhones - 1))
    ctx.db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, id)).run()
}

export function unsubscribePhone(ctx: Context, member: Member): NoticeSettings {
  ctx.db
    .delete(pushSubscriptions)
    .where(eq(pushSubscriptions.sid, member.sid ?? ''))
    .run()
  return readNoticeSettings(ctx, member)
}

/** For a phone where nobody is logged in now, or someone else is. Only it and its push service know the address. */
export function forgetStray(ctx: Context, endpoint: string): void {
  ctx.db.delete(pushSubscriptions).where(eq(pushSubscriptions.endpoint, endpoint)).run()
}
