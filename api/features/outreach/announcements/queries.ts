import { and, asc, desc, eq, getTableColumns, gt, inArray, lte, type SQL, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { jsonOf } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { countWhere, preparedQuery } from '#api/db/query.ts'
import { announcementDismissals, announcements, announcementTiers } from '#api/db/schema/outreach.ts'
import type {
  AdminAnnouncement,
  AdminAnnouncementQuery,
  announcementStates,
} from '#shared/contract/admin-announcement.ts'
import { TierSlug } from '#shared/contract/tier.ts'

const { id, title, startsAt, endsAt } = announcements

/** Empty means everyone. */
const tiers =
  sql`${sql`(select json_group_array(${announcementTiers.tierSlug}) from ${announcementTiers} where ${announcementTiers.announcementId} = ${announcements.id})`}`.mapWith(
    jsonOf(v.array(TierSlug)),
  )

/** Current at `now` or starting before `until`, and not dismissed by this person; newest first. */
export const announcementsFor = preparedQuery<{ userId: string; now: string; until: string }>()(
  (db, { userId, now, until }) =>
    db
      .select({ ...getTableColumns(announcements), tiers })
      .from(announcements)
      .where(
        and(
          gt(endsAt, now),
          lte(startsAt, until),
          sql`not exists (select 1 from ${announcementDismissals} where ${announcementDismissals.userId} = ${userId}
            and ${announcementDismissals.announcementId} = ${announcements.id})`,
        ),
      )
      .orderBy(desc(startsAt), asc(id)),
)

/** The ids that still exist: a note may have been removed while a phone showed it. */
export const knownAmong = ({ db }: Context, ids: readonly string[]): string[] =>
  db
    .select({ id })
    .from(announcements)
    .where(inArray(id, [...ids]))
    .all()
    .map((row) => row.id)

const dismissed =
  sql`${sql`(select count(*) from ${announcementDismissals} where ${announcementDismissals.announcementId} = ${announcements.id})`}`.mapWith(
    Number,
  )

const fields = {
  id,
  title,
  startsAt,
  endsAt,
  text: announcements.text,
  tiers,
  version: announcements.version,
  updatedAt: announcements.updatedAt,
  dismissed,
}

type State = (typeof announcementStates)[number]

const isIn: Record<State, (now: string) => SQL | undefined> = {
  showing: (now) => and(lte(startsAt, now), gt(endsAt, now)),
  'to-come': (now) => gt(startsAt, now),
  over: (now) => lte(endsAt, now),
}

const stateAt = (row: { startsAt: string; endsAt: string }, now: string): State =>
  row.endsAt <= now ? 'over' : row.startsAt > now ? 'to-come' : 'showing'

const listing: Listing<'starts' | 'title'> = {
  id,
  sorts: { starts: startsAt, title: sql`fold(${title})` },
  defaultSort: '-starts',
  search: [title, announcements.text],
}

/** Past, current and future, newest first. */
export function listAnnouncements(
  ctx: Context,
  query: AdminAnnouncementQuery & { limit: number },
): ListPage<AdminAnnouncement> {
  const now = ctx.billingNow().toISOString()
  const isMeant = query.show && isIn[query.show](now)
  return readPage(listing, query, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({ ...fields, position })
        .from(announcements)
        .where(and(isMeant, ...where))
        .orderBy(...orderBy)
        .limit(limit)
        .all()
        .map((row) => ({ ...row, state: stateAt(row, now) })),
    total: (found) => countWhere(ctx, announcements, and(isMeant, ...found)),
  })
}

export function findAnnouncement(ctx: Context, wanted: string): AdminAnnouncement | null {
  const row = ctx.db.select(fields).from(announcements).where(eq(id, wanted)).get()
  return row === undefined ? null : { ...row, state: stateAt(row, ctx.billingNow().toISOString()) }
}
