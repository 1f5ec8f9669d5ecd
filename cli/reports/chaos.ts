import type { SandboxChaosAnswer } from '#shared/contract/admin.ts'
import type { Report } from '../output.ts'
import { type Fact, factsText } from '../table.ts'

const orders = { sent: 'as sent', reversed: 'newest first', shuffled: 'shuffled, several at once' }

export function chaosReport(chaos: SandboxChaosAnswer): Report {
  const { on, copies, order, waiting } = chaos
  const facts: Fact[] = [
    { label: 'Chaos', value: on ? 'on' : 'off' },
    { label: 'Copies of each webhook', value: String(copies) },
    { label: 'Order', value: orders[order] },
    { label: 'Waiting', value: String(waiting) },
  ]
  return {
    answer: chaos,
    sheet: () => ({ head: ['on', 'copies', 'order', 'waiting'], rows: [[on, copies, order, waiting]] }),
    text: () => factsText(facts),
    async view(width) {
      const [{ draw }, { FactsView }] = await Promise.all([import('../views/draw.tsx'), import('../views/facts.tsx')])
      return draw(FactsView, { title: 'Payment sandbox', facts, width })
    },
  }
}
