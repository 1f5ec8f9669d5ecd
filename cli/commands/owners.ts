import type { Command } from 'commander'
import { type SharedOptions, serverOrigin, withClient } from '#cli/client.ts'
import { usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { expiryLabel } from '#cli/labels.ts'
import { linkOutput, note, print } from '#cli/output.ts'
import { promptLine, readStdin } from '#cli/prompt.ts'
import { parseArgument, request } from '#cli/request.ts'
import { OwnerLink, OwnerLinkRequest } from '#shared/contract/auth.ts'

type LinkOptions = SharedOptions & { passwordStdin?: true }

export function registerOwners(owners: Command, io: Io): void {
  owners
    .command('link <email>')
    .description('Create a one-time link with which an owner sets a password')
    .option('--password-stdin', 'read your own password from standard input; over --api alone')
    .addHelpText('after', examples('owners link olive@example.com'))
    .action((email: string, _own, command: Command) => createOwnerLink(io, command.optsWithGlobals(), email))
}

/** A server asks an owner for the password again; whoever sits at the machine itself is asked nothing. */
async function readOwnPassword(io: Io, options: LinkOptions): Promise<{ password?: string }> {
  if (serverOrigin(io, options) === null) return {}
  if (options.passwordStdin) return { password: await readStdin(io) }
  if (!io.isTTY.stdin) throw usageError('Over --api a link needs your password: use --password-stdin.')
  return { password: await promptLine(io, 'Your password: ', { isSecret: true }) }
}

async function createOwnerLink(io: Io, options: LinkOptions, given: string): Promise<void> {
  const body = parseArgument(OwnerLinkRequest, { email: given })
  const password = await readOwnPassword(io, options)
  const link = await withClient(io, options, ({ api }) =>
    request(OwnerLink, api.admin.owners.link.post({ ...body, ...password })),
  )
  const { email, url, expiresAt } = link
  await print(io, options, linkOutput(link, url, { email, url, expiresAt }))
  await note(io, options, `Works once, until ${expiryLabel(expiresAt)}, and sets the password of ${email}.`)
}
