import type { QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { removeDraft } from '#pwa/lib/draft.ts'
import { isOrphanedForm } from '#pwa/lib/left-forms.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { setStoredFormsFlag } from '#pwa/lib/stored-forms-flag.ts'
import { track } from '#pwa/lib/track.ts'
import { createBrowserPlatform } from '#pwa/sync/browser-platform.ts'
import type { FormOutcome } from '#pwa/sync/forms/outbox.ts'
import { createFormQueue, type FormQueue, sendWithoutStore } from '#pwa/sync/forms/queue.ts'
import type { FormKind, NewForm } from '#pwa/sync/forms/store.ts'
import { createPagePlatform } from '#pwa/sync/page-platform.ts'
import { messagesByField } from '#shared/contract/fields.ts'
import { honeypotName } from '#shared/contract/form-labels.ts'
import { type FormValues, isInDraft, readFormDraft, type Submission, saveFormDraft } from './form-draft-store.ts'
import type { FormContract } from './form-texts.ts'
import type { FieldErrors } from './use-field-errors.ts'

function createQueue(queryClient: QueryClient): FormQueue {
  const queue = createFormQueue(createPagePlatform(queryClient))
  queue.watch(({ forms, receipts }) => setStoredFormsFlag(forms.length + receipts.length > 0))
  queue.start()
  return queue
}

const queues = new WeakMap<QueryClient, FormQueue>()

/** This page's one queue, opened at the first call. It loads at the first touch of a form. */
export function openFormQueue(queryClient: QueryClient): FormQueue {
  const queue = queues.get(queryClient) ?? createQueue(queryClient)
  queues.set(queryClient, queue)
  return queue
}

export const closeFormQueue = (queryClient: QueryClient) => queues.get(queryClient)?.stop()

export type FilledInForm = { kind: FormKind; typed: FormValues; trap: string }

export type SubmitOutcome = FormOutcome | { kind: 'invalid'; errors: FieldErrors }

type Options = {
  queue: FormQueue
  contract: FormContract
  /** The form is about to leave the page, under this id. */
  onBegin: (id: string) => void
}

/**
 * Hands a form over to the queue, which then has its text. Until then, and after a rejection, the draft has it. The draft stores
 * the idempotency key before anything is sent, so that a page that dies on the way, or a device that stores nothing, sends the same
 * again.
 */
export async function submitForm({ queue, contract, onBegin }: Options, form: FilledInForm): Promise<SubmitOutcome> {
  const { kind, typed } = form
  const checked = v.safeParse(contract.schema, typed)
  if (!checked.success) return { kind: 'invalid', errors: messagesByField(checked.issues) }
  const body = contract.toBody?.(checked.output, new Date()) ?? checked.output
  const submission = (isInDraft(kind, typed) && readFormDraft(kind)?.sending) || newSubmission(body, form)
  saveFormDraft(kind, { typed, sending: submission })
  setStoredFormsFlag(true)
  onBegin(submission.id)
  const outcome = await sendByQueue(queue, { ...submission, kind, typed })
  if (outcome.kind === 'refused') {
    await returnToDraft(queue, { ...form, id: submission.id })
    return outcome
  }
  if (isInDraft(kind, typed)) removeDraft(kind)
  if (outcome.kind === 'sent') track({ name: 'form_submit', applicationType: kind })
  return outcome
}

const newSubmission = (body: object, { trap }: FilledInForm): Submission => ({
  id: newKey(),
  body: JSON.stringify({ ...body, [honeypotName]: trap }),
})

/**
 * If another text has taken the draft since, the rejected form stays in the queue. If a login has ended since, the draft is wiped,
 * and perhaps the queue: then nothing of the form comes back.
 */
async function returnToDraft(queue: FormQueue, { kind, typed, id }: FilledInForm & { id: string }) {
  const entry = await queue.read(id).catch(() => null)
  const isLeft = isOrphanedForm(id)
  const isDraftFree = entry !== null && readFormDraft(kind) === null
  if (!isLeft && !isDraftFree && !isInDraft(kind, typed)) return
  if (!isLeft) saveFormDraft(kind, { typed, sending: null })
  // If the device can't store anything, there's nothing to remove either.
  await queue.remove(id).catch(() => {})
}

/** If the device can't store anything, sends the form straight away. Rejects if there's no response. */
async function sendByQueue(queue: FormQueue, form: NewForm): Promise<FormOutcome> {
  try {
    return await queue.submit(form)
  } catch {
    return sendWithoutStore(createBrowserPlatform(), form)
  }
}
