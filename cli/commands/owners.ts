import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { examples } from '#cli/help.ts'
import { type Io, notify } from '#cli/io.ts'
import { expiryLabel } from '#cli/labels.ts'
import { isForScript, linkOutput, note, print, printRecord } from '#cli/output.ts'
import { confirm } from '#cli/prompt.ts'
import { parseArgument, request } from '#cli/request.ts'
import { OwnerLink, OwnerLinkRequest } from '#shared/contract/auth.ts'
import { FactorReset } from '#shared/contract/sign-in.ts'

type ResetOptions = SharedOptions & { yes?: true }

export function registerOwners(owners: Command, io: Io): void {
  owners
    .command('link <email>')
    .description('Create a one-time link with which an owner sets a password')
    .addHelpText('after', examples('owners link olive@example.com'))
    .action((email: string, _own, command: Command) => createOwnerLink(io, command.optsWithGlobals(), email))

  owners
    .command('reset-second-factor <email>')
    .description('Take a lost second factor from an owner, at the machine itself')
    .option('-y, --yes', 'do not ask first')
    .addHelpText('after', examples('owners reset-second-factor olive@example.com'))
    .action((email: string, _own, command: Command) => resetSecondFactor(io, command.optsWithGlobals(), email))
}

async function resetSecondFactor(io: Io, options: ResetOptions, given: string): Promise<void> {
  const body = parseArgument(OwnerLinkRequest, { email: given })
  const question = `Remove the authenticator app, recovery codes and passkeys of ${body.email}, and sign them out everywhere?`
  await confirm(io, question, options.yes ?? false)
  const reset = await withClient(io, options, ({ api }) =>
    request(FactorReset, api.admin.owners['second-factor-reset'].post(body)),
  )
  if (isForScript(options)) return printRecord(io, options, reset)
  await notify(io, `${reset.email} signs in with the password alone, and can set up a second factor again.`)
}

async function createOwnerLink(io: Io, options: SharedOptions, given: string): Promise<void> {
  const body = parseArgument(OwnerLinkRequest, { email: given })
  const link = await withClient(io, options, ({ api }) => request(OwnerLink, api.admin.owners.link.post(body)))
  const { email, url, expiresAt } = link
  await print(io, options, linkOutput(link, url, { email, url, expiresAt }))
  await note(io, options, `Works once, until ${expiryLabel(expiresAt)}, and sets the password of ${email}.`)
}
