import { ask, typed } from '#cli/ask.ts'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { type Io, say } from '#cli/io.ts'
import { isForScript, print } from '#cli/output.ts'
import { linkReport } from '#cli/reports/link.ts'
import { Day } from '#shared/contract/fields.ts'
import { type LinkObstacle, ReactivationLink, ReactivationLinkRequest } from '#shared/contract/reactivation.ts'
import { formatClock, formatLongDate } from '#shared/rules/london.ts'

type Options = SharedOptions & { lastPayment?: string; name?: string; days?: string }

export async function makeReactivationLink(io: Io, options: Options, email: string): Promise<void> {
  const { lastPayment, name, days } = options
  const asked = {
    email,
    ...(lastPayment === undefined ? {} : { lastPayment: typed(Day, lastPayment, '--last-payment') }),
    ...(name === undefined ? {} : { name }),
    ...(days === undefined ? {} : { expiresInDays: Number(days) }),
  }
  const body = typed(ReactivationLinkRequest, asked)
  const link = await withClient(io, options, (client) =>
    ask(ReactivationLink, client.api.admin['reactivation-links'].post(body)),
  )
  const columns = { email: body.email, ...link, obstacle: link.obstacle ?? '' }
  await print(io, options, linkReport({ answer: link, url: link.url, columns }))
  if (isForScript(options)) return
  if (link.obstacle !== null) await say(io, `Careful: ${body.email} ${obstacles[link.obstacle]}`)
  const until = `${formatClock(link.expires, 'Europe/London')} on ${formatLongDate(link.expires)}`
  await say(io, `For ${body.email} alone, until ${until}. It opens their offer, not their account.`)
}

/** A warning, not a failure: the link does no harm, and may be meant for a day to come. */
const obstacles: Record<LinkObstacle, string> = {
  already_subscribed: 'has a membership already. The link will say that nothing is to be paid.',
  access_revoked: 'had the access ended by the owners. The link will sell nothing until it is given back.',
}
