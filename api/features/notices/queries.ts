import { and, asc, count, desc, eq, exists, gt, isNotNull, isNull, lt, lte, ne, not, or, type SQL } from 'drizzle-orm'
import { isOneOf } from '#api/db/expressions.ts'
import type { Db } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { noticeChoices, notices, pushes, pushSubscriptions } from '#api/db/schema/notices.ts'
import { users } from '#api/db/schema/people.ts'
import { questionMessages, questions } from '#api/db/schema/questions.ts'
import { sessions } from '#api/db/schema/sessions.ts'

export const choicesOf = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({ kind: noticeChoices.kind, byPush: noticeChoices.byPush, byMail: noticeChoices.byMail })
    .from(noticeChoices)
    .where(eq(noticeChoices.userId, userId)),
)

/** A subscription lives as long as its login. */
const isLoggedIn = (now: SQL<string>) => and(eq(sessions.sid, pushSubscriptions.sid), gt(sessions.expire, now))

export const phonesOf = preparedQuery<{ userId: string; now: string }>()((db, { userId, now }) =>
  db
    .select({ id: pushSubscriptions.id, sid: pushSubscriptions.sid })
    .from(pushSubscriptions)
    .innerJoin(sessions, isLoggedIn(now))
    .where(eq(pushSubscriptions.userId, userId))
    .orderBy(desc(pushSubscriptions.renewedAt), desc(pushSubscriptions.id)),
)

export const phoneBySession = preparedQuery<{ sid: string }>()((db, { sid }) =>
  db.select().from(pushSubscriptions).where(eq(pushSubscriptions.sid, sid)),
)

type Receivers = { kind: typeof noticeChoices.$inferSelect.kind; at: string; now: string; after: string; limit: number }

/** Members who get this kind by push, and already did at `at`, by id. */
export const receiversOf = preparedQuery<Receivers>()((db, { kind, at, now, after, limit }) =>
  db
    .select({ userId: noticeChoices.userId })
    .from(noticeChoices)
    .where(
      and(
        eq(noticeChoices.kind, kind),
        noticeChoices.byPush,
        lte(noticeChoices.changedAt, at),
        gt(noticeChoices.userId, after),
        exists(
          db
            .select({ id: pushSubscriptions.id })
            .from(pushSubscriptions)
            .innerJoin(sessions, isLoggedIn(now))
            .where(and(eq(pushSubscriptions.userId, noticeChoices.userId), lte(pushSubscriptions.createdAt, at))),
        ),
      ),
    )
    .orderBy(asc(noticeChoices.userId))
    .limit(limit),
)

export const noticeByCause = preparedQuery<{ cause: string }>()((db, { cause }) =>
  db.select({ id: notices.id }).from(notices).where(eq(notices.cause, cause)),
)

export const duePushes = preparedQuery<{ now: string; limit: number }>()((db, { now, limit }) =>
  db
    .select({
      noticeId: pushes.noticeId,
      subscriptionId: pushes.subscriptionId,
      attempts: pushes.attempts,
      kind: notices.kind,
      path: notices.path,
      userId: notices.userId,
      dueAt: notices.dueAt,
    })
    .from(pushes)
    .innerJoin(notices, eq(notices.id, pushes.noticeId))
    .innerJoin(pushSubscriptions, eq(pushSubscriptions.id, pushes.subscriptionId))
    .innerJoin(sessions, isLoggedIn(now))
    .where(and(isOneOf(pushes.status, 'waiting'), lte(pushes.nextAttemptAt, now)))
    .orderBy(asc(pushes.nextAttemptAt), asc(pushes.noticeId))
    .limit(limit),
)
export type DuePush = ReturnType<typeof duePushes.all>[number]

/** Undefined once the phone has logged out, or the push is no longer waited for. */
export const phoneOfPush = preparedQuery<{ noticeId: string; subscriptionId: string; now: string }>()(
  (db, { noticeId, subscriptionId, now }) =>
    db
      .select({
        endpoint: pushSubscriptions.endpoint,
        p256dh: pushSubscriptions.p256dh,
        auth: pushSubscriptions.auth,
      })
      .from(pushes)
      .innerJoin(pushSubscriptions, eq(pushSubscriptions.id, pushes.subscriptionId))
      .innerJoin(sessions, isLoggedIn(now))
      .where(
        and(
          eq(pushes.noticeId, noticeId),
          eq(pushes.subscriptionId, subscriptionId),
          isOneOf(pushes.status, 'waiting'),
        ),
      ),
)

/** Condition: a push of it hasn't been tried yet, as on a day when many wait. Its email's minutes begin when it has. */
const isStillToTry = (db: Db, now: SQL<string>) =>
  exists(
    db
      .select({ id: pushes.noticeId })
      .from(pushes)
      .innerJoin(pushSubscriptions, eq(pushSubscriptions.id, pushes.subscriptionId))
      .innerJoin(sessions, isLoggedIn(now))
      .where(and(eq(pushes.noticeId, notices.id), isOneOf(pushes.status, 'waiting'), eq(pushes.attempts, 0))),
  )

/** `mailAt` and `endedAt` as the partial index has them. */
export const dueMails = preparedQuery<{ now: string; limit: number }>()((db, { now, limit }) =>
  db
    .select({
      id: notices.id,
      cause: notices.cause,
      userId: notices.userId,
      kind: notices.kind,
      mail: notices.mail,
      email: users.email,
    })
    .from(notices)
    .innerJoin(users, eq(users.id, notices.userId))
    .where(
      and(isNull(notices.endedAt), isNotNull(notices.mailAt), lte(notices.mailAt, now), not(isStillToTry(db, now))),
    )
    .orderBy(asc(notices.mailAt))
    .limit(limit),
)

/** What the icon's badge shows: as a phone counts `isUnread`, also where the member has added to the question since. */
export const unreadAnswers = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({ unread: count() })
    .from(questions)
    .where(
      and(
        eq(questions.userId, userId),
        exists(
          db
            .select({ id: questionMessages.id })
            .from(questionMessages)
            .where(
              and(
                eq(questionMessages.questionId, questions.id),
                eq(questionMessages.author, 'coach'),
                or(isNull(questions.readByMemberAt), lt(questions.readByMemberAt, questionMessages.at)),
              ),
            ),
        ),
      ),
    ),
)

export const openedSince = preparedQuery<{ userId: string; since: string }>()((db, { userId, since }) =>
  db
    .select({ id: notices.id })
    .from(notices)
    .where(and(eq(notices.userId, userId), gt(notices.createdAt, since), isNotNull(notices.openedAt)))
    .orderBy(desc(notices.createdAt))
    .limit(50),
)

export const otherPhones = preparedQuery<{ userId: string; sid: string }>()((db, { userId, sid }) =>
  db
    .select({ id: pushSubscriptions.id })
    .from(pushSubscriptions)
    .where(and(eq(pushSubscriptions.userId, userId), ne(pushSubscriptions.sid, sid)))
    .orderBy(desc(pushSubscriptions.renewedAt), desc(pushSubscriptions.id)),
)
