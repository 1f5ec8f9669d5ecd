/* Values some columns may hold. They're separate from the contracts because the database schema needs them, and every terminal
   command loads the schema. */

/** For membership and coaching applications. */
export const applicationStatuses = ['pending', 'contacted', 'approved', 'rejected'] as const

export const businessStages = ['startup', 'established', 'growing', 'scaling'] as const

export const bookingStatuses = ['scheduled', 'completed', 'cancelled', 'no-show'] as const

export const bookingTimeZones = ['Europe/London'] as const

export const inboxKinds = [
  'membership-applications',
  'coaching-applications',
  'coaching-bookings',
  'contacts',
  'quotient-orders',
  'members',
] as const

/** A `note` is only for owners; we email a `reply` or an `invitation`. */
export const inboxNoteKinds = ['note', 'reply', 'invitation'] as const

/** Who last edited what was agreed in a call. */
export const agreementAuthors = ['coach', 'member'] as const

/** `embed` plays at any https address. */
export const videoTypes = ['wistia', 'youtube', 'streamyard', 'embed'] as const

/** The quoting system's setup packages; `data/content` says what they include. */
export const quotientPackages = ['professional', 'master'] as const

/** What an owner says a customer's credit at Stripe was. */
export const creditAnswers = ['money', 'goodwill'] as const
