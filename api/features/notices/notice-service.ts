import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { restoredAt } from '#api/db/generation.ts'
import { insertIfAbsent, insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import type { MailAttachment } from '#api/db/schema/mail.ts'
import { notices, pushes, type WaitingMail } from '#api/db/schema/notices.ts'
import { users } from '#api/db/schema/people.ts'
import { composeMail, queueMail } from '#api/mail/outbox.ts'
import { findMailOfCause } from '#api/mail/outbox-queries.ts'
import type { Message } from '#api/mail/templates/layout.ts'
import type { NoticeKind } from '#shared/contract/notices.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { afterQuiet } from '#shared/rules/quiet-hours.ts'
import { choiceOf, mailAfterPush, purposeOfKind } from './choice-service.ts'
import { noticeByCause, phonesOf } from './queries.ts'
import { wakeNotices } from './wake-service.ts'

export type Told = {
  /** What makes it one notice and one email, such as `answer:MESSAGE`. Told again, nothing happens. */
  cause: string
  userId: string
  kind: NoticeKind
  /** The page it opens, such as `/members/questions/…`. */
  path: string
  /** Null if there's none, or if it's queued elsewhere. */
  mail: Message | null
  attachment?: MailAttachment
  /**
   * When it happened, if that wasn't just now. What's older than a day isn't told by push: after a restore we'd hear of it again.
   * `unknown`: it may be as old where this copy was restored within a day.
   */
  happenedAt?: Date | 'unknown'
  /** From then on it's of no use. An email that would wait until then goes straight away. */
  until?: Date
}

/** How long an email waits for its push to be confirmed. */
export const confirmMs = 15 * 60_000

/**
 * Tells a member of something, once, inside its cause's transaction: a push to each of their phones if they chose this kind, and
 * the email. The email of an answer, a call and a commitment's day waits for the push, and goes if no phone confirms that it came and
 * nobody opens it.
 */
export function tellMember(ctx: Context, told: Told): void {
  const { cause, userId, kind } = told
  if (noticeByCause.get(ctx, { cause }) !== undefined) return
  const email = emailOf(ctx, userId)
  if (email === undefined) return
  const choice = choiceOf(ctx, userId, kind)
  const mail = told.mail === null || choice.byMail === false ? null : waitingMailOf(ctx, { ...told, mail: told.mail })
  const due = afterQuiet(ctx.now())
  const isPushed = choice.byPush && !isOldNews(ctx, told) && isBefore(due, told.until)
  const phones = isPushed ? phonesOf.all(ctx, { userId, now: ctx.now().toISOString() }) : []
  // At night no email that waited goes either.
  const mailAt = afterQuiet(new Date(due.getTime() + confirmMs))
  const waits = phones.length > 0 && mailAfterPush.includes(kind) && isBefore(mailAt, told.until)
  if (mail !== null && findMailOfCause(ctx, cause) !== null) return
  if (mail !== null && !waits) sendNow(ctx, { cause, userId, to: email, mail })
  if (phones.length > 0) storeNotice(ctx, told, { phones, due, waiting: waits && mail ? { mail, mailAt } : null })
}

const isBefore = (at: Date, until: Date | undefined) => until === undefined || at.getTime() < until.getTime()

function isOldNews(ctx: Context, { happenedAt }: Told): boolean {
  const since = new Date(ctx.now().getTime() - dayMs)
  if (happenedAt !== 'unknown') return happenedAt !== undefined && happenedAt < since
  return (restoredAt(ctx) ?? '') > since.toISOString()
}

const emailOf = ({ db }: Context, userId: string): string | undefined =>
  db.select({ email: users.email }).from(users).where(eq(users.id, userId)).get()?.email

function waitingMailOf(ctx: Context, { cause, userId, kind, mail, attachment }: Told & { mail: Message }): WaitingMail {
  const purpose = purposeOfKind[kind] ?? null
  const body = composeMail(ctx, { cause, userId, ...(purpose === null ? {} : { purpose }) }, mail)
  return { ...body, attachment: attachment ?? null, purpose }
}

type Sent = { cause: string; userId: string; to: string; mail: WaitingMail }

/** Puts a notice's email in the outbox. Its cause keeps it one. */
export function sendNow(ctx: Context, { mail: { attachment, purpose, ...body }, ...envelope }: Sent): void {
  queueMail(ctx, {
    ...envelope,
    ...body,
    isRepeatable: true,
    ...(attachment === null ? {} : { attachment }),
    ...(purpose === null ? {} : { purpose }),
  })
}

type Ways = { phones: readonly { id: string }[]; due: Date; waiting: { mail: WaitingMail; mailAt: Date } | null }

function storeNotice(ctx: Context, { cause, userId, kind, path }: Told, { phones, due, waiting }: Ways): void {
  const id = ctx.newId()
  const isNew = insertIfAbsent(ctx, notices, {
    id,
    cause,
    userId,
    kind,
    path,
    createdAt: ctx.now().toISOString(),
    dueAt: due.toISOString(),
    ...(waiting === null ? {} : { mail: waiting.mail, mailAt: waiting.mailAt.toISOString() }),
  })
  if (!isNew) return
  for (const phone of phones)
    insertRow(ctx, pushes, { noticeId: id, subscriptionId: phone.id, nextAttemptAt: due.toISOString() })
  wakeNotices(ctx)
}

/** The worker has shown it: no email is needed any more. One that has gone has gone. */
export function confirmNotice(ctx: Context, userId: string, id: string): void {
  const now = ctx.now().toISOString()
  const isTheirs = and(eq(notices.id, id), eq(notices.userId, userId), isNull(notices.confirmedAt))
  ctx.db.update(notices).set({ confirmedAt: now, endedAt: now, mail: null }).where(isTheirs).run()
}

/** Someone pressed it, so it needn't come to the member's other phones any more. */
export function openNotice(ctx: Context, userId: string, id: string): void {
  transact(ctx, () => endAsOpened(ctx, and(eq(notices.id, id), eq(notices.userId, userId), isNull(notices.openedAt))))
}

/** The member has seen what the notices of this page tell of, without pressing any. Call it where the reading is stored. */
export function readNotices(ctx: Context, { userId, path }: { userId: string; path: string }): void {
  endAsOpened(ctx, and(eq(notices.userId, userId), eq(notices.path, path), isNull(notices.openedAt)))
}

/** What it tells of isn't so any more: a call was moved. It doesn't come to phones it hasn't come to yet, nor by email. */
export function withdrawNotice(ctx: Context, cause: string): void {
  const ended = and(eq(notices.cause, cause), isNull(notices.endedAt))
  const now = ctx.now().toISOString()
  const known = noticeByCause.get(ctx, { cause })
  if (known === undefined) return
  ctx.db.update(notices).set({ endedAt: now, mail: null }).where(ended).run()
  endWaiting(ctx, known.id)
}

const endWaiting = (ctx: Context, noticeId: string) =>
  ctx.db
    .update(pushes)
    .set({ status: 'expired' })
    .where(and(eq(pushes.noticeId, noticeId), eq(pushes.status, 'waiting')))
    .run()

function endAsOpened(ctx: Context, which: ReturnType<typeof and>): void {
  const now = ctx.now().toISOString()
  const opened = ctx.db
    .update(notices)
    .set({ openedAt: now, endedAt: now, mail: null })
    .where(which)
    .returning({ id: notices.id })
    .all()
  for (const { id } of opened) endWaiting(ctx, id)
}
