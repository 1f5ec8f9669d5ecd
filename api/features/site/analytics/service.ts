import type { Context } from '#api/context.ts'
import { writeUnrelated } from '#api/db/cached-read.ts'
import { transactTogether } from '#api/db/group-commit.ts'
import { AppError } from '#api/errors.ts'
import type { EventCount } from '#shared/contract/admin-analytics.ts'
import { type AnalyticsEvent, analyticsEventNames } from '#shared/contract/analytics.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'
import { countedForms, countedPage, visitSource } from '#shared/rules/visit-source.ts'
import { testEventPath } from '#shared/values/analytics-path.ts'
import { isEventAllowed, secondsUntilAllowed } from './flood-rules.ts'
import { addCount, type Counted, deleteCountsBefore, hasPost, hasVideo, recentCounts } from './queries.ts'

type Sender = { address: string; headers: Headers }

/** Never stores who it was. Ignores bots, browsers that refuse tracking, and anything our pages wouldn't send. */
export async function countEvent(ctx: Context, event: AnalyticsEvent, { address, headers }: Sender): Promise<void> {
  if (!isEventAllowed(ctx, address)) {
    const retryAfter = secondsUntilAllowed(ctx)
    throw new AppError('rate_limited', 'You’ve reached the limit for one hour.', { retryAfter })
  }
  if (event.path !== testEventPath && (isProgram(headers) || isTrackingRefused(headers))) return
  const day = londonDay(ctx.now())
  const counted = event.path === testEventPath ? [{ kind: 'test', key: event.name } as const] : countsOf(ctx, event)
  if (counted.length === 0) return
  // No request reads a count, so caches stay valid.
  await transactTogether(ctx, () =>
    writeUnrelated(ctx, () => {
      for (const each of counted) addCount(ctx, { pence: 0, day, ...each })
    }),
  )
}

/** Bots by name, and clients without one. A Cubot is a phone. */
const isProgram = (headers: Headers) =>
  /(?<!cu)bot\b|crawl|spider|slurp|preview|lighthouse|headless|monitor|curl|wget|python|^$/i.test(
    headers.get('user-agent') ?? '',
  )

/** Global Privacy Control and its predecessor. */
const isTrackingRefused = (headers: Headers) => headers.get('sec-gpc') === '1' || headers.get('dnt') === '1'

type Addition = Pick<Counted, 'kind' | 'key'> & { pence?: number }

/** Each kind has a limited set of keys, whatever is sent. Doesn't count owners' pages. */
function countsOf(ctx: Context, event: AnalyticsEvent): Addition[] {
  const { name } = event
  const page = countedPage(event.path, (slug) => hasPost(ctx, slug))
  if (page === null) return []
  switch (name) {
    case 'page_view':
      return [{ kind: name, key: page }, ...sourceOf(ctx, event.from)]
    case 'form_begun':
      return formKey(countedForms[event.path]).map((key) => ({ kind: name, key }))
    case 'form_submit':
      return formKey(event.applicationType).map((key) => ({ kind: name, key }))
    case 'video_complete':
      return [{ kind: name, key: hasVideo(ctx, event.videoName) ? event.videoName : 'other' }]
    case 'purchase':
      return [{ kind: name, key: event.currency, pence: Math.round(event.value * 100) }]
    case 'login':
      return [{ kind: name, key: '' }]
  }
}

const formKey = (form: string | undefined) =>
  form !== undefined && Object.values(countedForms).includes(form) ? [form] : []

/** Only a visit's first page has a source. */
function sourceOf(ctx: Context, from: string | undefined): Addition[] {
  if (from === undefined) return []
  const key = visitSource(from, new URL(ctx.settings.publicUrl).host)
  return key === null ? [] : [{ kind: 'source', key }]
}

/** Enough to compare two years and the current month. */
const retentionMonths = 25

export function deleteOldCounts(ctx: Context): number {
  const before = new Date(ctx.now())
  before.setUTCMonth(before.getUTCMonth() - retentionMonths)
  return deleteCountsBefore(ctx, londonDay(before))
}

export function countEvents(ctx: Context): EventCount[] {
  const today = londonDay(ctx.now())
  const found = recentCounts.all(ctx, { today, days7: addDays(today, -6), days30: addDays(today, -29) })
  return analyticsEventNames.map((name) => {
    const { today = 0, days7 = 0, days30 = 0 } = found.find(({ kind }) => kind === name) ?? {}
    const tests = found.find(({ testOf }) => testOf === name)?.today ?? 0
    return { name, today, days7, days30, tests }
  })
}
