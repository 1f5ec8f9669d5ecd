import * as v from 'valibot'
import { Instant } from './fields.ts'

// Apart from the rest of the calendar, since every error may name the next free times.

/** The name by which the calendar knows a coach; it stays when the coach's name changes. */
export const CoachId = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'A coach’s id has small letters, digits and hyphens.'),
)

/** A time at which a coach is free. */
export const CallSlot = v.object({ coach: CoachId, startsAt: Instant })
export type CallSlot = v.InferOutput<typeof CallSlot>
