import type { Fact } from '#cli/table.ts'
import { Facts, Sheet } from './parts.tsx'

export type FactsViewProps = { title: string; facts: readonly Fact[]; width: number }

export function FactsView({ title, facts }: FactsViewProps) {
  return (
    <Sheet title={title}>
      <Facts facts={facts} />
    </Sheet>
  )
}
