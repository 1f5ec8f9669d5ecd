import { ask, typed } from '#cli/ask.ts'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { type Io, say } from '#cli/io.ts'
import { isForScript, print } from '#cli/output.ts'
import { linkReport } from '#cli/reports/link.ts'
import { OwnerLink, OwnerLinkRequest } from '#shared/contract/auth.ts'
import { formatClock, formatLongDate } from '#shared/rules/london.ts'

export async function makeOwnerLink(io: Io, options: SharedOptions, email: string): Promise<void> {
  const body = typed(OwnerLinkRequest, { email })
  const link = await withClient(io, options, (client) => ask(OwnerLink, client.api.admin.owners.link.post(body)))
  const columns = { email: link.email, url: link.url, expiresAt: link.expiresAt }
  await print(io, options, linkReport({ answer: link, url: link.url, columns }))
  if (isForScript(options)) return
  const until = `${formatClock(link.expiresAt, 'Europe/London')} on ${formatLongDate(link.expiresAt)}`
  await say(io, `Opens once, until ${until}, and sets the password of ${link.email}.`)
}
