import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isOrphanedForm } from '#pwa/lib/left-forms.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useHasStoredForms } from '#pwa/lib/stored-forms-flag.ts'
import type { FormQueue } from '#pwa/sync/forms/queue.ts'
import type { FormKind, StoredForm, StoredForms } from '#pwa/sync/forms/store.ts'

/** Loads the queue's code too: at the first touch of a form, or if something's waiting. */
export function useOpenFormQueue() {
  const queryClient = useQueryClient()
  return async (): Promise<FormQueue> =>
    (await loadFile(() => import('./form-queue-store.ts'))).openFormQueue(queryClient)
}

/** A form no one here can correct. The message about it, on any page, deletes it. */
export const isLostForm = ({ id, state }: StoredForm): boolean => state === 'refused' && isOrphanedForm(id)

const none: StoredForms = { forms: [], receipts: [] }

export function useQueuedForms(kind: FormKind): StoredForms {
  const areStored = useHasStoredForms()
  const queryClient = useQueryClient()
  const [queued, setQueued] = useState(none)
  useEffect(() => {
    if (!areStored) return setQueued(none)
    let stop = () => {}
    let isOver = false
    loadFile(() => import('./form-queue-store.ts'))
      .then(({ openFormQueue }) => {
        if (!isOver) stop = openFormQueue(queryClient).watch((all) => setQueued(ofKind(all, kind)))
      })
      .catch(reportError)
    return () => {
      isOver = true
      stop()
    }
  }, [areStored, kind, queryClient])
  return queued
}

const ofKind = ({ forms, receipts }: StoredForms, kind: FormKind): StoredForms => ({
  forms: forms.filter((form) => form.kind === kind && !isLostForm(form)),
  receipts: receipts.filter((receipt) => receipt.kind === kind),
})
