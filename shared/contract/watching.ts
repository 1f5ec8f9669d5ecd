import * as v from 'valibot'
import { Day } from './fields.ts'

/** The longest range of days; counts are kept for 25 months. */
export const mostDays = 800

/** Days of London, both included; the last 30 where none are named. */
export const WatchingQuery = v.pipe(
  v.object({ from: v.optional(Day), to: v.optional(Day) }),
  v.check(({ from, to }) => from === undefined || to === undefined || from <= to, 'The first day is after the last.'),
)
export type WatchingQuery = v.InferOutput<typeof WatchingQuery>

/** From a visit to a membership; each counts what happened in the range, by anybody. */
export const funnelSteps = ['visit', 'join_page', 'begun', 'sent', 'payment', 'paid'] as const

const Named = v.object({ name: v.string(), count: v.number() })

/** What was counted in a range of days. Lists begin with the most. */
export const VisitFigures = v.object({
  from: v.string(),
  to: v.string(),
  /** Each day of the range, the oldest first. */
  days: v.array(v.object({ day: v.string(), visits: v.number(), views: v.number() })),
  funnel: v.array(v.object({ step: v.picklist(funnelSteps), count: v.number() })),
  forms: v.array(v.object({ form: v.string(), begun: v.number(), sent: v.number() })),
  sources: v.array(Named),
  pages: v.array(Named),
})
export type VisitFigures = v.InferOutput<typeof VisitFigures>

/** Those who first paid in a month, and how many of them paid at the end of that month and of each one after it until now. */
export const Cohort = v.object({ month: v.string(), joined: v.number(), kept: v.array(v.number()) })
export type Cohort = v.InferOutput<typeof Cohort>

/** The oldest first. */
export const CohortList = v.array(Cohort)

/** How far a lesson is followed; owners are left out. */
export const LessonFigures = v.object({
  id: v.string(),
  title: v.string(),
  category: v.string(),
  isPublished: v.boolean(),
  /** Members who played it or ticked it off. */
  started: v.number(),
  completed: v.number(),
  /** Those who have not ticked it off, by the tenth of the film in which they stopped; of films whose length is known. */
  stopped: v.array(v.number()),
})
export type LessonFigures = v.InferOutput<typeof LessonFigures>

/** In the order of the videos list. */
export const LessonFiguresList = v.array(LessonFigures)
