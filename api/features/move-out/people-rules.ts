import { eq, inArray, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { inboxNotes } from '#api/db/schema/forms.ts'
import { mailRefusals } from '#api/db/schema/imports.ts'
import { suppressedAddresses } from '#api/db/schema/mail.ts'
import { addresses, mailAgreements, mailOptOuts, memberPhotos, users } from '#api/db/schema/people.ts'
import { BillingAddress } from '#shared/contract/billing.ts'
import { Email, Line, Text } from '#shared/contract/fields.ts'
import { InboxNoteRequest } from '#shared/contract/inbox.ts'
import { mailPurposes } from '#shared/contract/mail.ts'
import { NewMemberRequest } from '#shared/contract/members.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import { changedAt, madeAt, members, ours, ownId, person, version } from './exported-rules.ts'
import { Moment, OrNull, RowId, RowVersion } from './fields-rules.ts'

const typed = NewMemberRequest.entries
const ofPurpose = { userId: RowId, purpose: v.picklist(mailPurposes), at: Moment }

export const peopleFiles = [
  ours({
    name: 'people',
    table: users,
    about: 'Everyone with an account, except the owners.',
    where: eq(users.isAdmin, false),
    columns: {
      id: ownId,
      email: 'email address',
      emailProvenAt: 'when they first showed that the mailbox is theirs',
      firstName: 'first name',
      lastName: 'last name',
      phone: 'phone',
      businessName: 'name of their business',
      trade: 'trade',
      profileImageUrl: 'address of their photo here',
      accessOverride: 'granted or revoked, if the owners decided about access',
      accessUntil: 'when access the owners gave ends',
      accessTier: 'tier of that access, if they paid elsewhere before',
      lastSeenAt: 'last visit',
      createdAt: 'when the account was made',
      updatedAt: changedAt,
    },
    row: {
      id: RowId,
      email: Email,
      emailProvenAt: OrNull(Moment),
      firstName: typed.firstName,
      lastName: typed.lastName,
      phone: typed.phone,
      businessName: typed.businessName,
      trade: typed.trade,
      profileImageUrl: OrNull(v.pipe(v.string(), v.regex(/^\/api\/photos\/[\w-]{1,64}$/, 'This isn’t a photo here.'))),
      accessOverride: OrNull(v.picklist(['granted', 'revoked'])),
      accessUntil: OrNull(Moment),
      accessTier: OrNull(TierSlug),
      lastSeenAt: OrNull(Moment),
      createdAt: Moment,
      updatedAt: Moment,
    },
  }),
  ours({
    name: 'addresses',
    table: addresses,
    about: 'Addresses for VAT invoices.',
    where: inArray(addresses.userId, members),
    columns: {
      userId: person,
      line1: 'first line',
      line2: 'second line',
      town: 'town',
      postcode: 'postcode',
      country: 'country, two letters',
      updatedAt: changedAt,
    },
    row: {
      userId: RowId,
      ...BillingAddress.entries,
      line2: OrNull(Line(200)),
      updatedAt: Moment,
    },
  }),
  ours({
    name: 'photos',
    table: memberPhotos,
    about: 'Profile photos.',
    where: inArray(memberPhotos.userId, members),
    columns: { id: ownId, userId: person, content: 'the picture, WebP in base64', createdAt: madeAt },
    row: {
      id: RowId,
      userId: RowId,
      content: v.pipe(v.string(), v.maxLength(200_000), v.regex(/^[A-Za-z0-9+/]+={0,2}$/, 'This must be base64.')),
      createdAt: Moment,
    },
  }),
  ours({
    name: 'notes',
    table: inboxNotes,
    about: 'What owners wrote down about members.',
    where: sql`${inboxNotes.about} = 'members' and ${inboxNotes.kind} = 'note' and ${inboxNotes.aboutId} in ${members}`,
    columns: {
      id: ownId,
      about: 'always members',
      aboutId: 'the person: an id of people',
      kind: 'always note',
      text: 'the note',
      createdAt: madeAt,
      version,
    },
    row: {
      id: RowId,
      about: v.literal('members'),
      aboutId: RowId,
      kind: v.literal('note'),
      text: InboxNoteRequest.entries.text,
      createdAt: Moment,
      version: RowVersion,
    },
  }),
  ours({
    name: 'mail-agreed',
    table: mailAgreements,
    about: 'Who agreed to which emails.',
    where: inArray(mailAgreements.userId, members),
    columns: { userId: person, purpose: 'which emails', at: 'since when', source: 'where, if it wasn’t here' },
    row: { ...ofPurpose, source: OrNull(Line(300)) },
  }),
  ours({
    name: 'mail-refused',
    table: mailOptOuts,
    about: 'Who unsubscribed from which emails.',
    where: inArray(mailOptOuts.userId, members),
    columns: { userId: person, purpose: 'which emails', at: 'since when' },
    row: ofPurpose,
  }),
  ours({
    name: 'mail-refused-before',
    table: mailRefusals,
    about: 'Addresses that had unsubscribed where you were before.',
    columns: { address: 'email address', source: 'where', at: 'since when' },
    row: { address: Email, source: Line(300), at: Moment },
  }),
  ours({
    name: 'mail-blocked',
    table: suppressedAddresses,
    about: 'Addresses we don’t email, because an email bounced or someone complained.',
    columns: { address: 'email address', reason: 'why', since: 'since when' },
    row: { address: Email, reason: Text(2000), since: Moment },
  }),
]
