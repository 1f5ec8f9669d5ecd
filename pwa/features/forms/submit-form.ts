import { forgetDraft } from '#pwa/lib/draft.ts'
import { noteFormsKept } from '#pwa/lib/forms-kept.ts'
import { track } from '#pwa/lib/track.ts'
import { createBrowserPlatform } from '#pwa/sync/browser-platform.ts'
import { type FormFate, type FormQueue, sendWithoutStore } from '#pwa/sync/forms/queue.ts'
import type { FormKind, NewForm } from '#pwa/sync/forms/store.ts'
import { honeypotName } from '#shared/contract/form-words.ts'
import { idRandomBytes, uuidV7 } from '#shared/rules/id.ts'
import type { FieldErrors } from './field-errors.ts'
import type { FormCheck } from './lasting-form-kind.ts'
import { isInDraft, keepFormDraft, readFormDraft, type Sending, type Typed } from './typed.ts'

/** `trap`: what stands in the field that people do not see. */
export type FilledIn = { kind: FormKind; typed: Typed; trap: string }

type Parts = { queue: FormQueue; check: FormCheck; onBegin: (id: string) => void }

/**
 * Hands a form over to the queue, which then has its text; until then, and after a refusal, the draft has it. The draft
 * also names the key first: a page that dies on the way, or a device that can keep nothing, sends the same again.
 */
export async function submitForm({ queue, check, onBegin }: Parts, filledIn: FilledIn): Promise<Submitted> {
  const { kind, typed } = filledIn
  const checked = check(typed, new Date())
  if ('errors' in checked) return { kind: 'invalid', errors: checked.errors }
  const sending = (isInDraft(kind, typed) && readFormDraft(kind)?.sending) || newSending(checked.body, filledIn)
  keepFormDraft(kind, { typed, sending })
  noteFormsKept(true)
  onBegin(sending.id)
  const fate = await handOver(queue, { ...sending, kind, typed })
  const isStillThere = isInDraft(kind, typed)
  if (fate.kind === 'refused') {
    if (isStillThere || readFormDraft(kind) === null) await takeBack(queue, { ...filledIn, id: sending.id })
    return fate
  }
  if (isStillThere) forgetDraft(kind)
  if (fate.kind === 'sent') track({ name: 'form_submit', applicationType: kind })
  return fate
}

export type Submitted = FormFate | { kind: 'invalid'; errors: FieldErrors }

const newSending = (body: object, { trap }: FilledIn): Sending => ({
  id: uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(idRandomBytes))),
  body: JSON.stringify({ ...body, [honeypotName]: trap }),
})

/** Out of the queue, into the draft. Where another text has taken the draft meanwhile, the queue keeps the refused one. */
async function takeBack(queue: FormQueue, { kind, typed, id }: FilledIn & { id: string }) {
  keepFormDraft(kind, { typed, sending: null })
  // Where the device keeps nothing there is nothing to remove either.
  await queue.remove(id).catch(() => {})
}

/** A device that can keep nothing sends at once, and rejects where there is no answer. */
async function handOver(queue: FormQueue, form: NewForm): Promise<FormFate> {
  try {
    return await queue.submit(form)
  } catch {
    return sendWithoutStore(createBrowserPlatform(), form)
  }
}
