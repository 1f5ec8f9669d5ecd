import * as v from 'valibot'
import { analyticsPath } from '#shared/values/analytics-path.ts'
import { Pounds, RequiredLine } from './fields.ts'

export const analyticsEventNames = [
  'page_view',
  'purchase',
  'form_begun',
  'form_submit',
  'video_complete',
  'login',
] as const

/** What we count by day: the events, the sources of visits, and the owners' test events. */
export const countKinds = [...analyticsEventNames, 'source', 'test'] as const
export type CountKind = (typeof countKinds)[number]

/** The page's path. We remove the query, the fragment and anything that points at a person before storing it. */
const Path = v.pipe(
  v.string(),
  v.transform(analyticsPath),
  v.regex(/^\/(?!\/)[^\s\p{C}]*$/u, 'This isn’t a path of the site.'),
  v.maxLength(200, 'Use up to 200 characters.'),
)

export const AnalyticsEvent = v.variant('name', [
  v.object({
    name: v.literal('page_view'),
    path: Path,
    /** Only with the first page of a visit: the referrer's address or the campaign's name; empty if neither. */
    from: v.optional(v.pipe(v.string(), v.maxLength(2000, 'Use up to 2000 characters.'))),
  }),
  v.object({ name: v.literal('form_begun'), path: Path }),
  v.object({ name: v.literal('login'), path: Path }),
  v.object({
    name: v.literal('purchase'),
    path: Path,
    /** Pounds including VAT, up to the dearest price that a tier can have. */
    value: v.pipe(Pounds, v.maxValue(144_000, 'Nothing here costs that much.')),
    currency: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'This isn’t a currency.')), 'GBP'),
  }),
  v.object({
    name: v.literal('form_submit'),
    path: Path,
    /** A short word such as `coaching`. */
    applicationType: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'This isn’t an application type.')),
  }),
  v.object({ name: v.literal('video_complete'), path: Path, videoName: RequiredLine('Video name') }),
])
export type AnalyticsEvent = v.InferOutput<typeof AnalyticsEvent>
