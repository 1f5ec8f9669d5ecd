import { SandboxAdvanceAnswer, SandboxAdvanceRequest, SandboxChaosAnswer } from '#shared/contract/admin.ts'
import { ask, typed } from '../ask.ts'
import { type SharedOptions, withClient } from '../client.ts'
import type { Io } from '../io.ts'
import { print } from '../output.ts'
import { chaosReport } from '../reports/chaos.ts'
import { clockReport } from '../reports/clock.ts'

export async function advanceSandbox(io: Io, options: SharedOptions, by: string): Promise<void> {
  const body = typed(SandboxAdvanceRequest, { by })
  const clock = await withClient(io, options, (client) =>
    ask(SandboxAdvanceAnswer, client.api.admin.sandbox.advance.post(body)),
  )
  await print(io, options, clockReport(clock))
}

export async function changeChaos(io: Io, options: SharedOptions, state: 'on' | 'off' | undefined): Promise<void> {
  const chaos = await withClient(io, options, ({ api }) => {
    const call = api.admin.sandbox.chaos
    return ask(SandboxChaosAnswer, state === undefined ? call.get() : call.post({ on: state === 'on' }))
  })
  await print(io, options, chaosReport(chaos))
}
