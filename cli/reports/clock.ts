import type { Report } from '#cli/output.ts'
import { type Fact, factsText } from '#cli/table.ts'
import type { SandboxAdvanceResponse } from '#shared/contract/admin.ts'
import { timeWords } from './words.ts'

export function clockReport(clock: SandboxAdvanceResponse): Report {
  const facts: Fact[] = [
    { label: 'Billing clock', value: timeWords(clock.billingNow) },
    { label: 'Ahead of today', value: aheadWords(clock.offsetMs) },
  ]
  return {
    answer: clock,
    sheet: () => ({ head: ['billingNow', 'offsetMs'], rows: [[clock.billingNow, clock.offsetMs]] }),
    text: () => factsText(facts),
    async view(width) {
      const [{ draw }, { FactsView }] = await Promise.all([
        import('#cli/views/draw.tsx'),
        import('#cli/views/facts.tsx'),
      ])
      return draw(FactsView, { title: 'Payment sandbox', facts, width })
    },
  }
}

const minuteMs = 60_000

/** 31 days 2 h 5 min. */
function aheadWords(ms: number): string {
  const minutes = Math.round(ms / minuteMs)
  const parts = [
    { count: Math.floor(minutes / 1440), unit: Math.floor(minutes / 1440) === 1 ? 'day' : 'days' },
    { count: Math.floor(minutes / 60) % 24, unit: 'h' },
    { count: minutes % 60, unit: 'min' },
  ]
  const words = parts.filter(({ count }) => count > 0).map(({ count, unit }) => `${count} ${unit}`)
  return words.join(' ') || 'not at all'
}
