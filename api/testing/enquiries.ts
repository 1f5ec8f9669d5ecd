import type { World } from './world.ts'

/** A complete body for each public form, with values no one would type by accident. */
export const coachingApplication = {
  name: 'Sam Field',
  email: 'sam@example.com',
  phone: '07700 900123',
  trade: 'painter',
  businessName: 'Field Decorating',
  yearsInBusiness: 12,
  currentRevenue: '50k-100k',
  biggestChallenge: 'Quoting at night',
  goals: 'Two weeks off',
  timeCommitment: '3-5',
  investment: '1k-3k',
  heardAbout: 'podcast',
  additionalInfo: 'Ring after four',
}

export const coachingBooking = {
  name: 'Sam Field',
  email: 'sam@example.com',
  phone: '07700 900123',
  businessName: 'Field Decorating',
  trade: 'Painter & Decorator',
  duration: 30,
  timeZone: 'Europe/London',
  bookingDate: '2026-06-13',
  notes: 'Preferred times: After four\nBusiness challenges: Not specified',
}

export const contactMessage = {
  name: 'Sam Field',
  email: 'sam@example.com',
  trade: 'Decorator',
  message: 'Do you coach in Leeds?\nOr near it?',
}

export const enquiryForms = [
  { path: '/api/coaching-application', table: 'coaching_applications', body: coachingApplication },
  { path: '/api/coaching-bookings', table: 'coaching_bookings', body: coachingBooking },
  { path: '/api/contact', table: 'contacts', body: contactMessage },
] as const

export const rowsOf = ({ ctx }: World, table: string) =>
  ctx.sqlite.prepare<[], Record<string, unknown>>(`select * from ${table} order by rowid`).all()

export type WaitingMail = {
  cause: string
  to: string
  replyTo: string | null
  subject: string
  text: string
  html: string
}

export const waitingMail = ({ ctx }: World) =>
  ctx.sqlite
    .prepare<[], WaitingMail>('select cause, "to", replyTo, subject, text, html from mail_outbox order by rowid')
    .all()
