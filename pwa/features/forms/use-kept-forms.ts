import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useFormsKept } from '#pwa/lib/forms-kept.ts'
import type { FormQueue } from '#pwa/sync/forms/queue.ts'
import type { FormKind, KeptForms } from '#pwa/sync/forms/store.ts'

const none: KeptForms = { forms: [], receipts: [] }

/** Comes with the first touch of a form, or where something waits. */
export function useOpenQueue() {
  const queryClient = useQueryClient()
  return async (): Promise<FormQueue> => (await import('./form-queue.ts')).formQueue(queryClient)
}

/** The forms of one kind that this device holds, and their receipts; follows every change. */
export function useKeptForms(kind: FormKind): KeptForms {
  const areKept = useFormsKept()
  const queryClient = useQueryClient()
  const [kept, setKept] = useState(none)
  useEffect(() => {
    if (!areKept) return setKept(none)
    let stop = () => {}
    let isOver = false
    import('./form-queue.ts')
      .then(({ formQueue }) => {
        if (!isOver) stop = formQueue(queryClient).watch((all) => setKept(ofKind(all, kind)))
      })
      .catch(reportError)
    return () => {
      isOver = true
      stop()
    }
  }, [areKept, kind, queryClient])
  return kept
}

const ofKind = ({ forms, receipts }: KeptForms, kind: FormKind): KeptForms => ({
  forms: forms.filter((form) => form.kind === kind),
  receipts: receipts.filter((receipt) => receipt.kind === kind),
})
