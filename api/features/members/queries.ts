import { and, count, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { greatest, isOneOf, isTrue, nullable, total } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { findPeople } from '#api/db/people-found.ts'
import { personColumns } from '#api/db/person-texts.ts'
import { countWhere, preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { users } from '#api/db/schema/people.ts'
import { endedStatuses, subscriptions } from '#api/db/schema/subscriptions.ts'
import { memberVideos, videoProgress, videoTiers } from '#api/db/schema/videos.ts'
import { isCounted } from '#api/features/earnings/revenue/queries.ts'
import { isShownOn } from '#api/features/media/shown-queries.ts'
import { billingView, stateLines } from '#api/features/subscriptions/view-service.ts'
import { assertTier, tierNames } from '#api/features/tiers/service.ts'
import {
  type Access,
  accessFrom,
  countUsers,
  currentSubscription,
  customerOfUser,
  hasAccessAt,
  isGrantedAt,
  isPaymentDue,
  membershipFields,
} from '#api/identity/access-queries.ts'
import { refusalOfNewestMail } from '#api/mail/outbox-queries.ts'
import {
  type AdminMember,
  type AdminMemberDetail,
  type AdminMemberQuery,
  MemberCounts,
  type memberFilters,
  type memberSorts,
} from '#shared/contract/members.ts'
import { photoPathForOwners } from '#shared/contract/photo.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { londonDay } from '#shared/rules/london.ts'
import { stateLine } from '#shared/rules/state-line.ts'
import { isAtRisk } from './risk-queries.ts'

const ticks = sql`from ${videoProgress} where ${videoProgress.userId} = ${users.id}`

const memberFields = {
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  email: users.email,
  phone: users.phone,
  businessName: users.businessName,
  trade: users.trade,
  photo: users.profileImageUrl,
  isAdmin: users.isAdmin,
  hasPassword: isTrue(isNotNull(users.passwordHash)),
  isEmailProven: isTrue(isNotNull(users.emailProvenAt)),
  membershipStartDate: users.membershipStartDate,
  lastSeenAt: users.lastSeenAt,
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

const memberListing: Listing<(typeof memberSorts)[number]> = {
  id: users.id,
  sorts: {
    // Ids sort by time.
    joined: users.id,
    name: sql`fold(concat_ws(' ', ${users.lastName}, ${users.firstName}))`,
    email: users.email,
    seen: sql`coalesce(${users.lastSeenAt}, '')`,
    videos: memberFields.videosCompleted,
  },
  defaultSort: '-joined',
  search: personColumns,
}

const isSetToEnd = and(
  isOneOf(subscriptions.status, 'active', 'trialing'),
  or(isNotNull(subscriptions.cancelAt), eq(subscriptions.cancelAtPeriodEnd, true)),
)
const isToStay = and(isNull(subscriptions.cancelAt), eq(subscriptions.cancelAtPeriodEnd, false))

const isRunOutAt = (now: Date) =>
  and(isOneOf(users.accessOverride, 'granted'), lte(users.accessUntil, now.toISOString()))

const isNoOwner = eq(users.isAdmin, false)

/** The member list's filters, in a query with the joins of `membershipFields`. */
export const memberConditions: Record<
  (typeof memberFilters)[number],
  (billingNow: Date, now: Date) => SQL | undefined
> = {
  'with-access': (now) => eq(hasAccessAt(now), 1),
  'without-access': (now) => and(eq(hasAccessAt(now), 0), eq(users.isAdmin, false)),
  paying: () => and(isCounted, gt(subscriptions.yearlyNet, 0), isNoOwner),
  'payment-due': () => isPaymentDue,
  'set-up': () =>
    and(isOneOf(subscriptions.status, 'trialing'), eq(subscriptions.isSettled, true), isToStay, isNoOwner),
  ending: () => isSetToEnd,
  revoked: () => isOneOf(users.accessOverride, 'revoked'),
  complimentary: isGrantedAt,
  // Whose free access ran out has ended too, though they never paid.
  ended: (now) =>
    and(
      or(
        and(isOneOf(subscriptions.status, ...endedStatuses), or(isNull(users.accessOverride), isRunOutAt(now))),
        and(isNull(subscriptions.id), isRunOutAt(now)),
      ),
      isNoOwner,
    ),
  'never-joined': () => and(isNull(subscriptions.id), isNull(users.accessOverride), isNoOwner),
  owners: () => eq(users.isAdmin, true),
  'no-password': () => isNull(users.passwordHash),
  'mail-refused': () => isNotNull(refusalOfNewestMail),
  'at-risk': (billingNow, now) => isAtRisk({ now, billingNow }),
}

const counted = [
  ...(['with-access', 'paying', 'payment-due', 'set-up', 'complimentary', 'ending', 'revoked'] as const),
  ...(['ended', 'never-joined', 'owners'] as const),
]

/** For the chips above the list, in one pass over the accounts. */
export function countMembers(ctx: Context): MemberCounts {
  const now = ctx.billingNow()
  const sums = counted.map((name) => [name, total(memberConditions[name](now, ctx.now()) ?? sql`1`)] as const)
  const found = ctx.db
    .select({ all: count(), ...Object.fromEntries(sums) })
    .from(users)
    .leftJoin(customers, customerOfUser)
    .leftJoin(subscriptions, currentSubscription)
    .get()
  return v.parse(MemberCounts, found)
}

export type MemberListRequest = AdminMemberQuery & { limit: number }

export function listMembers(ctx: Context, request: MemberListRequest): ListPage<AdminMember> {
  const now = ctx.billingNow()
  const { show, tier, email } = request
  if (tier !== undefined) assertTier(ctx, 'tier', tier)
  const filters = [
    show === undefined ? undefined : memberConditions[show](now, ctx.now()),
    tier === undefined ? undefined : eq(subscriptions.tierSlug, tier),
    email === undefined ? undefined : eq(users.email, email),
  ]
  const found = (conditions: SQL[]) => and(...filters, ...conditions)
  const searched = findPeople(ctx, request.q)
  const isWhole = filters.every((filter) => filter === undefined)
  const page = readPage(memberListing, request, {
    rows: ({ where, orderBy, limit, position }) => {
      // A row's fields cost more than finding it, so read them for this page only.
      const ids = ctx.db
        .select({ id: users.id })
        .from(users)
        .leftJoin(customers, customerOfUser)
        .leftJoin(subscriptions, currentSubscription)
        .where(found(where))
        .orderBy(...orderBy)
        .limit(limit)
      return ctx.db
        .select({ ...memberFields, position })
        .from(users)
        .leftJoin(customers, customerOfUser)
        .leftJoin(subscriptions, currentSubscription)
        .where(inArray(users.id, ids))
        .orderBy(...orderBy)
        .all()
    },
    total: (where) => {
      if (searched !== null && isWhole) return searched.total()
      // Counting follows each join, even if no condition needs it.
      return show === undefined && tier === undefined
        ? countWhere(ctx, users, found(where))
        : countUsers(ctx, found(where))
    },
    people: { id: users.id, found: searched, isWhole: true },
  })
  return { ...page, rows: toAdminMembers(ctx, page.rows) }
}

type MemberRow = ReturnType<ReturnType<typeof selectMembers>['all']>[number]

function toAdminMembers(ctx: Context, found: readonly MemberRow[]): AdminMember[] {
  const [now, nameOf] = [ctx.billingNow(), tierNames(ctx)]
  const people = found.map((row) => ({ row, id: row.id, isAdmin: row.isAdmin, access: accessFrom(row, now) }))
  const lines = stateLines(ctx, people)
  return people.map(({ row, access }, at) => toAdminMember(row, { access, nameOf, stateLine: lines[at] ?? '' }))
}

type Known = { access: Access; nameOf: (tier: TierSlug) => string; stateLine: string }

function toAdminMember(row: MemberRow, { access, nameOf, stateLine }: Known): AdminMember {
  const { id, firstName, lastName, email, phone, trade, isAdmin, hasPassword, isEmailProven } = row
  const { videosCompleted, lastProgressAt, lastSeenAt, mailRefused, membershipStartDate, createdAt } = row
  return {
    id,
    firstName,
    lastName,
    email,
    phone,
    trade,
    isAdmin,
    hasPassword,
    isEmailProven,
    videosCompleted,
    lastProgressAt,
    lastSeenAt,
    mailRefused,
    membershipStartDate,
    createdAt,
    membershipTier: access.tier,
    tierName: access.tier && nameOf(access.tier),
    isMember: access.hasAccess,
    status: access.status,
    subscriptionGivesAccess: access.subscriptionGivesAccess,
    label: access.label,
    stateLine,
    isComplimentary: access.isComplimentary,
    isRevoked: access.isRevoked,
    freeEndedOn: access.freeEndedOn,
    nextBillingOn: access.nextBillingAt === null ? null : londonDay(new Date(access.nextBillingAt)),
    pause: access.pause,
  }
}

export function findMember(ctx: Context, idOrEmail: string): AdminMemberDetail | null {
  const row = selectMembers(ctx)
    .where(or(eq(users.id, idOrEmail), eq(users.email, idOrEmail.toLowerCase())))
    .get()
  if (row === undefined) return null
  const access = accessFrom(row, ctx.billingNow())
  const { id, firstName, lastName, email, phone, businessName, trade, isAdmin, hasPassword } = row
  const { isEmailProven, videosCompleted, lastProgressAt, mailRefused, membershipStartDate, createdAt } = row
  return {
    id,
    firstName,
    lastName,
    email,
    phone,
    businessName,
    trade,
    isAdmin,
    hasPassword,
    photo: photoPathForOwners(row.photo),
    isEmailProven,
    videosCompleted,
    lastProgressAt,
    mailRefused,
    membershipStartDate,
    createdAt,
    membershipType: access.tier,
    tierName: access.tier && tierNames(ctx)(access.tier),
    isMember: access.hasAccess,
    status: access.status,
    subscriptionGivesAccess: access.subscriptionGivesAccess,
    label: access.label,
    stateLine: stateLine(billingView(ctx, { id, access, isAdmin })),
    isComplimentary: access.isComplimentary,
    isRevoked: access.isRevoked,
    freeEndedOn: access.freeEndedOn,
    nextBillingOn: access.nextBillingAt === null ? null : londonDay(new Date(access.nextBillingAt)),
    pause: access.pause,
    videosAvailable: isAdmin || access.hasAccess ? countVideos(ctx, isAdmin ? null : access.tier) : 0,
  }
}

const publishedVideos = preparedQuery<{ tier: TierSlug | null; today: string }>()((db, { tier, today }) =>
  db
    .select({ videos: count() })
    .from(memberVideos)
    .where(
      and(
        isShownOn(today),
        sql`(${tier} is null or exists (select 1 from ${videoTiers} where ${videoTiers.videoId} = ${memberVideos.id} and ${videoTiers.tierSlug} = ${tier}))`,
      ),
    ),
)

const countVideos = (ctx: Context, tier: TierSlug | null): number =>
  publishedVideos.get(ctx, { tier, today: londonDay(ctx.now()) })?.videos ?? 0
