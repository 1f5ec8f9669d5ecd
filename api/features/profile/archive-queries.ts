import { and, asc, eq, getTableColumns, inArray, isNotNull } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { belongsToUser } from '#api/db/customers.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { commitments } from '#api/db/schema/commitments.ts'
import { coachingApplications, coachingBookings, contacts, membershipApplications } from '#api/db/schema/forms.ts'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import { mailOutbox, suppressedAddresses } from '#api/db/schema/mail.ts'
import { noticeChoices, notices } from '#api/db/schema/notices.ts'
import {
  announcementDismissals,
  announcements,
  followUps,
  mailingRecipients,
  mailings,
} from '#api/db/schema/outreach.ts'
import { addresses, mailAgreements, mailOptOuts, memberPhotos, users } from '#api/db/schema/people.ts'
import { paymentMethods, providerInvoices } from '#api/db/schema/provider.ts'
import { renewalNotices } from '#api/db/schema/renewal-notices.ts'
import { sessions } from '#api/db/schema/sessions.ts'
import { keptVideos } from '#api/db/schema/shelf.ts'
import { cancellations, subscriptions } from '#api/db/schema/subscriptions.ts'
import { memberVideos, videoProgress } from '#api/db/schema/videos.ts'
import { listPasskeys } from '#api/features/accounts/login/factor-queries.ts'
import { listOwnSessions } from '#api/features/accounts/login/session-list-service.ts'
import { questionTables } from '#api/features/questions/export-queries.ts'
import type { Person } from '#api/identity/person.ts'
import type { ArchiveTable } from '#shared/rules/account-archive.ts'

/** The most rows per list. Far above what a member produces in years, so it just bounds the archive. */
const mostRows = 20_000

export type Archived = Pick<Person, 'id' | 'sid' | 'scopes'> & {
  /** The account's address if its mailbox is proven to be the person's; null if it may be a stranger's. */
  provenEmail: string | null
}

/** Reads both together, because the proof covers only the address it was given for, not an earlier or later one. */
export const provenEmailOf = ({ db }: Context, id: string): string | null =>
  db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, id), isNotNull(users.emailProvenAt)))
    .get()?.email ?? null

/** Leaves out secret hashes. Includes what we know by address only if it's proven: it may be a stranger's account. */
export const archiveTables = (ctx: Context, person: Archived): ArchiveTable[] => [
  ...ofAccount(ctx, person),
  ...ofUse(ctx, person.id),
  ...ofVideos(ctx, person.id),
  ...ofCommitments(ctx, person.id),
  ...ofMails(ctx, person),
  ...ofTelling(ctx, person.id),
  ...ofMoney(ctx, person.id),
  ...ofForms(ctx, person),
  ...questionTables(ctx, person.id),
]

const { cause: _cause, mail: _mail, ...toldFields } = getTableColumns(notices)

function ofAccount(ctx: Context, person: Archived): ArchiveTable[] {
  const { db } = ctx
  const { id } = person
  const { passwordHash: _, tempPassword: __, resetToken: ___, ...account } = getTableColumns(users)
  return [
    { name: 'account', read: () => db.select(account).from(users).where(eq(users.id, id)).all() },
    { name: 'address', read: () => db.select().from(addresses).where(eq(addresses.userId, id)).all() },
    { name: 'photo', read: () => db.select().from(memberPhotos).where(eq(memberPhotos.userId, id)).all() },
    { name: 'devices', read: () => listOwnSessions(ctx, person) },
    { name: 'passkeys', read: () => listPasskeys(ctx, id) },
    { name: 'notice-choices', read: () => db.select().from(noticeChoices).where(eq(noticeChoices.userId, id)).all() },
    { name: 'notices', read: () => db.select(toldFields).from(notices).where(eq(notices.userId, id)).all() },
    { name: 'mails-stopped', read: () => db.select().from(mailOptOuts).where(eq(mailOptOuts.userId, id)).all() },
    { name: 'mails-agreed', read: () => db.select().from(mailAgreements).where(eq(mailAgreements.userId, id)).all() },
  ]
}

function ofUse({ db }: Context, id: string): ArchiveTable[] {
  const { at, action, detail, targetId } = auditEntries
  return [
    {
      name: 'activity',
      read: () =>
        db
          .select({ at, action, detail })
          .from(auditEntries)
          .where(eq(targetId, id))
          .orderBy(asc(auditEntries.id))
          .limit(mostRows)
          .all(),
    },
  ]
}

function ofVideos({ db }: Context, id: string): ArchiveTable[] {
  return [
    {
      name: 'videos',
      read: () =>
        db
          .select({
            title: memberVideos.title,
            completed: videoProgress.completed,
            completedAt: videoProgress.completedAt,
          })
          .from(videoProgress)
          .innerJoin(memberVideos, eq(memberVideos.id, videoProgress.videoId))
          .where(eq(videoProgress.userId, id))
          .limit(mostRows)
          .all(),
    },
    {
      name: 'videos-kept',
      read: () =>
        db
          .select({ title: memberVideos.title, keptAt: keptVideos.keptAt, device: sessions.device })
          .from(keptVideos)
          .innerJoin(sessions, eq(sessions.sid, keptVideos.sid))
          .innerJoin(memberVideos, eq(memberVideos.id, keptVideos.videoId))
          .where(eq(sessions.userId, id))
          .limit(mostRows)
          .all(),
    },
  ]
}

function ofCommitments({ db }: Context, id: string): ArchiveTable[] {
  const { text, day, state, madeBy, doneOn, createdAt } = commitments
  return [
    {
      name: 'commitments',
      read: () =>
        db
          .select({
            text,
            day,
            state,
            madeBy,
            doneOn,
            createdAt,
            video: memberVideos.title,
            call: coachingBookings.startsAt,
          })
          .from(commitments)
          .leftJoin(memberVideos, eq(memberVideos.id, commitments.videoId))
          .leftJoin(coachingBookings, eq(coachingBookings.id, commitments.callId))
          .where(eq(commitments.userId, id))
          .orderBy(asc(day), asc(commitments.id))
          .limit(mostRows)
          .all(),
    },
  ]
}

function ofTelling({ db }: Context, id: string): ArchiveTable[] {
  const { status, reason, queuedAt } = mailingRecipients
  return [
    {
      name: 'mailings',
      read: () =>
        db
          .select({ subject: mailings.subject, status, reason, queuedAt })
          .from(mailingRecipients)
          .innerJoin(mailings, eq(mailings.id, mailingRecipients.mailingId))
          .where(eq(mailingRecipients.userId, id))
          .limit(mostRows)
          .all(),
    },
    {
      name: 'mails-by-themselves',
      read: () => db.select().from(followUps).where(eq(followUps.userId, id)).limit(mostRows).all(),
    },
    {
      name: 'notes-put-away',
      read: () =>
        db
          .select({ title: announcements.title, at: announcementDismissals.at })
          .from(announcementDismissals)
          .innerJoin(announcements, eq(announcements.id, announcementDismissals.announcementId))
          .where(eq(announcementDismissals.userId, id))
          .limit(mostRows)
          .all(),
    },
  ]
}

function ofMails({ db }: Context, { id, provenEmail }: Archived): ArchiveTable[] {
  return [
    {
      name: 'address-stopped',
      read: () =>
        provenEmail === null
          ? []
          : db.select().from(suppressedAddresses).where(eq(suppressedAddresses.address, provenEmail)).all(),
    },
    {
      name: 'mails',
      read: () =>
        db
          .select({
            to: mailOutbox.to,
            subject: mailOutbox.subject,
            createdAt: mailOutbox.createdAt,
            sentAt: mailOutbox.sentAt,
          })
          .from(mailOutbox)
          .where(eq(mailOutbox.userId, id))
          .orderBy(asc(mailOutbox.id))
          .limit(mostRows)
          .all(),
    },
  ]
}

function ofMoney({ db }: Context, id: string): ArchiveTable[] {
  const own = (customerId: Parameters<typeof belongsToUser>[1]) => belongsToUser(db, customerId, id)
  const ownInvoices = db.select({ id: invoices.id }).from(invoices).where(own(invoices.customerId))
  return [
    { name: 'memberships', read: () => db.select().from(subscriptions).where(own(subscriptions.customerId)).all() },
    {
      name: 'payments',
      read: () => db.select().from(providerInvoices).where(own(providerInvoices.customerId)).limit(mostRows).all(),
    },
    { name: 'cards', read: () => db.select().from(paymentMethods).where(own(paymentMethods.customerId)).all() },
    { name: 'invoices', read: () => db.select().from(invoices).where(own(invoices.customerId)).limit(mostRows).all() },
    {
      name: 'credit-notes',
      read: () =>
        db.select().from(creditNotes).where(inArray(creditNotes.invoiceId, ownInvoices)).limit(mostRows).all(),
    },
    { name: 'cancellations', read: () => db.select().from(cancellations).where(own(cancellations.customerId)).all() },
    {
      name: 'renewal-notices',
      read: () => db.select().from(renewalNotices).where(own(renewalNotices.customerId)).limit(mostRows).all(),
    },
  ]
}

/** What was sent under the account's proven address, logged in or not. */
function ofForms({ db }: Context, { id, provenEmail }: Archived): ArchiveTable[] {
  const ofEmail = <Table extends typeof contacts | typeof coachingApplications | typeof membershipApplications>(
    table: Table,
  ) => (provenEmail === null ? [] : db.select().from(table).where(eq(table.email, provenEmail)).limit(mostRows).all())
  const calls = () =>
    db
      .select()
      .from(coachingBookings)
      .where(eq(coachingBookings.userId, id))
      .limit(mostRows)
      .all()
      .map(({ heldFrom: _, ...call }) => call)
  return [
    { name: 'calls', read: calls },
    { name: 'membership-applications', read: () => ofEmail(membershipApplications) },
    { name: 'coaching-applications', read: () => ofEmail(coachingApplications) },
    { name: 'messages', read: () => ofEmail(contacts) },
  ]
}
