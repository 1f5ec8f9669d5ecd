import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import {
  type Cohort,
  type EngagementQuery,
  funnelSteps,
  mostDays,
  type VideoFigures,
  type VisitFigures,
} from '#shared/contract/engagement.ts'
import { retentionOf } from '#shared/rules/cohorts.ts'
import { addDays, londonDay, londonInstant, londonMonth } from '#shared/rules/london.ts'
import { countedForms } from '#shared/rules/visit-source.ts'
import {
  applicationsBetween,
  countsByDay,
  countsByKey,
  joinedByMonth,
  movedByMonth,
  newMembersBetween,
  ownersTicks,
  paymentsBegunBetween,
  stopsByVideo,
  ticksByVideo,
  videos,
} from './queries.ts'

const usualDays = 30

/** The counts over a range of days. Always the same number of statements, however long it is. */
export function readVisits(ctx: Context, query: EngagementQuery): VisitFigures {
  const to = query.to ?? londonDay(ctx.now())
  const from = query.from ?? addDays(to, 1 - usualDays)
  const days = daysBetween(from, to)
  const counts = countsByKey.all(ctx, { from, to })
  const countsOf = (wanted: string) =>
    counts.filter(({ kind }) => kind === wanted).map(({ key, count }) => ({ name: key, count }))
  const countOf = (kind: string, key: string) => countsOf(kind).find(({ name }) => name === key)?.count ?? 0
  const perDay = new Map(countsByDay.all(ctx, { from, to }).map((row) => [row.day, row]))
  const [since, until] = [from, addDays(to, 1)].map((day) => londonInstant(day, '00:00').toISOString())
  const instants = { since: since ?? '', until: until ?? '' }
  const sources = countsOf('source')
  const steps: Record<(typeof funnelSteps)[number], number> = {
    visit: sources.reduce((sum, { count }) => sum + count, 0),
    join_page: countOf('page_view', '/membership-application'),
    begun: countOf('form_begun', 'membership'),
    sent: applicationsBetween.get(ctx, instants)?.rows ?? 0,
    payment: paymentsBegunBetween.get(ctx, instants)?.rows ?? 0,
    paid: newMembersBetween.get(ctx, instants)?.rows ?? 0,
  }
  return {
    from,
    to,
    sources,
    pages: countsOf('page_view'),
    days: days.map((day) => perDay.get(day) ?? { day, visits: 0, views: 0 }),
    funnel: funnelSteps.map((step) => ({ step, count: steps[step] })),
    forms: Object.values(countedForms).map((form) => ({
      form,
      begun: countOf('form_begun', form),
      sent: countOf('form_submit', form),
    })),
  }
}

function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from; day <= to && days.length <= mostDays; day = addDays(day, 1)) days.push(day)
  if (days.length > 0 && days.length <= mostDays) return days
  const sentence = `Choose a range of up to ${mostDays} days.`
  throw new AppError('invalid', sentence, { fields: { from: sentence } })
}

export const readRetention = (ctx: Context): Cohort[] =>
  retentionOf(joinedByMonth.all(ctx), movedByMonth.all(ctx), londonMonth(ctx.billingNow()))

export function readVideos(ctx: Context): VideoFigures[] {
  const ticks = [ticksByVideo.all(ctx), ownersTicks.all(ctx).map((row) => ({ ...row, members: -row.members }))].flat()
  const ticked = byVideo(ticks)
  const stopped = byVideo(stopsByVideo.all(ctx))
  return videos.all(ctx).map((video) => {
    const stops = stopped.get(video.id) ?? []
    const own = ticked.get(video.id) ?? []
    return {
      ...video,
      started: sumOf(own) + sumOf(stops),
      completed: sumOf(own.filter(({ completed }) => completed)),
      stopped: Array.from({ length: 10 }, (_, at) => sumOf(stops.filter(({ tenth }) => tenth === at))),
    }
  })
}

const byVideo = <Row extends { videoId: string }>(rows: readonly Row[]) => Map.groupBy(rows, ({ videoId }) => videoId)

const sumOf = (rows: readonly { members: number }[]) => rows.reduce((sum, { members }) => sum + members, 0)
