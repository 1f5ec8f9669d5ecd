/*
 * What some columns may hold, apart from the contracts that show it: the schema names these values, and every command of the
 * terminal loads the schema.
 */

/** Of applications for a membership, and for coaching. */
export const applicationStatuses = ['pending', 'contacted', 'approved', 'rejected'] as const

export const businessStages = ['startup', 'established', 'growing', 'scaling'] as const

export const bookingStatuses = ['scheduled', 'completed', 'cancelled', 'no-show'] as const

/** The time zones of a booking's day; there is one. */
export const bookingTimeZones = ['Europe/London'] as const

/** What owners write notes and replies about: what came in by the public forms or as an order, and accounts. */
export const inboxKinds = [
  'membership-applications',
  'coaching-applications',
  'coaching-bookings',
  'contacts',
  'quotient-orders',
  'members',
] as const

/** `note` is for the owners alone; a `reply` and an `invitation` were mailed. */
export const inboxNoteKinds = ['note', 'reply', 'invitation'] as const

/** Who wrote last what was agreed in a call. */
export const agreementAuthors = ['coach', 'member'] as const
