import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import type { Client } from '#cli/connection.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { expiryLabel } from '#cli/labels.ts'
import { linkOutput, note, print } from '#cli/output.ts'
import { confirm } from '#cli/prompt.ts'
import { parseArgument, parseOption, request } from '#cli/request.ts'
import { Day } from '#shared/contract/fields.ts'
import { AdminMemberDetail } from '#shared/contract/members.ts'
import { type LinkObstacle, ReactivationLink, ReactivationLinkRequest } from '#shared/contract/reactivation.ts'

export function registerReactivation(reactivation: Command, io: Io): void {
  reactivation
    .command('link <email>')
    .description('Create a signed link to delayed billing: the first payment is 30 days after the last one')
    .option('--last-payment <day>', 'day of the last payment (YYYY-MM-DD), instead of the one on record')
    .option('--name <name>', 'name to greet the member by, instead of the one on record')
    .option('--days <count>', 'days until the link expires (default: 14)')
    .option('-y, --yes', 'do not ask when the address has no account')
    .addHelpText(
      'after',
      examples(
        'reactivation link sam@example.com',
        'reactivation link kim@example.com --name Kim --last-payment 2026-05-31',
      ),
    )
    .action((email: string, _own, command: Command) => createReactivationLink(io, command.optsWithGlobals(), email))
}

type LinkOptions = SharedOptions & { lastPayment?: string; name?: string; days?: string; yes?: boolean }

async function createReactivationLink(io: Io, options: LinkOptions, email: string): Promise<void> {
  const { name, days } = options
  const lastPayment = parseOption(Day, options.lastPayment, '--last-payment')
  const body = parseArgument(ReactivationLinkRequest, {
    email,
    ...(lastPayment === undefined ? {} : { lastPayment }),
    ...(name === undefined ? {} : { name }),
    ...(days === undefined ? {} : { expiresInDays: Number(days) }),
  })
  const link = await withClient(io, options, async ({ api }) => {
    if (!(await hasAccount(api, body.email))) {
      await confirm(io, `${body.email} has no account here. Create a link for it anyway?`, options.yes === true)
    }
    return request(ReactivationLink, api.admin['reactivation-links'].post(body))
  })
  await print(io, options, linkOutput(link, link.url, { email: body.email, ...link, obstacle: link.obstacle ?? '' }))
  if (link.obstacle !== null) await note(io, options, `Warning: ${body.email} ${obstacleLabels[link.obstacle]}`)
  await note(
    io,
    options,
    `For ${body.email} only, until ${expiryLabel(link.expires)}. It opens their offer, not their account.`,
  )
}

async function hasAccount(api: Client['api'], email: string): Promise<boolean> {
  try {
    await request(AdminMemberDetail, api.admin.member({ memberId: encodeURIComponent(email) }).get())
    return true
  } catch (error) {
    if (error instanceof CliError && error.exitCode === exitCodes.notFound) return false
    throw error
  }
}

/** Warnings, not errors: the link does no harm, and may be meant for a later day. */
const obstacleLabels: Record<LinkObstacle, string> = {
  already_subscribed: 'already has a membership. The link will say that there is nothing to pay.',
  access_revoked: 'had their access revoked. The link sells nothing until it is restored.',
}
