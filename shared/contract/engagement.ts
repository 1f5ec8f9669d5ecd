import * as v from 'valibot'
import { Day } from './fields.ts'

/** The longest range of days; we keep counts for 25 months. */
export const mostDays = 800

/** Days in London, both included; defaults to the last 30. */
export const EngagementQuery = v.pipe(
  v.object({ from: v.optional(Day), to: v.optional(Day) }),
  v.check(({ from, to }) => from === undefined || to === undefined || from <= to, 'The first day is after the last.'),
)
export type EngagementQuery = v.InferOutput<typeof EngagementQuery>

/** From a visit to a membership. Each step counts everyone's actions in the range. */
export const funnelSteps = ['visit', 'join_page', 'begun', 'sent', 'payment', 'paid'] as const

const Named = v.object({ name: v.string(), count: v.number() })

/** Counts for a range of days. Lists begin with the most. */
export const VisitFigures = v.object({
  from: v.string(),
  to: v.string(),
  /** Each day of the range, oldest first. */
  days: v.array(v.object({ day: v.string(), visits: v.number(), views: v.number() })),
  funnel: v.array(v.object({ step: v.picklist(funnelSteps), count: v.number() })),
  forms: v.array(v.object({ form: v.string(), begun: v.number(), sent: v.number() })),
  sources: v.array(Named),
  pages: v.array(Named),
})
export type VisitFigures = v.InferOutput<typeof VisitFigures>

/**
 * Members by the month of their first payment, and how many of them paid at the end of that month and each one after it until now.
 */
export const Cohort = v.object({ month: v.string(), joined: v.number(), kept: v.array(v.number()) })
export type Cohort = v.InferOutput<typeof Cohort>

/** Oldest first. */
export const CohortList = v.array(Cohort)

/** How far members get in a video, without owners. */
export const VideoFigures = v.object({
  id: v.string(),
  title: v.string(),
  category: v.string(),
  isPublished: v.boolean(),
  /** Members who played it or ticked it off. */
  started: v.number(),
  completed: v.number(),
  /** Members who haven't ticked it off, by the tenth of the video they stopped in. Only for videos of known length. */
  stopped: v.array(v.number()),
})
export type VideoFigures = v.InferOutput<typeof VideoFigures>

/** In the order of the videos list. */
export const VideoFiguresList = v.array(VideoFigures)
