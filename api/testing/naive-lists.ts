import type { Context } from '#api/context.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { blogPosts } from '#api/db/schema/blog.ts'
import { coachingApplications, coachingBookings, contacts, membershipApplications } from '#api/db/schema/forms.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { users } from '#api/db/schema/people.ts'
import { mailStatuses } from '#shared/contract/mail.ts'
import { quotientOrderStatuses } from '#shared/contract/quotient.ts'
import { foldText as fold } from '#shared/rules/fold-text.ts'
import { londonDay } from '#shared/rules/london.ts'
import { applicationStatuses, bookingStatuses } from '#shared/values/column-values.ts'

export type NaiveRow = {
  id: string
  /** The values each sort order compares. */
  sorts: Record<string, string | number>
  texts?: readonly (string | null)[]
  /** Whether the filters include it. Defaults to always. */
  isShown?(filters: Partial<Record<string, string>>): boolean
}

/** A list and all its possible rows: whole tables without conditions, order or limit. */
export type NaiveList = {
  path: string
  defaultSort: string
  filters?: Record<string, readonly string[]>
  rows(ctx: Context): NaiveRow[]
}

type Enquiry = { isSpam: boolean; status?: string }

const isAsked = ({ isSpam, status }: Enquiry, show: string | undefined) =>
  show === 'spam' ? isSpam : !isSpam && (show === undefined || status === show)

const fullName = ({ firstName, lastName }: { firstName: string | null; lastName: string | null }) =>
  [lastName, firstName].filter((part) => part !== null).join(' ')

const applications: NaiveList = {
  path: '/api/admin/membership-applications',
  defaultSort: '-received',
  filters: { show: applicationStatuses },
  rows: ({ db }) =>
    db
      .select()
      .from(membershipApplications)
      .all()
      .map((row) => ({
        id: row.id,
        sorts: { received: row.createdAt, name: fold(fullName(row)), status: row.status },
        texts: [row.firstName, row.lastName, row.email, row.phone, row.businessName, row.trade],
        isShown: ({ show }) => show === undefined || row.status === show,
      })),
}

const coaching: NaiveList = {
  path: '/api/admin/coaching-applications',
  defaultSort: '-received',
  filters: { show: [...applicationStatuses, 'spam'] },
  rows: ({ db }) =>
    db
      .select()
      .from(coachingApplications)
      .all()
      .map((row) => ({
        id: row.id,
        sorts: { received: row.createdAt, name: fold(row.name), status: row.status },
        texts: [row.name, row.email, row.phone, row.businessName, row.trade],
        isShown: ({ show }) => isAsked(row, show),
      })),
}

const messages: NaiveList = {
  path: '/api/admin/contacts',
  defaultSort: '-received',
  filters: { show: ['spam'] },
  rows: ({ db }) =>
    db
      .select()
      .from(contacts)
      .all()
      .map((row) => ({
        id: row.id,
        sorts: { received: row.createdAt, name: fold(row.name) },
        texts: [row.name, row.email, row.trade, row.message],
        isShown: ({ show }) => isAsked({ isSpam: row.isSpam }, show),
      })),
}

const bookings: NaiveList = {
  path: '/api/admin/coaching-bookings',
  defaultSort: '-date',
  filters: { show: [...bookingStatuses, 'spam'], email: ['kim@example.com', 'nobody@example.com'] },
  rows: ({ db }) =>
    db
      .select()
      .from(coachingBookings)
      .all()
      .map((row) => ({
        id: row.id,
        sorts: { date: row.bookingDate, received: row.createdAt, name: fold(row.name), status: row.status },
        texts: [row.name, row.email, row.phone, row.businessName, row.trade],
        isShown: ({ show, email }) => isAsked(row, show) && (email === undefined || row.email === email),
      })),
}

const upcoming: NaiveList = {
  path: '/api/admin/coaching-bookings/upcoming',
  defaultSort: 'date',
  rows: (ctx) =>
    ctx.db
      .select()
      .from(coachingBookings)
      .all()
      .map((row) => ({
        id: row.id,
        sorts: { date: row.bookingDate, received: row.createdAt, name: fold(row.name) },
        texts: [row.name, row.email, row.phone, row.businessName, row.trade],
        isShown: () => isAsked(row, 'scheduled') && row.bookingDate >= londonDay(ctx.now()),
      })),
}

const orders: NaiveList = {
  path: '/api/admin/quotient-orders',
  defaultSort: '-received',
  filters: { show: quotientOrderStatuses },
  rows: ({ db }) =>
    db
      .select()
      .from(quotientOrders)
      .all()
      .map((row) => ({
        id: row.id,
        sorts: { received: row.createdAt, name: fold(fullName(row)), status: row.status },
        texts: [row.firstName, row.lastName, row.email, row.phone, row.businessName],
        isShown: ({ show }) => show === undefined || row.status === show,
      })),
}

const posts: NaiveList = {
  path: '/api/admin/blog',
  defaultSort: '-changed',
  filters: { show: ['published', 'scheduled', 'draft'] },
  rows: ({ db, now }) =>
    db
      .select()
      .from(blogPosts)
      .all()
      .map((row) => {
        const published = row.publishedAt ?? row.createdAt
        const isOut = published <= now().toISOString()
        return {
          id: row.id,
          sorts: { published, changed: row.updatedAt, title: fold(row.title) },
          texts: [row.title, row.slug, row.author, row.excerpt],
          isShown: ({ show }) =>
            show === undefined || show === (row.isPublished ? (isOut ? 'published' : 'scheduled') : 'draft'),
        }
      }),
}

const mails = (ofMember: string): NaiveList => ({
  path: '/api/admin/mail',
  defaultSort: '-queued',
  filters: { status: mailStatuses, to: ['kim@example.com'], member: [ofMember] },
  rows: ({ db }) => {
    const people = db.select().from(users).all()
    return db
      .select()
      .from(mailOutbox)
      .all()
      .map((row) => ({
        id: row.id,
        sorts: { queued: row.id, to: row.to },
        texts: [row.to, row.subject],
        isShown: ({ status, to, member }) =>
          (status === undefined || row.status === status) &&
          (to === undefined || row.to === to) &&
          (member === undefined ||
            row.userId === member ||
            people.some(({ id, email }) => id === member && row.to === email)),
      }))
  },
})

const activity = (member: string): NaiveList => ({
  path: `/api/admin/members/${member}/activity`,
  defaultSort: '-at',
  rows: ({ db }) =>
    db
      .select()
      .from(auditEntries)
      .all()
      .map((row) => ({
        id: row.id,
        sorts: { at: row.at },
        texts: [row.action],
        isShown: () => row.targetId === member,
      })),
})

/** Every list except money. `member` has emails and activity. */
export const officeLists = (member: string): NaiveList[] => [
  ...[applications, coaching, messages, bookings, upcoming, orders, posts],
  ...[mails(member), activity(member)],
]
