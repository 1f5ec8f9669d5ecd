import * as v from 'valibot'
import { Instant } from './fields.ts'

// Separate from the calendar's other schemas, because any error may list the next free times.

/** The calendar's id for a coach. It stays when the coach's name changes. */
export const CoachId = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'A coach’s id has small letters, digits and hyphens.'),
)

export const CallSlot = v.object({ coach: CoachId, startsAt: Instant })
export type CallSlot = v.InferOutput<typeof CallSlot>
