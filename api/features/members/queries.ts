import { and, count, desc, eq, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { greatest, isOneOf, isTrue, nullable } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { users } from '#api/db/schema/people.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { memberVideos, videoProgress } from '#api/db/schema/videos.ts'
import { accessFrom, currentSubscription, customerOfUser, membershipFields } from '#api/features/access/queries.ts'
import { billingView } from '#api/features/billing/view-service.ts'
import type { AdminMember, AdminMemberDetail } from '#shared/contract/members.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { londonDay } from '#shared/rules/london.ts'
import { stateLine } from '#shared/rules/state-line.ts'

const ticks = sql`from ${videoProgress} where ${videoProgress.userId} = ${users.id}`

/** Why the newest mail that was tried was refused; null where it arrived. */
const refusalOfNewestMail = sql`(
  select iif(${isOneOf(mailOutbox.status, 'refused')}, ${mailOutbox.lastError}, null) from ${mailOutbox}
  where ${eq(mailOutbox.to, users.email)} and ${isOneOf(mailOutbox.status, 'sent', 'refused')}
  order by ${mailOutbox.id} desc limit 1)`

const memberFields = {
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  email: users.email,
  phone: users.phone,
  businessName: users.businessName,
  trade: users.trade,
  isAdmin: users.isAdmin,
  hasPassword: isTrue(isNotNull(users.passwordHash)),
  createdAt: users.createdAt,
  videosCompleted: sql`(select count(*) ${ticks} and ${videoProgress.completed} = 1)`.mapWith(Number),
  lastProgressAt: nullable(videoProgress.updatedAt, sql`(select ${greatest(videoProgress.updatedAt)} ${ticks})`),
  mailRefused: nullable(mailOutbox.lastError, refusalOfNewestMail),
  ...membershipFields,
}

const selectMembers = (ctx: Context) =>
  ctx.db
    .select(memberFields)
    .from(users)
    .leftJoin(customers, customerOfUser)
    .leftJoin(subscriptions, currentSubscription)

export type MemberFilter = { limit: number; cursor: string | undefined; email: string | undefined }

/** Everybody with an account, newest first; pages follow the id. */
export function listMembers(ctx: Context, { limit, cursor, email }: MemberFilter): AdminMember[] {
  const conditions: (SQL | undefined)[] = [
    cursor === undefined ? undefined : lt(users.id, cursor),
    email === undefined ? undefined : eq(users.email, email),
  ]
  const rows = selectMembers(ctx)
    .where(and(...conditions))
    .orderBy(desc(users.id))
    .limit(limit)
    .all()
  const now = ctx.billingNow()
  return rows.map((row) => {
    const access = accessFrom(row, now)
    const { id, firstName, lastName, email, isAdmin, videosCompleted, lastProgressAt, mailRefused, createdAt } = row
    return {
      ...{ id, firstName, lastName, email, isAdmin, videosCompleted, lastProgressAt, mailRefused, createdAt },
      membershipTier: access.tier,
      isMember: access.hasAccess,
      status: access.status,
      label: access.label,
      isComplimentary: access.isComplimentary,
    }
  })
}

/** One person, by id or by e-mail. */
export function findMember(ctx: Context, idOrEmail: string): AdminMemberDetail | null {
  const row = selectMembers(ctx)
    .where(or(eq(users.id, idOrEmail), eq(users.email, idOrEmail.toLowerCase())))
    .get()
  if (row === undefined) return null
  const access = accessFrom(row, ctx.billingNow())
  const { id, firstName, lastName, email, phone, businessName, trade, isAdmin, hasPassword } = row
  const { videosCompleted, lastProgressAt, mailRefused, createdAt } = row
  return {
    ...{ id, firstName, lastName, email, phone, businessName, trade, isAdmin, hasPassword },
    ...{ videosCompleted, lastProgressAt, mailRefused, createdAt },
    membershipType: access.tier,
    isMember: access.hasAccess,
    status: access.status,
    label: access.label,
    stateLine: stateLine(billingView(ctx, { id, access, isAdmin })),
    isComplimentary: access.isComplimentary,
    nextBillingOn: access.nextBillingAt === null ? null : londonDay(new Date(access.nextBillingAt)),
    videosAvailable: isAdmin || access.hasAccess ? countVideos(ctx, isAdmin ? null : access.tier) : 0,
  }
}

const publishedVideos = preparedQuery<{ tier: TierSlug | null }>()((db, { tier }) =>
  db
    .select({ videos: count() })
    .from(memberVideos)
    .where(
      and(
        eq(memberVideos.isPublished, true),
        sql`(${tier} is null or exists (select 1 from json_each(${memberVideos.tierAccess}) where value = ${tier}))`,
      ),
    ),
)

const countVideos = (ctx: Context, tier: TierSlug | null): number => publishedVideos.get(ctx, { tier })?.videos ?? 0
