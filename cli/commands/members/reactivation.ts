import type { Client } from '#cli/connection.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { dayLabel, expiryLabel, yesNoLabel } from '#cli/labels.ts'
import { linkOutput, recordOutput } from '#cli/output.ts'
import { parseArgument, parseOption, request, withoutUnset } from '#cli/request.ts'
import { type Call, changeRow } from '#cli/rows.ts'
import { Day } from '#shared/contract/fields.ts'
import { AdminMemberDetail } from '#shared/contract/members.ts'
import { type LinkObstacle, ReactivationLink, ReactivationLinkRequest } from '#shared/contract/reactivation.ts'

type LinkFacts = { body: ReactivationLinkRequest; hasAccount: boolean }

function bodyOf({ argument, option }: Call): ReactivationLinkRequest {
  const lastPayment = parseOption(Day, option('lastPayment'), '--last-payment')
  const days = option('days')
  const expiresInDays = days === undefined ? undefined : Number(days)
  const given = { email: argument(0), lastPayment, name: option('name'), expiresInDays }
  return parseArgument(ReactivationLinkRequest, withoutUnset(given))
}

const link = changeRow<LinkFacts>({
  usage: 'reactivation-link <email>',
  description: 'Create a signed link to delayed billing: first payment 30 days after the last one',
  options: [
    ['--last-payment <day>', 'day of the last payment (YYYY-MM-DD), instead of the one on record'],
    ['--name <name>', 'name to greet them by, instead of the one on record'],
    ['--days <count>', 'days until the link expires (default: 14)'],
  ],
  examples: [
    'reactivation-link sam@example.com',
    'reactivation-link kim@example.com --name Kim --last-payment 2026-05-31',
  ],
  asks: true,
  plan(call) {
    const body = bodyOf(call)
    return async ({ api }) => {
      const facts = { body, hasAccount: await hasAccount(api, body.email) }
      const details = [
        { label: 'For', value: body.email },
        { label: 'Has an account', value: yesNoLabel(facts.hasAccount) },
        { label: 'Last payment', value: body.lastPayment === undefined ? 'as recorded' : dayLabel(body.lastPayment) },
      ]
      const output = recordOutput('Plan', details, { email: body.email }, facts)
      const question = facts.hasAccount ? null : `${body.email} has no account here. Create a link for it anyway?`
      return { facts, output, question }
    }
  },
  apply:
    (_call, { body }) =>
    async ({ api }) => {
      const link = await request(ReactivationLink, api.admin['reactivation-links'].post(body))
      const { obstacle, url, expires } = link
      const notes = [
        ...(obstacle === null ? [] : [`Warning: ${body.email} ${obstacleLabels[obstacle]}`]),
        `For ${body.email} only, until ${expiryLabel(expires)}. It opens their offer, not their account.`,
      ]
      return { ...linkOutput(link, url, { email: body.email, ...link, obstacle: obstacle ?? '' }), notes }
    },
})

async function hasAccount(api: Client['api'], email: string): Promise<boolean> {
  try {
    await request(AdminMemberDetail, api.admin.member({ memberId: encodeURIComponent(email) }).get())
    return true
  } catch (error) {
    if (error instanceof CliError && error.exitCode === exitCodes.notFound) return false
    throw error
  }
}

const obstacleLabels: Record<LinkObstacle, string> = {
  already_subscribed: 'already has a membership. The link will say there’s nothing to pay.',
  access_revoked: 'had their access revoked. The link won’t sell anything until it’s restored.',
}

export const reactivationRows = [link]
