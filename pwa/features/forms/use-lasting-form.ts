import { useRef, useState } from 'react'
import { forgetDraft } from '#pwa/lib/draft.ts'
import type { FormKind, FormReceipt, FormRefusal } from '#pwa/sync/forms/store.ts'
import type { Submitted } from './submit-form.ts'
import { keepFormDraft, readFilledIn, readFormDraft } from './typed.ts'
import { useKeptForms, useOpenQueue } from './use-kept-forms.ts'
import { type Box, useMakingWay, useRewriting } from './use-making-way.ts'

/** A public form with all that this device holds of it: what is typed, what waits, what was refused, what was sent. */
export function useLastingForm(kind: FormKind) {
  const kept = useKeptForms(kind)
  const own = useOwnForm()
  const box = useRef<HTMLFormElement>(null)
  const { sheet, renew, bringBack, change, isBack } = useSheet(kind, box)
  useRewriting(kind, box, own.outId)
  const forms = kept.forms.filter(({ id }) => id !== own.outId && id !== own.receipt?.id)
  const waiting = forms.filter(({ state }) => state !== 'refused')
  const refused = forms.filter(({ state }) => state === 'refused')
  const receipts = kept.receipts.filter(({ id }) => id !== own.outId)
  const sent = own.receipt ?? receipts.find(({ id }) => id === own.id) ?? null
  const isAside = useMakingWay(kind, box, { kept, outId: own.outId, waiting, refused, isBack, renew, bringBack })
  return {
    ...{ box, sheet, waiting, refused, sent, bringBack, change },
    own,
    receipts: receipts.filter(({ id }) => id !== sent?.id),
    isFormShown: waiting.length === 0 || own.isWritingMore || !isAside,
  }
}

/** What was handed over from this page, as long as it stays open. */
function useOwnForm() {
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
function useSheet(kind: FormKind, box: Box) {
  const openQueue = useOpenQueue()
  const [sheet, setSheet] = useState<{ round: number; refusal?: FormRefusal | undefined }>({ round: 0 })
  const back = useRef(new Set<string | undefined>())
  const renew = (refusal?: FormRefusal) => setSheet(({ round }) => ({ round: round + 1, refusal }))
  /** Takes a form that is not being sent just now out of the queue, and puts its text in the place of what is typed. */
  const bringBack = async (id: string) => {
    const queue = await openQueue()
    const entry = await queue.read(id)
    if (!entry || entry.state === 'sending') return
    const { typed, body, refusal } = entry
    const before = readFormDraft(kind)
    back.current.add(id)
    keepFormDraft(kind, { typed, sending: refusal ? null : { id, body } })
    if (await queue.remove(id)) return renew(refusal)
    // It has gone out this moment.
    if (before) keepFormDraft(kind, before)
    else forgetDraft(kind)
  }
  /** The same, unless it would take the place of another text: then false. */
  const change = async (id: string): Promise<boolean> => {
    const draft = readFormDraft(kind)
    const isOther = draft !== null || readFilledIn(box.current) !== null
    if (isOther && draft?.sending?.id !== id) return false
    await bringBack(id)
    return true
  }
  /** The draft has it again, whatever an earlier look at the queue said. */
  const isBack = (id: string | undefined) => back.current.has(id)
  return { sheet, renew: () => renew(), bringBack, change, isBack }
}

export type LastingFormState = ReturnType<typeof useLastingForm>
