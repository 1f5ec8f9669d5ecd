import type { Client } from '#cli/connection.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { request } from '#cli/request.ts'
import type { Call } from '#cli/rows.ts'
import { Import } from '#shared/contract/imports.ts'
import { importNoun } from '#shared/rules/imports.ts'
import { importOutput } from './output.ts'
import { finishWork } from './work.ts'

export function applyPlanned(call: Call, facts: Import) {
  return async (client: Client) => {
    const { api } = client
    if (facts.state === 'applied') return importOutput(client, facts)
    if (facts.problem !== null) throw new CliError(exitCodes.failed, facts.problem)
    const begun = await request(Import, api.admin.imports({ id: facts.id }).apply.post())
    return importOutput(client, await finishWork(call.io, call.options, client, begun))
  }
}

/** One that was moved in before needs no question: there's nothing left to do. */
export async function plannedOf(client: Client, facts: Import) {
  const { kind, counts, state, problem } = facts
  const what = kind === 'stripe' ? `Adopt ${importNoun(kind, counts.new)}` : `Move in ${importNoun(kind, counts.new)}`
  const question = state === 'planned' && problem === null && (kind !== 'stripe' || counts.new > 0) ? `${what}?` : null
  return { facts, output: await importOutput(client, facts), question }
}
