import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { nullable, oneOfTexts } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { findPeople } from '#api/db/people-found.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { videoPositions, videoProgress } from '#api/db/schema/videos.ts'
import { countUsers, currentSubscription, customerOfUser, hasAccessAt, tierAt } from '#api/identity/access-queries.ts'
import { type VideoViewer, type VideoViewersQuery, viewerStates } from '#shared/contract/admin-video.ts'
import { findVideo } from './find-service.ts'

/** Members who may see a video, with their progress. Anyone who ticked or started it is listed even without access. */
export function listViewers(
  ctx: Context,
  videoId: string,
  { show, ...query }: VideoViewersQuery & { limit: number },
): ListPage<VideoViewer> {
  const { tierAccess } = findVideo(ctx, videoId)
  const ofVideo = partsOf(videoId)
  const isMeant = and(
    eq(users.isAdmin, false),
    or(
      sql`${ofVideo.state} <> 'open'`,
      and(
        eq(hasAccessAt(ctx.billingNow()), 1),
        sql`${tierAt(ctx.billingNow())} in (select value from json_each(${JSON.stringify(tierAccess)}))`,
      ),
    ),
    show === undefined ? undefined : sql`${ofVideo.state} = ${show}`,
  )
  return readPage(listingOf(ofVideo), query, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({ ...fieldsOf(ofVideo), position })
        .from(users)
        .leftJoin(customers, customerOfUser)
        .leftJoin(subscriptions, currentSubscription)
        .where(and(isMeant, ...where))
        .orderBy(...orderBy)
        .limit(limit)
        .all(),
    total: (found) => countUsers(ctx, and(isMeant, ...found)),
    people: { id: users.id, found: findPeople(ctx, query.q) },
  })
}

type Parts = { state: SQL; completedAt: SQL; seconds: SQL; at: SQL }

function partsOf(videoId: string): Parts {
  const tick = and(
    eq(videoProgress.userId, users.id),
    eq(videoProgress.videoId, videoId),
    eq(videoProgress.completed, true),
  )
  const place = and(eq(videoPositions.userId, users.id), eq(videoPositions.videoId, videoId))
  const completedAt = sql`(select ${videoProgress.completedAt} from ${videoProgress} where ${tick})`
  const at = sql`(select ${videoPositions.at} from ${videoPositions} where ${place})`
  return {
    completedAt,
    at,
    seconds: sql`(select ${videoPositions.seconds} from ${videoPositions} where ${place})`,
    state: sql`case when exists (select 1 from ${videoProgress} where ${tick}) then 'done' when ${at} is not null then 'begun' else 'open' end`,
  }
}

const fieldsOf = ({ state, completedAt, seconds, at }: Parts) => ({
  id: users.id,
  name: sql`trim(concat_ws(' ', ${users.firstName}, ${users.lastName}))`.mapWith(String),
  email: users.email,
  state: sql`${state}`.mapWith(oneOfTexts(viewerStates)),
  completedAt: nullable(videoProgress.completedAt, completedAt),
  seconds: nullable(videoPositions.seconds, seconds),
  lastAt: nullable(videoPositions.at, at),
})

const listingOf = ({ state, completedAt, at }: Parts): Listing<'name' | 'state' | 'when'> => ({
  id: users.id,
  sorts: {
    name: sql`fold(concat_ws(' ', ${users.lastName}, ${users.firstName}, ${users.email}))`,
    state: sql`case ${state} when 'done' then 0 when 'begun' then 1 else 2 end`,
    when: sql`coalesce(${completedAt}, ${at}, '')`,
  },
  defaultSort: '-when',
  search: [users.firstName, users.lastName, users.email],
})
