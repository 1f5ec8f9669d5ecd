import { SandboxAdvanceAnswer, SandboxAdvanceRequest } from '#shared/contract/admin.ts'
import { ask, typed } from '../ask.ts'
import { type SharedOptions, withClient } from '../client.ts'
import type { Io } from '../io.ts'
import { print } from '../output.ts'
import { clockReport } from '../reports/clock.ts'

export async function advanceSandbox(io: Io, options: SharedOptions, by: string): Promise<void> {
  const body = typed(SandboxAdvanceRequest, { by })
  const clock = await withClient(io, options, (client) =>
    ask(SandboxAdvanceAnswer, client.api.admin.sandbox.advance.post(body)),
  )
  await print(io, options, clockReport(clock))
}
