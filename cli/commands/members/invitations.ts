import { findTier, offeredPrice } from '#cli/commands/tiers/list.ts'
import type { Client } from '#cli/connection.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { emptyLabel, nameLabel, timeLabel } from '#cli/labels.ts'
import { linkOutput, recordOutput, tableOutput } from '#cli/output.ts'
import { parseArgument, parseOption, request, withoutUnset } from '#cli/request.ts'
import { actRow, changeRow, showRow } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { Email } from '#shared/contract/fields.ts'
import {
  MemberInvitation,
  MemberInvitationList,
  MemberInvitationPreview,
  MemberInvitationRequest,
} from '#shared/contract/member-invitations.ts'
import { PricePeriod } from '#shared/contract/tier.ts'

const table: Table<MemberInvitation> = {
  title: 'Invitations',
  empty: 'No open invitations.',
  columns: [
    { title: 'EMAIL', text: ({ email }) => email, minWidth: 16 },
    { title: 'NAME', text: nameLabel, dropOrder: 2 },
    { title: 'TIER', text: ({ tierSlug }) => tierSlug },
    { title: 'FREE MONTHS', text: ({ freeMonths }) => String(freeMonths), align: 'right', dropOrder: 1 },
    { title: 'PAID BY', text: ({ every }) => every ?? emptyLabel },
    { title: 'INVITED BY', text: ({ invitedBy }) => invitedBy ?? emptyLabel, dropOrder: 4 },
    { title: 'SENT', text: ({ sentAt }) => timeLabel(sentAt), dropOrder: 3 },
    { title: 'EXPIRES', text: ({ expiresAt }) => timeLabel(expiresAt) },
  ],
  csv: csvFields(
    ['id', 'email', 'firstName', 'lastName', 'tierSlug', 'freeMonths', 'invitedBy'],
    ['sentAt', 'expiresAt', 'url', 'every'],
  ),
}

const readInvitations = ({ api }: Client) => request(MemberInvitationList, api.admin.invitations.get())

const list = showRow({
  usage: 'invitations',
  description: 'List open invitations to join',
  examples: ['invitations', 'invitations --csv > invitations.csv'],
  read: () => readInvitations,
  output: (found) => tableOutput(table, found),
})

const invite = changeRow<MemberInvitationRequest>({
  usage: 'invite <email> <tier>',
  description: 'Email and print a signed link to join on a tier, whether or not it’s on the site',
  options: [
    ['--first-name <name>', 'their first name'],
    ['--last-name <name>', 'their last name'],
    ['--every <month|year>', 'which of its prices is picked for them; without it, they choose'],
    ['--free-months <count>', 'free months before their first payment, up to 12 (default: 0)'],
  ],
  examples: [
    'invite sam@example.com xl --dry-run',
    'invite sam@example.com standard --free-months 2',
    'invite sam@example.com mastermind --every year',
  ],
  asks: true,
  plan(call) {
    const given = {
      email: call.argument(0),
      tierSlug: call.argument(1).toLowerCase(),
      firstName: call.option('firstName'),
      lastName: call.option('lastName'),
    }
    const freeMonths = Number(call.option('freeMonths') ?? '0')
    if (!Number.isInteger(freeMonths)) throw usageError('--free-months takes a whole number, 0 to 12.')
    const every = parseOption(PricePeriod, call.option('every'), '--every')
    const asked = parseArgument(MemberInvitationRequest, { ...withoutUnset(given), freeMonths })
    return async (client) => {
      const facts =
        every === undefined
          ? asked
          : { ...asked, priceId: offeredPrice(await findTier(client, asked.tierSlug), every).id }
      const { invitations } = client.api.admin
      const preview = await request(MemberInvitationPreview, invitations.preview.post(facts))
      const details = [
        { label: 'To', value: facts.email },
        { label: 'Subject', value: preview.subject },
        { label: 'Email', value: preview.text },
      ]
      const output = recordOutput('Plan', details, facts)
      return { facts, output, question: `Email ${facts.email} an invitation to ${facts.tierSlug}?` }
    }
  },
  apply:
    (_call, body) =>
    async ({ api }) => {
      const { url, email, expiresAt } = await request(MemberInvitation, api.admin.invitations.post(body))
      return linkOutput({ email, url, expires: expiresAt }, url, { email, url, expires: expiresAt })
    },
})

const uninvite = actRow({
  usage: 'uninvite <email>',
  description: 'Cancel an invitation to join',
  examples: ['uninvite sam@example.com'],
  act({ argument }) {
    const email = parseArgument(Email, argument(0))
    return async (client) => {
      const invitation = (await readInvitations(client)).find((one) => one.email === email)
      if (invitation === undefined) throw new CliError(exitCodes.notFound, `No open invitation to ${email}.`)
      const { id } = await request(MemberInvitation, client.api.admin.invitations({ id: invitation.id }).delete())
      return { sentence: `The invitation to ${email} is cancelled.`, record: { id, email } }
    }
  },
})

export const invitationRows = [invite, list, uninvite]
