import { ask, typed } from '#cli/ask.ts'
import { type SharedOptions, withClient } from '#cli/client.ts'
import type { Io } from '#cli/io.ts'
import { print } from '#cli/output.ts'
import { chaosReport } from '#cli/reports/chaos.ts'
import { clockReport } from '#cli/reports/clock.ts'
import { SandboxAdvanceRequest, SandboxAdvanceResponse, SandboxChaosResponse } from '#shared/contract/admin.ts'

export async function advanceSandbox(io: Io, options: SharedOptions, by: string): Promise<void> {
  const body = typed(SandboxAdvanceRequest, { by })
  const clock = await withClient(io, options, (client) =>
    ask(SandboxAdvanceResponse, client.api.admin.sandbox.advance.post(body)),
  )
  await print(io, options, clockReport(clock))
}

export async function changeChaos(io: Io, options: SharedOptions, state: 'on' | 'off' | undefined): Promise<void> {
  const chaos = await withClient(io, options, ({ api }) => {
    const call = api.admin.sandbox.chaos
    return ask(SandboxChaosResponse, state === undefined ? call.get() : call.post({ on: state === 'on' }))
  })
  await print(io, options, chaosReport(chaos))
}
