import { eq, inArray, sql } from 'drizzle-orm'
import { inboxNotes } from '#api/db/schema/forms.ts'
import { mailRefusals } from '#api/db/schema/imports.ts'
import { suppressedAddresses } from '#api/db/schema/mail.ts'
import { addresses, mailAgreements, mailOptOuts, memberPhotos, users } from '#api/db/schema/people.ts'
import { changedAt, madeAt, members, ours, ownId, person, version } from './exported-rules.ts'

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
  }),
  ours({
    name: 'addresses',
    table: addresses,
    about: 'Addresses for VAT invoices.',
    where: inArray(addresses.userId, members),
    columns: {
      ...{ userId: person, line1: 'first line', line2: 'second line', town: 'town', postcode: 'postcode' },
      ...{ country: 'country, two letters', updatedAt: changedAt },
    },
  }),
  ours({
    name: 'photos',
    table: memberPhotos,
    about: 'Profile photos.',
    where: inArray(memberPhotos.userId, members),
    columns: { id: ownId, userId: person, content: 'the picture, WebP in base64', createdAt: madeAt },
  }),
  ours({
    name: 'notes',
    table: inboxNotes,
    about: 'What owners wrote down about members.',
    where: sql`${inboxNotes.about} = 'members' and ${inboxNotes.kind} = 'note' and ${inboxNotes.aboutId} in ${members}`,
    columns: {
      ...{ id: ownId, about: 'always members', aboutId: 'the person: an id of people', kind: 'always note' },
      ...{ text: 'the note', createdAt: madeAt, version },
    },
  }),
  ours({
    name: 'mail-agreed',
    table: mailAgreements,
    about: 'Who agreed to which emails.',
    where: inArray(mailAgreements.userId, members),
    columns: { userId: person, purpose: 'which emails', at: 'since when', source: 'where, if it wasn’t here' },
  }),
  ours({
    name: 'mail-refused',
    table: mailOptOuts,
    about: 'Who unsubscribed from which emails.',
    where: inArray(mailOptOuts.userId, members),
    columns: { userId: person, purpose: 'which emails', at: 'since when' },
  }),
  ours({
    name: 'mail-refused-before',
    table: mailRefusals,
    about: 'Addresses that had unsubscribed where you were before.',
    columns: { address: 'email address', source: 'where', at: 'since when' },
  }),
  ours({
    name: 'mail-blocked',
    table: suppressedAddresses,
    about: 'Addresses we don’t email, because an email bounced or someone complained.',
    columns: { address: 'email address', reason: 'why', since: 'since when' },
  }),
]
