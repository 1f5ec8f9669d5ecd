import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import type { Member } from '#api/identity/person.ts'
import { assertWithinLimits, rateLimits, recordHit } from '#api/serving/rate-limits.ts'
import { payloadOf, topicOf } from './payload-rules.ts'
import { phoneBySession, unreadAnswers } from './queries.ts'
import { sendPayload } from './send-service.ts'
import { forgetStray } from './subscription-service.ts'

const path = '/members/notices'

/** Sends this phone a notice straight away, at night too: someone's holding it. */
export async function testNotice(ctx: Context, { id: userId, sid }: Member): Promise<{ success: true }> {
  const phone = phoneBySession.get(ctx, { sid: sid ?? '' })
  if (phone === undefined) throw new AppError('conflict', 'This phone doesn’t get notices yet. Switch one on first.')
  const limit = rateLimits.testNotices(userId)
  assertWithinLimits(ctx, [limit], 'You’ve sent 20 test notices. Try again in an hour.')
  recordHit(ctx, limit)
  const notice = { id: ctx.newId(), kind: 'test' as const, path, userId }
  const badge = unreadAnswers.get(ctx, { userId })?.unread ?? 0
  const payload = payloadOf(notice, { title: 'Notices reach this phone', publicUrl: ctx.settings.publicUrl, badge })
  const { outcome } = await sendPayload(ctx, phone, {
    payload,
    ttlSeconds: 5 * 60,
    urgency: 'high',
    topic: topicOf(notice),
  })
  if (outcome === 'gone') forgetStray(ctx, phone.endpoint)
  if (outcome !== 'sent') throw new AppError('conflict', failures[outcome])
  return { success: true }
}

const failures = {
  gone: 'This phone has stopped taking our notices. Switch them on again.',
  failed: 'It didn’t get to this phone. Switch notices off and on again.',
  delayed: 'We couldn’t reach this phone. Try again in a few minutes.',
} as const
