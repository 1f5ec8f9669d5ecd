import { and, eq, type SQL } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { jobPatienceMs, whenWritable, writeIfPossible } from '#api/db/busy.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { transactTogether } from '#api/db/group-commit.ts'
import { preparedQuery } from '#api/db/query.ts'
import { pushes, pushSubscriptions } from '#api/db/schema/notices.ts'
import { isPushAddress } from '#api/push/hosts.ts'
import { postPush } from '#api/push/post.ts'
import { type PushAddress, type PushRequest, type PushTerms, pushRequest } from '#api/push/request.ts'
import { pushSubject, sampleSubject } from '#api/push/subject.ts'
import { siteSettings } from '#api/site/settings.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { pushKeysOf } from './keys-service.ts'
import { noticeTerms, payloadOf, topicOf } from './payload-rules.ts'
import { type DuePush, phoneOfPush, unreadAnswers } from './queries.ts'
import { forgetRefusal, noteRefusal } from './refusal-service.ts'

export type PushOutcome = 'sent' | 'gone' | 'delayed' | 'failed' | 'expired' | 'unasked'

/** `later`: try again, after as long if the push service named a time. */
type Reply = { outcome: 'sent' | 'gone' | 'failed' } | { outcome: 'delayed'; afterMs: number | null; says: string }

/** By how often it was tried. After the last it's the same again, until nobody would want to hear of it any more. */
const backOffMs = [30_000, 2 * 60_000, 10 * 60_000, 30 * 60_000, 60 * 60_000]

export const backOffOf = (attempts: number): number => backOffMs[Math.min(attempts, backOffMs.length) - 1] ?? 30_000

/** Sends one push that's been taken, and stores what came of it. */
export async function deliverPush(ctx: Context, push: DuePush): Promise<PushOutcome> {
  const outcome = await tryPush(ctx, push)
  ctx.meter.pushed(outcome)
  return outcome
}

async function tryPush(ctx: Context, push: DuePush): Promise<PushOutcome> {
  const [{ noticeId, subscriptionId }, now] = [push, ctx.now()]
  const phone = phoneOfPush.get(ctx, { noticeId, subscriptionId, now: now.toISOString() })
  if (phone === undefined) return 'unasked'
  const { ttlSeconds } = noticeTerms[push.kind]
  const endsAt = Date.parse(push.dueAt) + ttlSeconds * 1000
  if (endsAt <= now.getTime()) {
    await transactTogether(ctx, () => finish(ctx, push, 'expired'))
    return 'expired'
  }
  const payload = payloadOf(
    { id: noticeId, ...push },
    {
      title: noticeTerms[push.kind].title,
      publicUrl: ctx.settings.publicUrl,
      badge: unreadAnswers.get(ctx, push)?.unread ?? 0,
    },
  )
  const reply = await sendPayload(ctx, phone, {
    payload,
    ttlSeconds: Math.ceil((endsAt - now.getTime()) / 1000),
    urgency: noticeTerms[push.kind].urgency,
    topic: topicOf(push),
  })
  return storeReply(ctx, push, { reply, phone })
}

type Sent = Pick<PushTerms, 'ttlSeconds' | 'urgency' | 'topic'> & { payload: object }

/** Encrypts a message for a phone and hands it to its push service. */
export async function sendPayload(ctx: Context, phone: PushAddress, { payload, ...terms }: Sent): Promise<Reply> {
  // The setting may have named its host when it was subscribed.
  if (!isPushAddress(ctx.settings, phone.endpoint)) return { outcome: 'failed' }
  const { settings } = ctx
  const subject = pushSubject({ settings, site: siteSettings(ctx) }) ?? sampleSubject
  const request = await encrypted(phone, JSON.stringify(payload), { ...terms, keys: pushKeysOf(ctx), subject })
  // Its keys don't work, whatever wrote them: it never gets anything, and mustn't keep others from theirs.
  if (request === null) return { outcome: 'gone' }
  const answer = await postPush(request)
  const { host } = new URL(phone.endpoint)
  if (answer.status === null) return { outcome: 'delayed', afterMs: null, says: answer.says }
  const { status, retryAfterMs, says } = answer
  if (status >= 200 && status < 300) {
    writeIfPossible(ctx, () => forgetRefusal(ctx, host))
    return { outcome: 'sent' }
  }
  if (status === 404 || status === 410) return { outcome: 'gone' }
  const said = `${status} ${says}`.trim()
  if (status === 401 || status === 403) writeIfPossible(ctx, () => noteRefusal(ctx, { host, says: said }))
  const isOurs = status === 401 || status === 403 || status === 429 || status >= 500
  return isOurs ? { outcome: 'delayed', afterMs: retryAfterMs, says: said } : { outcome: 'failed' }
}

async function encrypted(...of: Parameters<typeof pushRequest>): Promise<PushRequest | null> {
  try {
    return await pushRequest(...of)
  } catch {
    return null
  }
}

type Finished = {
  noticeId: string
  subscriptionId: string
  status: 'sent' | 'failed' | 'expired'
  sentAt: string | null
}

const isWaiting = (noticeId: string | SQL<string>, subscriptionId: string | SQL<string>) =>
  and(eq(pushes.noticeId, noticeId), eq(pushes.subscriptionId, subscriptionId), isOneOf(pushes.status, 'waiting'))

const finishPush = preparedQuery<Finished>()((db, { noticeId, subscriptionId, status, sentAt }) =>
  db.update(pushes).set({ status, sentAt }).where(isWaiting(noticeId, subscriptionId)),
)

const finish = (ctx: Context, { noticeId, subscriptionId }: DuePush, status: Finished['status']) =>
  finishPush.run(ctx, { noticeId, subscriptionId, status, sentAt: status === 'sent' ? ctx.now().toISOString() : null })

const putOff = (ctx: Context, push: DuePush, { ms, says }: { ms: number; says: string }) =>
  ctx.db
    .update(pushes)
    .set({ nextAttemptAt: new Date(ctx.now().getTime() + ms).toISOString(), lastError: says.slice(0, 300) })
    .where(isWaiting(push.noticeId, push.subscriptionId))
    .run()

type Replied = { reply: Reply; phone: PushAddress }

/**
 * With what others of the moment were told: each alone would wait for the disk, and everyone with it. A push whose reply isn't
 * stored goes out again, so this waits as long as a job may.
 */
async function storeReply(ctx: Context, push: DuePush, { reply, phone }: Replied): Promise<PushOutcome> {
  await whenWritable(ctx, jobPatienceMs)
  return transactTogether(ctx, () => {
    const { outcome } = reply
    if (outcome === 'sent' || outcome === 'failed') finish(ctx, push, outcome)
    if (outcome === 'gone') endSubscription(ctx, push, phone)
    if (outcome === 'delayed')
      putOff(ctx, push, { ms: Math.min(reply.afterMs ?? backOffOf(push.attempts + 1), dayMs), says: reply.says })
    return outcome
  })
}

/** If the phone has given another address meanwhile, that one stays, and gets this push. */
function endSubscription(ctx: Context, push: DuePush, { endpoint }: PushAddress): void {
  const isThatAddress = and(eq(pushSubscriptions.id, push.subscriptionId), eq(pushSubscriptions.endpoint, endpoint))
  const ended = ctx.db.delete(pushSubscriptions).where(isThatAddress).run()
  if (ended.changes === 0) putOff(ctx, push, { ms: 0, says: 'The phone has another address by now.' })
}
