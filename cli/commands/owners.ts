import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { expiryLabel } from '#cli/labels.ts'
import { linkOutput, note, print } from '#cli/output.ts'
import { parseArgument, request } from '#cli/request.ts'
import { OwnerLink, OwnerLinkRequest } from '#shared/contract/auth.ts'

export function registerOwners(owners: Command, io: Io): void {
  owners
    .command('link <email>')
    .description('Create a one-time link with which an owner sets a password')
    .addHelpText('after', examples('owners link olive@example.com'))
    .action((email: string, _own, command: Command) => createOwnerLink(io, command.optsWithGlobals(), email))
}

async function createOwnerLink(io: Io, options: SharedOptions, given: string): Promise<void> {
  const body = parseArgument(OwnerLinkRequest, { email: given })
  const link = await withClient(io, options, ({ api }) => request(OwnerLink, api.admin.owners.link.post(body)))
  const { email, url, expiresAt } = link
  await print(io, options, linkOutput(link, url, { email, url, expiresAt }))
  await note(io, options, `Works once, until ${expiryLabel(expiresAt)}, and sets the password of ${email}.`)
}
