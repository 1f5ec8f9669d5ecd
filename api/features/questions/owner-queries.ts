import { and, desc, eq, isNotNull, isNull, lt, ne, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { nullable } from '#api/db/expressions.ts'
import { type Listing, type ListPage, matches, readPage } from '#api/db/listing.ts'
import type { PeopleFound } from '#api/db/people-found.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { publishedQuestions, questionFiles, questionMessages, questions } from '#api/db/schema/questions.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { notFound } from '#api/errors.ts'
import { allTiers } from '#api/features/tiers/service.ts'
import { accessOfUser, currentSubscription, customerOfUser, hasAccessAt, tierAt } from '#api/identity/access-queries.ts'
import type { InboxQuestion, InboxQuestionQuery, QuestionFilter, QuestionRecord } from '#shared/contract/questions.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { missingAfterMs } from '#shared/rules/question-file.ts'
import { readQuestion, stateOf } from './reading-service.ts'

const excerptLength = 200

const isWaiting = and(isNull(questions.answeredAt), isNull(questions.closedAt), isNull(questions.withdrawnAt))

const conditions: Record<QuestionFilter, SQL | undefined> = {
  waiting: isWaiting,
  answered: and(isNotNull(questions.answeredAt), isNull(questions.closedAt), isNull(questions.withdrawnAt)),
  closed: and(isNotNull(questions.closedAt), isNull(questions.withdrawnAt)),
  // Nothing is left of one that was withdrawn.
  all: isNull(questions.withdrawnAt),
}

const milliseconds = (instant: SQLWrapper) => sql`cast(round(unixepoch(${instant}, 'subsec') * 1000) as integer)`

/** Waiting questions come first, the longest wait on top. The rest follow by their last change. The index `questions_listed` has the same order. */
const waitingFirst = sql`iif(${isWaiting}, ${milliseconds(questions.waitsSince)}, 9000000000000000 - ${milliseconds(questions.updatedAt)})`

const wordsOf = sql`(select group_concat(${questionMessages.text}, ' ') from ${questionMessages} where ${eq(questionMessages.questionId, questions.id)})`

type Key = 'wait' | 'recent' | 'all'

const listing: Listing<Key> = {
  id: questions.id,
  sorts: { wait: questions.waitsSince, recent: questions.updatedAt, all: waitingFirst },
  defaultSort: 'wait',
  search: [users.firstName, users.lastName, users.email, users.businessName, questions.videoTitle, wordsOf],
}

const sortOf = { waiting: 'wait', answered: '-recent', closed: '-recent', all: 'all' } as const

/** What a reference is made of. */
const lastOfId = sql`substr(${questions.id}, -8)`

type Wanted = Pick<InboxQuestionQuery, 'filter' | 'q' | 'cursor' | 'member' | 'reference'> & {
  limit: number
  waitsBefore?: string
}

/** One page of what members asked. `waitsBefore`: only those that have waited since before then. */
export function listInboxQuestions(
  ctx: Context,
  { filter, member, reference, waitsBefore, ...request }: Wanted,
): ListPage<InboxQuestion> {
  const isWanted = and(
    conditions[filter],
    member === undefined ? undefined : eq(questions.userId, member),
    reference === undefined ? undefined : eq(lastOfId, reference.replace('-', '').toLowerCase()),
    waitsBefore === undefined ? undefined : lt(questions.waitsSince, waitsBefore),
  )
  const found = findQuestions(ctx, request.q, isWanted)
  const page = readPage<Key, { id: string }>(
    listing,
    { ...request, sort: sortOf[filter] },
    {
      rows: ({ where, orderBy, limit, position }) =>
        ctx.db
          .select({ id: questions.id, position })
          .from(questions)
          .innerJoin(users, eq(users.id, questions.userId))
          .where(and(isWanted, ...where))
          .orderBy(...orderBy)
          .limit(limit)
          .all(),
      total: () => found?.total() ?? countQuestions(ctx, isWanted),
      people: { id: questions.id, found, isWhole: true },
    },
  )
  return {
    ...page,
    rows: inboxQuestions(
      ctx,
      page.rows.map(({ id }) => id),
    ),
  }
}

/** Those a search finds, which goes through all of them once for a page and its count. Null without one. */
function findQuestions({ db }: Context, q: string | undefined, isWanted: SQL | undefined): PeopleFound | null {
  const found = matches(listing.search, q)
  if (found.length === 0) return null
  const rows = db
    .select({ id: questions.id })
    .from(questions)
    .innerJoin(users, eq(users.id, questions.userId))
    .where(and(isWanted, ...found))
    .all()
  return { ids: rows.map(({ id }) => id), total: () => rows.length }
}

/** Counts without joining the people: the index of waiting questions is enough. */
const countQuestions = ({ db }: Context, isWanted: SQL | undefined): number =>
  db
    .select({ rows: sql`count(*)`.mapWith(Number) })
    .from(questions)
    .where(isWanted)
    .get()?.rows ?? 0

const ofQuestion = sql`from ${questionMessages} where ${eq(questionMessages.questionId, questions.id)} and ${questionMessages.author} = 'member'`

/** `cross join` keeps the order: from a question to its files, never through all that aren't here yet. */
const filesOf = (condition: SQL) =>
  sql`(select count(*) from ${questionMessages} cross join ${questionFiles} on ${questionFiles.messageId} = ${questionMessages.id}
    where ${eq(questionMessages.questionId, questions.id)} and ${questionMessages.author} = 'member' and ${condition})`.mapWith(
    Number,
  )

const inboxFields = {
  id: questions.id,
  userId: questions.userId,
  firstName: users.firstName,
  lastName: users.lastName,
  email: users.email,
  videoId: questions.videoId,
  videoTitle: questions.videoTitle,
  seconds: questions.seconds,
  excerpt: sql`coalesce((select substr(${questionMessages.text}, 1, ${sql.raw(String(excerptLength))}) ${ofQuestion}
    order by ${questionMessages.at} desc, ${questionMessages.id} desc limit 1), '')`.mapWith(String),
  photos: filesOf(sql`${questionFiles.kind} = 'photo'`),
  voiceNotes: filesOf(sql`${questionFiles.kind} = 'voice'`),
  askedAt: questions.askedAt,
  waitsSince: questions.waitsSince,
  answeredAt: questions.answeredAt,
  closedAt: questions.closedAt,
  withdrawnAt: questions.withdrawnAt,
  readByCoachAt: questions.readByCoachAt,
  version: questions.version,
}

/** These questions as Inbox lists them, in the order of their ids. */
function inboxQuestions(ctx: Context, ids: readonly string[]): InboxQuestion[] {
  if (ids.length === 0) return []
  const [now, billingNow] = [ctx.now(), ctx.billingNow()]
  const since = new Date(now.getTime() - missingAfterMs).toISOString()
  const isComing = sql`${questionFiles.readyAt} is null and ${questionFiles.refusal} is null and ${questionMessages.receivedAt} > ${since}`
  const rows = ctx.db
    .select({
      ...inboxFields,
      coming: filesOf(isComing),
      hasAccess: sql`${hasAccessAt(billingNow)}`.mapWith(Boolean),
      tier: nullable(subscriptions.tierSlug, tierAt(billingNow)),
    })
    .from(questions)
    .innerJoin(users, eq(users.id, questions.userId))
    .leftJoin(customers, customerOfUser)
    .leftJoin(subscriptions, currentSubscription)
    .where(sql`${questions.id} in (select value from json_each(${JSON.stringify(ids)}))`)
    .all()
  const tierNames = new Map(allTiers(ctx).map(({ slug, name }) => [slug, name]))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row === undefined ? [] : [toInboxQuestion(row, tierNames)]
  })
}

type InboxRow = {
  id: string
  userId: string
  firstName: string | null
  lastName: string | null
  email: string
  tier: string | null
  hasAccess: boolean
  videoId: string | null
  videoTitle: string | null
  seconds: number | null
  excerpt: string
  photos: number
  voiceNotes: number
  coming: number
  askedAt: string
  waitsSince: string
  answeredAt: string | null
  closedAt: string | null
  withdrawnAt: string | null
  readByCoachAt: string | null
  version: number
}

function toInboxQuestion(row: InboxRow, tierNames: ReadonlyMap<string, string>): InboxQuestion {
  const { id, userId, email, tier, hasAccess, videoTitle, seconds, coming } = row
  const state = stateOf(row)
  return {
    id,
    member: {
      id: userId,
      name: nameOrEmail(row),
      email,
      tier: hasAccess && tier ? (tierNames.get(tier) ?? tier) : null,
    },
    video: videoTitle === null ? null : { id: row.videoId, title: videoTitle, seconds: seconds ?? 0 },
    excerpt: row.excerpt,
    photos: row.photos,
    voiceNotes: row.voiceNotes,
    isComing: coming > 0,
    state,
    askedAt: row.askedAt,
    waitsSince: state === 'sent' || state === 'read' ? row.waitsSince : null,
    answeredAt: row.answeredAt,
    version: row.version,
  }
}

const earlierLimit = 20

const firstText = sql`(select substr(${questionMessages.text}, 1, ${sql.raw(String(excerptLength))}) from ${questionMessages}
  where ${eq(questionMessages.questionId, questions.id)} order by ${questionMessages.at}, ${questionMessages.id} limit 1)`
/** Nested in another `sql`, or Drizzle drops the table names. */
const firstWords = sql`coalesce(${firstText}, '')`.mapWith(String)

const earlierOf = preparedQuery<{ userId: string; id: string }>()((db, { userId, id }) =>
  db
    .select({
      id: questions.id,
      askedAt: questions.askedAt,
      answeredAt: questions.answeredAt,
      closedAt: questions.closedAt,
      withdrawnAt: questions.withdrawnAt,
      readByCoachAt: questions.readByCoachAt,
      excerpt: firstWords,
    })
    .from(questions)
    .where(and(eq(questions.userId, userId), ne(questions.id, id), isNull(questions.withdrawnAt)))
    .orderBy(desc(questions.askedAt))
    .limit(earlierLimit),
)

const publishedOf = preparedQuery<{ questionId: string }>()((db, { questionId }) =>
  db
    .select({
      id: publishedQuestions.id,
      videoId: publishedQuestions.videoId,
      question: publishedQuestions.question,
      answer: publishedQuestions.answer,
      version: publishedQuestions.version,
    })
    .from(publishedQuestions)
    .where(eq(publishedQuestions.questionId, questionId)),
)

/** A question with all that an owner answers it by. */
export function readRecord(ctx: Context, id: string): QuestionRecord {
  const question = readQuestion(ctx, id)
  const [listed] = inboxQuestions(ctx, [id])
  if (listed === undefined) throw notFound('This question')
  const member = { ...listed.member, tierSlug: accessOfUser(ctx, listed.member.id).tier }
  const earlier = earlierOf.all(ctx, { userId: member.id, id }).map(({ id: other, askedAt, excerpt, ...states }) => ({
    id: other,
    askedAt,
    excerpt,
    state: stateOf(states),
  }))
  return { question, member, earlier, published: publishedOf.get(ctx, { questionId: id }) ?? null }
}
