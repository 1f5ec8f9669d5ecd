import type { Client } from '#cli/connection.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { dayLabel, emptyLabel, expiryLabel, timeLabel, yesNoLabel } from '#cli/labels.ts'
import { csvOfRows, linkOutput, recordOutput, sectionsOutput, tableWithRows } from '#cli/output.ts'
import { parseArgument, request } from '#cli/request.ts'
import { actRow, type Call, changeRow, registersRows, showRow } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { OwnerLink, OwnerLinkRequest } from '#shared/contract/auth.ts'
import { OwnerInvitation, OwnersResponse, SiteOwner } from '#shared/contract/owners.ts'
import { FactorReset } from '#shared/contract/sign-in.ts'

const ownerOf = ({ argument }: Call) => parseArgument(OwnerLinkRequest, { email: argument(0) })

const planned = <Facts extends { email: string }>(facts: Facts, then: string, question: string | null) => ({
  facts,
  question,
  output: recordOutput(
    'Plan',
    [
      { label: 'Owner', value: facts.email },
      { label: 'Then', value: then },
    ],
    facts,
  ),
})

const ownersTable: Table<SiteOwner> = {
  title: 'Owners',
  empty: 'No owners.',
  columns: [
    { title: 'EMAIL', text: ({ email }) => email, minWidth: 16 },
    { title: 'NAME', text: ({ name }) => name ?? emptyLabel, dropOrder: 1 },
    { title: 'SINCE', text: ({ since }) => dayLabel(since), dropOrder: 2 },
    { title: 'LAST SEEN', text: ({ lastSeenAt }) => timeLabel(lastSeenAt), dropOrder: 3 },
    { title: 'TWO-STEP', text: ({ hasSecondFactor }) => yesNoLabel(hasSecondFactor) },
    { title: 'BY', text: ({ isConfigured }) => (isConfigured ? 'OWNER_EMAILS' : 'invitation') },
  ],
  csv: csvFields(['id', 'email', 'name', 'since', 'lastSeenAt', 'hasSecondFactor', 'isConfigured']),
}

const invitationsTable: Table<OwnerInvitation> = {
  title: 'Invitations',
  empty: 'No open invitations.',
  columns: [
    { title: 'EMAIL', text: ({ email }) => email, minWidth: 16 },
    { title: 'INVITED BY', text: ({ invitedBy }) => invitedBy, dropOrder: 1 },
    { title: 'EXPIRES', text: ({ expiresAt }) => timeLabel(expiresAt) },
  ],
  csv: csvFields(['id', 'email', 'invitedBy', 'createdAt', 'expiresAt']),
}

const readOwners = ({ api }: Client) => request(OwnersResponse, api.admin.owners.get())

const list = showRow({
  usage: 'list',
  description: 'List the owners and open invitations',
  examples: ['list', 'list --json'],
  read: () => readOwners,
  output: (found) =>
    sectionsOutput({ json: found, csv: () => csvOfRows(ownersTable.csv, found.owners) }, [
      { title: 'Owners', table: tableWithRows(ownersTable, found.owners) },
      { title: 'Open invitations', table: tableWithRows(invitationsTable, found.invitations) },
    ]),
})

const invite = changeRow({
  usage: 'invite <email>',
  description: 'Invite someone to be an owner (a link that works once, for 48 hours)',
  examples: ['invite owen@example.com --dry-run', 'invite owen@example.com'],
  asks: true,
  plan(call) {
    const facts = ownerOf(call)
    const question = `Email ${facts.email} an invitation to run the site, and tell every owner?`
    return async () => planned(facts, 'an email with a link that makes them an owner', question)
  },
  apply:
    (_call, body) =>
    async ({ api }) => {
      const record = await request(OwnerInvitation, api.admin.owners.invitations.post(body))
      return { sentence: `${record.email} is invited and can accept until ${expiryLabel(record.expiresAt)}.`, record }
    },
})

const withdraw = actRow({
  usage: 'uninvite <email>',
  description: 'Cancel an owner’s invitation',
  examples: ['uninvite owen@example.com'],
  act(call) {
    const { email } = ownerOf(call)
    return async (client) => {
      const { invitations } = await readOwners(client)
      const invitation = invitations.find((one) => one.email === email)
      if (invitation === undefined) throw new CliError(exitCodes.notFound, `No open invitation to ${email}.`)
      const { id } = invitation
      const record = await request(OwnerInvitation, client.api.admin.owners.invitations({ id }).delete())
      return { sentence: `The invitation to ${record.email} is cancelled.`, record }
    }
  },
})

const remove = changeRow({
  usage: 'remove <email>',
  description: 'Remove an invited owner and end their logins',
  examples: ['remove owen@example.com --dry-run', 'remove owen@example.com'],
  asks: true,
  plan(call) {
    const { email } = ownerOf(call)
    return async (client) => {
      const { owners } = await readOwners(client)
      const facts = owners.find((one) => one.email === email)
      if (facts === undefined) throw new CliError(exitCodes.notFound, `No owner uses ${email}.`)
      const then = 'no longer an owner; their logins, API tokens and calendar feeds end'
      return planned(facts, then, `Remove ${email} as an owner?`)
    }
  },
  apply:
    (_call, { id }) =>
    async ({ api }) => {
      const { email } = await request(SiteOwner, api.admin.owners({ id }).delete())
      return { sentence: `${email} is no longer an owner.`, record: { id, email } }
    },
})

const link = actRow({
  usage: 'link <email>',
  description: 'Create a one-time link for an owner to set a password',
  examples: ['link olive@example.com'],
  act(call) {
    const body = ownerOf(call)
    return async ({ api }) => {
      const link = await request(OwnerLink, api.admin.owners.link.post(body))
      const { email, url, expiresAt } = link
      const notes = [`Works once, until ${expiryLabel(expiresAt)}, and sets the password of ${email}.`]
      return { ...linkOutput(link, url, { email, url, expiresAt }), notes }
    }
  },
})

const resetFactor = changeRow({
  usage: 'reset-second-factor <email>',
  description: 'Reset an owner’s lost two-step login (on this machine only)',
  examples: ['reset-second-factor olive@example.com --dry-run', 'reset-second-factor olive@example.com'],
  asks: true,
  plan(call) {
    const facts = ownerOf(call)
    const question = `Remove the authenticator app, recovery codes and passkeys of ${facts.email}, and log them out everywhere?`
    return async () => planned(facts, 'no two-step login, and no logins', question)
  },
  apply:
    (_call, body) =>
    async ({ api }) => {
      const record = await request(FactorReset, api.admin.owners['second-factor-reset'].post(body))
      const sentence = `${record.email} logs in with just the password, and can set up two-step login again.`
      return { sentence, record }
    },
})

export const ownerRows = [list, invite, withdraw, remove, link, resetFactor]

export const registerOwners = registersRows(ownerRows)
