import { Argument, type Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { timeLabel } from '#cli/labels.ts'
import { type Output, print, recordSheet, sectionsOutput } from '#cli/output.ts'
import { parseArgument, request } from '#cli/request.ts'
import type { Detail } from '#cli/table.ts'
import { SandboxAdvanceRequest, SandboxAdvanceResponse, SandboxChaosResponse } from '#shared/contract/sandbox.ts'
import { plural } from '#shared/rules/plural.ts'

export function registerSandbox(sandbox: Command, io: Io): void {
  sandbox.addHelpText('after', examples('sandbox advance 31d', 'sandbox chaos on'))
  sandbox
    .command('advance <time>')
    .description('Move the billing clock forward by 31d, 12h or 90m; renewals and retries follow')
    .addHelpText('after', examples('sandbox advance 31d'))
    .action((by: string, _own, command: Command) => advanceClock(io, command.optsWithGlobals(), by))
  sandbox
    .command('chaos')
    .addArgument(new Argument('[state]', 'omit it to show the current state').choices(['on', 'off']))
    .description('Deliver webhooks twice, out of order and several at once')
    .addHelpText('after', examples('sandbox chaos', 'sandbox chaos on'))
    .action((state: ChaosState, _own, command: Command) => setChaos(io, command.optsWithGlobals(), state))
}

const title = 'Payment sandbox'

async function advanceClock(io: Io, options: SharedOptions, by: string): Promise<void> {
  const body = parseArgument(SandboxAdvanceRequest, { by })
  const clock = await withClient(io, options, ({ api }) =>
    request(SandboxAdvanceResponse, api.admin.sandbox.advance.post(body)),
  )
  await print(io, options, clockOutput(clock))
}

export function clockOutput({ billingNow, offsetMs }: { billingNow: string; offsetMs: number }): Output {
  const clock = { billingNow, offsetMs }
  const details: Detail[] = [
    { label: 'Billing clock', value: timeLabel(billingNow) },
    { label: 'Ahead by', value: durationLabel(offsetMs) },
  ]
  return sectionsOutput({ json: clock, csv: () => recordSheet(clock) }, [{ title, details }])
}

const minuteMs = 60_000

/** `31 days 2 h 5 min`. */
function durationLabel(ms: number): string {
  const minutes = Math.round(ms / minuteMs)
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60]
  const parts = [
    ...(days > 0 ? [plural(days, 'day')] : []),
    ...(hours > 0 ? [`${hours} h`] : []),
    ...(rest > 0 ? [`${rest} min`] : []),
  ]
  return parts.join(' ') || '0 min'
}

type ChaosState = 'on' | 'off' | undefined

async function setChaos(io: Io, options: SharedOptions, state: ChaosState): Promise<void> {
  const chaos = await withClient(io, options, ({ api }) => {
    const call = api.admin.sandbox.chaos
    return request(SandboxChaosResponse, state === undefined ? call.get() : call.post({ on: state === 'on' }))
  })
  await print(io, options, chaosOutput(chaos))
}

function chaosOutput(chaos: SandboxChaosResponse): Output {
  const { on, copies, order, seed, waiting } = chaos
  const details: Detail[] = [
    { label: 'Chaos', value: on ? 'on' : 'off' },
    { label: 'Copies of each webhook', value: String(copies) },
    { label: 'Order', value: orderLabel(chaos) },
    { label: 'Waiting', value: String(waiting) },
  ]
  const csv = () => recordSheet({ on, copies, order, seed, waiting })
  return sectionsOutput({ json: chaos, csv }, [{ title, details }])
}

function orderLabel({ order, seed }: SandboxChaosResponse): string {
  if (order === 'shuffled') return `shuffled by seed ${seed}, several at once`
  return order === 'sent' ? 'as sent' : 'newest first'
}
