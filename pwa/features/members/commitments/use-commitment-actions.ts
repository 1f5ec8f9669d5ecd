import { useState } from 'react'
import { changeCommitment } from '#pwa/sync/commitments/outbox.ts'
import { useEngine } from '#pwa/sync/hooks.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import type { Commitment, CommitmentState } from '#shared/contract/commitments.ts'
import { notKept } from './commitment-texts.ts'

export type Change = Parameters<typeof changeCommitment>[2]

type Pressed = Pick<Commitment, 'id' | 'state'>

/**
 * What was done to commitments here, each with its state before. They stay where one press undoes it until the page is left: in the list of
 * what's to do, or among the coach's suggestions if it was one and still isn't on the list.
 */
export function useCommitmentActions() {
  const engine = useEngine()
  const toast = useToast()
  const [touched, setTouched] = useState<ReadonlyMap<string, CommitmentState>>(new Map())
  const placed = <Row extends Pressed>(row: Row): Row => {
    const before = touched.get(row.id)
    if (before === undefined) return row
    return {
      ...row,
      state: before === 'proposed' && row.state !== 'open' && row.state !== 'done' ? 'proposed' : 'open',
    }
  }
  const change = ({ id, state }: Pressed, made: Change) => {
    setTouched((before) => (before.has(id) ? before : new Map(before).set(id, state)))
    changeCommitment(engine, id, made).catch((error: unknown) => {
      reportError(error)
      toast({ title: notKept, tone: 'bad' })
    })
  }
  return { touched, placed, change }
}
