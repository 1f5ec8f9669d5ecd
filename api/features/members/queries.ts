import type { Context } from '#api/context.ts'
import { accessFrom, type StandingRow, standingColumns, standingJoins } from '#api/features/access/standing.ts'
import type { AdminMember, AdminMemberDetail } from '#shared/contract/admin.ts'
import { londonDay } from '#shared/rules/london.ts'

type MemberRow = StandingRow & {
  id: string
  firstName: string | null
  lastName: string | null
  email: string
  phone: string | null
  businessName: string | null
  trade: string | null
  isAdmin: 0 | 1
  hasPassword: 0 | 1
  videosCompleted: number
  lastProgressAt: string | null
  mailRefused: string | null
  createdAt: string
}

const memberRows = `
  select users.id, users.firstName, users.lastName, users.email, users.phone, users.businessName, users.trade,
    users.isAdmin, users.passwordHash is not null as hasPassword, users.createdAt,
    (select count(*) from video_progress where userId = users.id and completed = 1) as videosCompleted,
    (select max(updatedAt) from video_progress where userId = users.id) as lastProgressAt,
    (select iif(status = 'refused', lastError, null) from mail_outbox
     where "to" = users.email and status in ('sent', 'refused') order by id desc limit 1) as mailRefused, ${standingColumns}
  from users ${standingJoins}`

export type MemberFilter = { limit: number; cursor: string | undefined; email: string | undefined }

/** Everybody with an account, newest first; pages follow the id. */
export function listMembers(ctx: Context, { limit, cursor, email }: MemberFilter): AdminMember[] {
  const rows = ctx.sqlite
    .prepare<[string, string | null, string | null, number], MemberRow>(
      `${memberRows} where users.id < ? and (? is null or users.email = ?) order by users.id desc limit ?`,
    )
    .all(cursor ?? '~', email ?? null, email ?? null, limit)
  return rows.map((row) => {
    const access = accessFrom(row, ctx.billingNow())
    return {
      id: row.id,
      firstName: row.firstName,
      lastName: row.lastName,
      email: row.email,
      membershipTier: access.tier,
      isAdmin: row.isAdmin === 1,
      isMember: access.hasAccess,
      status: access.status,
      label: access.label,
      isComplimentary: access.isComplimentary,
      videosCompleted: row.videosCompleted,
      lastProgressAt: row.lastProgressAt,
      mailRefused: row.mailRefused,
      createdAt: row.createdAt,
    }
  })
}

/** One person, by id or by e-mail. */
export function findMember(ctx: Context, idOrEmail: string): AdminMemberDetail | null {
  const row = ctx.sqlite
    .prepare<[string, string], MemberRow>(`${memberRows} where users.id = ? or users.email = ?`)
    .get(idOrEmail, idOrEmail.toLowerCase())
  if (row === undefined) return null
  const access = accessFrom(row, ctx.billingNow())
  return {
    id: row.id,
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    membershipType: access.tier,
    phone: row.phone,
    businessName: row.businessName,
    trade: row.trade,
    isAdmin: row.isAdmin === 1,
    isMember: access.hasAccess,
    status: access.status,
    label: access.label,
    isComplimentary: access.isComplimentary,
    nextBillingOn: access.nextBillingAt === null ? null : londonDay(new Date(access.nextBillingAt)),
    videosCompleted: row.videosCompleted,
    videosAvailable:
      row.isAdmin === 1 || access.hasAccess ? countVideos(ctx, row.isAdmin === 1 ? null : access.tier) : 0,
    lastProgressAt: row.lastProgressAt,
    hasPassword: row.hasPassword === 1,
    mailRefused: row.mailRefused,
    createdAt: row.createdAt,
  }
}

function countVideos(ctx: Context, tier: string | null): number {
  const row = ctx.sqlite
    .prepare<[string | null, string | null], { count: number }>(
      `select count(*) as count from member_videos where isPublished = 1
       and (? is null or exists (select 1 from json_each(tierAccess) where value = ?))`,
    )
    .get(tier, tier)
  return row?.count ?? 0
}
