import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { removeDraft } from '#pwa/lib/draft.ts'
import { isOrphanedForm } from '#pwa/lib/left-forms.ts'
import type { FormKind, FormReceipt, FormRefusal, StoredForm, StoredForms } from '#pwa/sync/forms/store.ts'
import {
  areSameValues,
  isDraftKey,
  parseFormDraft,
  readFilledIn,
  readFormDraft,
  saveFormDraft,
} from './form-draft-store.ts'
import type { SubmitOutcome } from './form-queue-store.ts'
import { useOpenFormQueue, useQueuedForms } from './use-form-queue.ts'

export type FormRef = RefObject<HTMLFormElement | null>

export function useQueuedForm(kind: FormKind) {
  const queued = useQueuedForms(kind)
  const own = useOwnSubmission()
  const formRef = useRef<HTMLFormElement>(null)
  const { round, restart, moveToDraft, moveToDraftIfFree, isInDraftAgain } = useRounds(kind, formRef)
  useKeepOwnDraft(kind, formRef, own.sendingId)
  const forms = queued.forms.filter(({ id }) => id !== own.sendingId && id !== own.receipt?.id)
  const waiting = forms.filter(({ state }) => state !== 'refused')
  const refused = forms.filter(({ state }) => state === 'refused')
  const receipts = queued.receipts.filter(({ id }) => id !== own.sendingId)
  const sent = own.receipt ?? receipts.find(({ id }) => id === own.id) ?? null
  const { sendingId } = own
  const isYielding = useYieldToQueued(kind, formRef, {
    queued,
    sendingId,
    waiting,
    refused,
    isInDraftAgain,
    restart,
    moveToDraft,
  })
  return {
    formRef,
    round,
    waiting,
    refused,
    sent,
    moveToDraft,
    moveToDraftIfFree,
    own,
    receipts: receipts.filter(({ id }) => id !== sent?.id),
    isFormShown: waiting.length === 0 || own.isWritingMore || !isYielding,
  }
}

export type QueuedFormState = ReturnType<typeof useQueuedForm>

function useOwnSubmission() {
  const [id, setId] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const [receipt, setReceipt] = useState<FormReceipt | null>(null)
  const [isWritingMore, setWritingMore] = useState(false)
  return {
    id,
    receipt,
    isWritingMore,
    sendingId: isSending ? id : null,
    begin: (next: string) => {
      setId(next)
      setSending(true)
    },
    end: (outcome: SubmitOutcome | null) => {
      setSending(false)
      if (outcome?.kind === 'sent') setReceipt(outcome.receipt)
      if (outcome?.kind === 'sent' || outcome?.kind === 'pending') setWritingMore(false)
    },
    writeMore: () => setWritingMore(true),
    forget: () => {
      setId(null)
      setReceipt(null)
    },
  }
}

/** A new `round.number` resets the form on the page to the draft. */
function useRounds(kind: FormKind, formRef: FormRef) {
  const openQueue = useOpenFormQueue()
  const [round, setRound] = useState<{ number: number; refusal?: FormRefusal | undefined }>({ number: 0 })
  const movedIds = useRef(new Set<string | undefined>())
  const restart = (refusal?: FormRefusal) => setRound(({ number }) => ({ number: number + 1, refusal }))
  /**
   * Takes a form that isn't being sent out of the queue; its text replaces what's typed. Not an ended login's form, which this page
   * may only just have heard about.
   */
  const moveToDraft = async (id: string) => {
    const queue = await openQueue()
    const entry = await queue.read(id)
    if (!entry || entry.state === 'sending' || isOrphanedForm(id)) return
    const { typed, body, refusal } = entry
    const before = readFormDraft(kind)
    movedIds.current.add(id)
    saveFormDraft(kind, { typed, sending: refusal ? null : { id, body } })
    if (await queue.remove(id)) return restart(refusal)
    // It has just started being sent, so it stays in the queue.
    if (before) saveFormDraft(kind, before)
    else removeDraft(kind)
  }
  const moveToDraftIfFree = async (id: string): Promise<boolean> => {
    const draft = readFormDraft(kind)
    const hasOtherText = draft !== null || readFilledIn(formRef.current) !== null
    if (hasOtherText && draft?.sending?.id !== id) return false
    await moveToDraft(id)
    return true
  }
  /** The queue may have been read before the form was taken out of it. */
  const isInDraftAgain = (id: string | undefined) => movedIds.current.has(id)
  return { round, restart: () => restart(), moveToDraft, moveToDraftIfFree, isInDraftAgain }
}

type YieldOptions = {
  queued: StoredForms
  sendingId: string | null
  waiting: StoredForm[]
  refused: StoredForm[]
  isInDraftAgain: (id: string | undefined) => boolean
  restart: () => void
  moveToDraft: (id: string) => Promise<void>
}

/**
 * Empties the form of what the queue has taken over, and nothing else: tabs share one draft, and another tab may have handed over
 * another text. True while an empty form makes way for what's waiting.
 */
function useYieldToQueued(kind: FormKind, formRef: FormRef, options: YieldOptions): boolean {
  const { queued, sendingId, waiting, refused, isInDraftAgain, restart, moveToDraft } = options
  const [isYielding, setYielding] = useState(false)
  const settle = useEffectEvent(({ forms, receipts }: StoredForms, sendingId: string | null) => {
    if (sendingId !== null) return
    const typed = readFilledIn(formRef.current)
    const draft = readFormDraft(kind)
    const id = draft?.sending?.id
    const isHandedOver = !isInDraftAgain(id) && [...forms, ...receipts].some((form) => form.id === id)
    const isLeftover = isHandedOver && draft !== null && typed !== null && areSameValues(typed, draft.typed)
    const isEmpty = typed === null || isLeftover
    if (isLeftover) {
      // The page died after the queue had taken the form over.
      removeDraft(kind)
      restart()
    } else if (isHandedOver && typed !== null) {
      // Another tab has handed over its own text, so the draft is free for this tab's.
      saveFormDraft(kind, { typed, sending: null })
    }
    setYielding(isEmpty && waiting.length > 0)
    const [first] = refused
    if (first && isEmpty && readFormDraft(kind) === null) moveToDraft(first.id).catch(reportError)
  })
  // In a layout effect nothing has been painted yet, and we can still read the form.
  useLayoutEffect(() => settle(queued, sendingId), [queued, sendingId])
  return isYielding
}

/** A tab that hands over its text removes the shared draft, so this tab saves its own again. */
function useKeepOwnDraft(kind: FormKind, formRef: FormRef, sendingId: string | null) {
  const onStorage = useEffectEvent(({ key, oldValue, newValue }: StorageEvent) => {
    if (!isDraftKey(key, kind) || newValue !== null || sendingId !== null) return
    const typed = readFilledIn(formRef.current)
    const theirs = parseFormDraft(oldValue)
    if (typed === null || !theirs?.sending || areSameValues(typed, theirs.typed)) return
    if (readFormDraft(kind) === null) saveFormDraft(kind, { typed, sending: null })
  })
  useEffect(() => {
    const listen = (event: StorageEvent) => onStorage(event)
    window.addEventListener('storage', listen)
    return () => window.removeEventListener('storage', listen)
  }, [])
}
