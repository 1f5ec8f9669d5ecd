import * as v from 'valibot'
import { timeLabel } from '#cli/labels.ts'
import { countsOutput, csvOfRecord, type Output, recordOutput, sectionsOutput } from '#cli/output.ts'
import { parseArgument, request } from '#cli/request.ts'
import { type CommandRow, changeRow, registersRows } from '#cli/rows.ts'
import type { Detail } from '#cli/table.ts'
import { SandboxAdvanceRequest, SandboxAdvanceResponse, SandboxChaosResponse } from '#shared/contract/sandbox.ts'
import { plural } from '#shared/rules/plural.ts'

const title = 'Payment sandbox'

const advance = changeRow({
  usage: 'advance <time>',
  description: 'Move the billing clock forward by 31d, 12h or 90m, with renewals and retries',
  examples: ['advance 31d'],
  plan({ argument }) {
    const facts = parseArgument(SandboxAdvanceRequest, { by: argument(0) })
    return async () => ({ facts, output: countsOutput(facts, title, facts), question: null })
  },
  apply:
    (_call, body) =>
    async ({ api }) =>
      clockOutput(await request(SandboxAdvanceResponse, api.admin.sandbox.advance.post(body))),
})

export function clockOutput({ billingNow, offsetMs }: { billingNow: string; offsetMs: number }): Output {
  const clock = { billingNow, offsetMs }
  const details: Detail[] = [
    { label: 'Billing clock', value: timeLabel(billingNow) },
    { label: 'Ahead by', value: durationLabel(offsetMs) },
  ]
  return recordOutput(title, details, clock)
}

const minuteMs = 60_000

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

const ChaosState = v.picklist(['on', 'off'], 'Write on or off, or nothing to see the current state.')

const chaos = changeRow({
  usage: 'chaos [state]',
  description: 'Deliver webhooks twice, out of order and in parallel: on, off, or nothing for the current state',
  examples: ['chaos', 'chaos on'],
  plan({ argument, isGiven }) {
    const state = isGiven(0) ? parseArgument(ChaosState, argument(0)) : null
    return async ({ api }) => {
      const current = await request(SandboxChaosResponse, api.admin.sandbox.chaos.get())
      return { facts: { state, isOn: current.on }, output: chaosOutput(current), question: null }
    }
  },
  apply:
    (_call, { state }) =>
    async ({ api }) => {
      const call = api.admin.sandbox.chaos
      return chaosOutput(
        await request(SandboxChaosResponse, state === null ? call.get() : call.post({ on: state === 'on' })),
      )
    },
})

export const sandboxRows: readonly CommandRow[] = [advance, chaos]

export const registerSandbox = registersRows(sandboxRows)

function chaosOutput(chaos: SandboxChaosResponse): Output {
  const { on, copies, order, seed, waiting } = chaos
  const details: Detail[] = [
    { label: 'Chaos', value: on ? 'on' : 'off' },
    { label: 'Copies of each webhook', value: String(copies) },
    { label: 'Order', value: orderLabel(chaos) },
    { label: 'Waiting', value: String(waiting) },
  ]
  const csv = () => csvOfRecord({ on, copies, order, seed, waiting })
  return sectionsOutput({ json: chaos, csv }, [{ title, details }])
}

function orderLabel({ order, seed }: SandboxChaosResponse): string {
  if (order === 'shuffled') return `shuffled by seed ${seed}, several at once`
  return order === 'sent' ? 'as sent' : 'newest first'
}
