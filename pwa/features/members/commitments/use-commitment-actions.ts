import { useState } from 'react'
import { changeCommitment } from '#pwa/sync/commitments/outbox.ts'
import { useEngine } from '#pwa/sync/hooks.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { notKept } from './commitment-texts.ts'

export type Change = Parameters<typeof changeCommitment>[2]

/** What was done to a commitment here. Those stay where they are until the page is left, so that one press undoes it. */
export function useCommitmentActions() {
  const engine = useEngine()
  const toast = useToast()
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const change = (id: string, made: Change) => {
    setTouched((before) => new Set(before).add(id))
    changeCommitment(engine, id, made).catch((error: unknown) => {
      reportError(error)
      toast({ title: notKept, tone: 'bad' })
    })
  }
  return { touched, change }
}
