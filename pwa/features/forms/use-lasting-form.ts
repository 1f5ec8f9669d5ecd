import { useEffect, useEffectEvent, useState } from 'react'
import { forgetDraft } from '#pwa/lib/draft.ts'
import type { FormKind, FormReceipt, FormRefusal } from '#pwa/sync/forms-db.ts'
import type { Submitted } from './submit-form.ts'
import { keepFormDraft, readFormDraft } from './typed.ts'
import { useKeptForms, useOpenQueue } from './use-kept-forms.ts'

/** A public form with all that this device holds of it: what is typed, what waits, what was refused, what was sent. */
export const useLastingForm = (kind: FormKind) => {
  const kept = useKeptForms(kind)
  const own = useOwnForm()
  const { sheet, renew, bringBack } = useSheet(kind)
  const forms = kept.forms.filter(({ id }) => id !== own.outId)
  const waiting = forms.filter(({ state }) => state !== 'refused')
  const refused = forms.filter(({ state }) => state === 'refused')
  const sent = own.receipt ?? kept.receipts.find(({ id }) => id === own.id) ?? null
  const settle = useEffectEvent(() => {
    const { sending } = readFormDraft(kind) ?? {}
    const isSettled = own.outId === null && [...kept.forms, ...kept.receipts].some(({ id }) => id === sending?.id)
    if (isSettled) {
      // The page died after the queue had taken the form over.
      forgetDraft(kind)
      renew()
    }
    const [first] = refused
    if (first && own.outId === null && readFormDraft(kind) === null) bringBack(first.id).catch(reportError)
  })
  useEffect(() => {
    if (kept.forms.length + kept.receipts.length > 0) settle()
  }, [kept])
  return {
    ...{ sheet, waiting, refused, sent, bringBack },
    own,
    receipts: kept.receipts.filter(({ id }) => id !== sent?.id),
    isFormShown: waiting.length === 0 || own.isWritingMore,
  }
}

/** What was handed over from this page, as long as it stays open. */
const useOwnForm = () => {
  const [id, setId] = useState<string | null>(null)
  /** The page still waits for its answer. */
  const [isOut, setOut] = useState(false)
  const [receipt, setReceipt] = useState<FormReceipt | null>(null)
  const [isWritingMore, setWritingMore] = useState(false)
  return {
    ...{ id, receipt, isWritingMore },
    outId: isOut ? id : null,
    begin: (next: string) => {
      setId(next)
      setOut(true)
    },
    end: (outcome: Submitted | null) => {
      setOut(false)
      if (outcome?.kind === 'sent') setReceipt(outcome.receipt)
      if (outcome?.kind === 'sent' || outcome?.kind === 'waiting') setWritingMore(false)
    },
    writeMore: () => setWritingMore(true),
    forget: () => {
      setId(null)
      setReceipt(null)
    },
  }
}

/** The form on the page: with another `round` it begins anew, from what the draft holds. */
const useSheet = (kind: FormKind) => {
  const openQueue = useOpenQueue()
  const [sheet, setSheet] = useState<{ round: number; refusal?: FormRefusal | undefined }>({ round: 0 })
  const renew = (refusal?: FormRefusal) => setSheet(({ round }) => ({ round: round + 1, refusal }))
  /** Takes a form that is not being sent just now out of the queue, and puts its text back. */
  const bringBack = async (id: string) => {
    const queue = await openQueue()
    const entry = await queue.read(id)
    if (!entry || entry.state === 'sending') return
    const { typed, body, refusal } = entry
    keepFormDraft(kind, { typed, sending: refusal ? null : { id, body } })
    if (await queue.remove(id)) renew(refusal)
    else forgetDraft(kind)
  }
  return { sheet, renew: () => renew(), bringBack }
}

export type LastingFormState = ReturnType<typeof useLastingForm>
