import type { Report } from '#cli/output.ts'
import { type Fact, factsText } from '#cli/table.ts'
import type { SandboxChaosResponse } from '#shared/contract/admin.ts'

function orderWords({ order, seed }: SandboxChaosResponse): string {
  if (order === 'shuffled') return `shuffled by seed ${seed}, several at once`
  return order === 'sent' ? 'as sent' : 'newest first'
}

export function chaosReport(chaos: SandboxChaosResponse): Report {
  const { on, copies, order, seed, waiting } = chaos
  const facts: Fact[] = [
    { label: 'Chaos', value: on ? 'on' : 'off' },
    { label: 'Copies of each webhook', value: String(copies) },
    { label: 'Order', value: orderWords(chaos) },
    { label: 'Waiting', value: String(waiting) },
  ]
  return {
    answer: chaos,
    sheet: () => ({ head: ['on', 'copies', 'order', 'seed', 'waiting'], rows: [[on, copies, order, seed, waiting]] }),
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
