import { and, asc, eq, sql } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import {
  coachingApplications,
  coachingBookings,
  contacts,
  inboxNotes,
  membershipApplications,
} from '#api/db/schema/forms.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { users } from '#api/db/schema/people.ts'
import { notFound, versionConflict } from '#api/errors.ts'
import { ownerMailboxes } from '#api/features/accounts/owner-queries.ts'
import type { Owner } from '#api/identity/person.ts'
import { assertOwnerProven } from '#api/identity/proof.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { inboxReplyMail } from '#api/mail/templates/inbox.ts'
import type { Message } from '#api/mail/templates/layout.ts'
import type {
  InboxKind,
  InboxNote,
  InboxNoteChange,
  InboxNoteRequest,
  InboxParams,
  InboxReplyRequest,
} from '#shared/contract/inbox.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'

type Sender = { name: string; email: string }

const tables = {
  'membership-applications': membershipApplications,
  'coaching-applications': coachingApplications,
  'coaching-bookings': coachingBookings,
  contacts,
  'quotient-orders': quotientOrders,
  members: users,
}

export function senderOf(ctx: Context, { kind, id }: InboxParams): Sender {
  const table = tables[kind]
  const name = 'name' in table ? sql`${table.name}` : sql`concat_ws(' ', ${table.firstName}, ${table.lastName})`
  const sender = ctx.db
    .select({ name: name.mapWith(String), email: table.email })
    .from(table)
    .where(eq(table.id, id))
    .get()
  if (sender === undefined) throw notFound('This entry')
  return sender
}

const causeOf = (noteId: string) => `inbox:${noteId}`

/** An entry's notes, oldest first, with the delivery status of mailed ones. */
export function listNotes(ctx: Context, about: InboxParams): InboxNote[] {
  senderOf(ctx, about)
  return readNotes(ctx, about)
}

const readNotes = (ctx: Context, about: InboxParams, noteId?: string): InboxNote[] =>
  ctx.db
    .select({
      id: inboxNotes.id,
      kind: inboxNotes.kind,
      text: inboxNotes.text,
      firstName: users.firstName,
      lastName: users.lastName,
      email: users.email,
      mailStatus: mailOutbox.status,
      createdAt: inboxNotes.createdAt,
      version: inboxNotes.version,
    })
    .from(inboxNotes)
    .leftJoin(users, eq(users.id, inboxNotes.authorId))
    .leftJoin(mailOutbox, eq(mailOutbox.cause, sql`'inbox:' || ${inboxNotes.id}`))
    .where(
      and(
        eq(inboxNotes.aboutId, about.id),
        eq(inboxNotes.about, about.kind),
        noteId === undefined ? undefined : eq(inboxNotes.id, noteId),
      ),
    )
    .orderBy(asc(inboxNotes.id))
    .all()
    .map(({ firstName, lastName, email, ...note }) => ({
      ...note,
      author: email && nameOrEmail({ firstName, lastName, email }),
    }))

type Written = InboxParams & InboxNoteRequest

/** Only owners see it. */
export function addNote(ctx: Context, owner: Owner, { text, ...about }: Written): InboxNote[] {
  senderOf(ctx, about)
  transact(ctx, () => {
    insertNote(ctx, owner, { about, kind: 'note', text })
    audit(ctx, owner.actor, 'inbox.note', { targetId: about.id, detail: { about: about.kind } })
  })
  return listNotes(ctx, about)
}

type Changed = InboxParams & InboxNoteChange & { noteId: string }

/** Edits a note by either owner. A mailed text stays as it was sent. */
export function changeNote(ctx: Context, owner: Owner, { noteId, text, version, ...about }: Changed): InboxNote {
  return transact(ctx, () => {
    const [current] = readNotes(ctx, about, noteId)
    if (current?.kind !== 'note') throw notFound('This note')
    if (text === current.text) return current
    if (version !== current.version) throw versionConflict({ sent: { text, version }, current })
    ctx.db
      .update(inboxNotes)
      .set({ text, version: version + 1 })
      .where(eq(inboxNotes.id, noteId))
      .run()
    audit(ctx, owner.actor, 'inbox.note_changed', { targetId: about.id, detail: { about: about.kind } })
    return { ...current, text, version: version + 1 }
  })
}

const subjects: Record<InboxKind, string> = {
  'membership-applications': 'membership application',
  'coaching-applications': 'coaching application',
  'coaching-bookings': 'call booking',
  contacts: 'message',
  'quotient-orders': 'order',
  members: 'membership',
}

/** Mails an owner's reply to the sender and keeps it. Safe to repeat after a lost response: one key, one mail. */
export function replyToSender(
  ctx: Context,
  owner: Owner,
  { text, wish, people = 1, ...about }: InboxParams & InboxReplyRequest,
): InboxNote[] {
  if (people > 1) assertOwnerProven(ctx, owner)
  const sender = senderOf(ctx, about)
  const message = inboxReplyMail({ firstName: firstNameOf(sender.name), about: subjects[about.kind], text })
  transact(ctx, () => {
    if (wish !== undefined && isKnownWish(ctx, about, wish)) return
    mailSender(ctx, owner, { about, kind: 'reply', text, wish, to: sender.email, message })
  })
  return listNotes(ctx, about)
}

/** It's mailed already, and the response was lost. */
export function isKnownWish(ctx: Context, about: InboxParams, wish: string): boolean {
  const isSame = and(eq(inboxNotes.wish, wish), eq(inboxNotes.aboutId, about.id))
  return ctx.db.select({ id: inboxNotes.id }).from(inboxNotes).where(isSame).get() !== undefined
}

export const firstNameOf = (name: string) => name.trim().split(/\s+/)[0] ?? ''

type Note = { about: InboxParams; kind: InboxNote['kind']; text: string; wish?: string | undefined }

function insertNote(ctx: Context, { userId }: Owner, { about, text, ...note }: Note): string {
  const id = ctx.newId()
  const createdAt = ctx.now().toISOString()
  const { kind, wish = null } = note
  insertRow(ctx, inboxNotes, {
    id,
    about: about.kind,
    aboutId: about.id,
    kind,
    text,
    authorId: userId,
    createdAt,
    wish,
  })
  return id
}

type Mail = Note & { kind: Exclude<Note['kind'], 'note'>; to: string; message: Message }

/** Stores and queues the mail in the caller's transaction. The audit log records it without its text. */
export function mailSender(ctx: Context, owner: Owner, mail: Mail): void {
  const { about, kind, to, message } = mail
  const id = insertNote(ctx, owner, mail)
  const replyTo = addressOf(ctx, owner)
  const userId = about.kind === 'members' ? about.id : null
  queueMessage(ctx, { cause: causeOf(id), to, userId, isRepeatable: true, ...(replyTo && { replyTo }) }, message)
  audit(ctx, owner.actor, `inbox.${kind}`, { targetId: about.id, detail: { about: about.kind } })
}

/** The Reply-To address: the owner who wrote, or the first owner for the terminal. */
function addressOf(ctx: Context, { userId }: Owner): string | undefined {
  const author = userId && ctx.db.select({ email: users.email }).from(users).where(eq(users.id, userId)).get()
  return author ? author.email : ownerMailboxes(ctx)[0]
}
