import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { countsOutput, print } from '#cli/output.ts'
import { parseMember, request } from '#cli/request.ts'
import { MemberSync } from '#shared/contract/jobs.ts'

export function registerSync(sync: Command, io: Io): void {
  sync
    .argument('<id-or-email>')
    .addHelpText('after', examples('sync sam@example.com'))
    .action((idOrEmail: string, _own, command: Command) => syncMember(io, command.optsWithGlobals(), idOrEmail))
}

async function syncMember(io: Io, options: SharedOptions, idOrEmail: string): Promise<void> {
  const memberId = encodeURIComponent(parseMember(idOrEmail))
  const sync = await withClient(io, options, ({ api }) =>
    request(MemberSync, api.admin.members({ memberId }).sync.post()),
  )
  const counts = { customer: sync.hasCustomer ? 'up to date' : 'none at the provider', ...sync.mended }
  await print(io, options, countsOutput(sync, 'Repaired', counts))
}
