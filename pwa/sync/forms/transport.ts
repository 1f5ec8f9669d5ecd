import * as v from 'valibot'
import { retryAfterMs } from '#pwa/sync/back-off.ts'
import type { Platform, WakeReason } from '#pwa/sync/platform.ts'
import { mayReachServer } from '#pwa/sync/scheduler.ts'
import { type JsonResponse, postJson, readError } from '#pwa/sync/transport.ts'
import { Id, Instant } from '#shared/contract/fields.ts'
import { claimForm, type FormResult, readPendingForms, settleForm } from './outbox.ts'
import type { FormKind, FormStore, NewForm } from './store.ts'

export type FormSender = { store: FormStore; platform: Platform; signal: AbortSignal }

/**
 * Sends what's due, one form at a time. Each step leaves the store consistent, and no transaction stays open during a request: the
 * browser may kill the tab between any two steps. A form that fails doesn't hold up the others, unless our server can't be reached.
 */
export async function sendPendingForms(sender: FormSender, reason: WakeReason, lost: AbortSignal): Promise<void> {
  const { store, platform, signal } = sender
  // Left by a tab that was killed while sending.
  await store.entries.where('state').equals('sending').modify({ state: 'waiting' })
  if (!mayReachServer(platform, reason)) return
  for (const { id } of await readPendingForms(store)) {
    if (signal.aborted || lost.aborted) return
    const entry = await claimForm(sender, id, reason)
    if (entry === null) continue
    const result = await sendForm(sender, entry)
    if (signal.aborted) return
    await settleForm(sender, entry, result)
    if (result.kind === 'unreachable') return
  }
}

const paths: Record<FormKind, string> = {
  'coaching-application': '/api/coaching-application',
  'coaching-booking': '/api/coaching-bookings',
  contact: '/api/contact',
}

const FormResponse = v.object({ success: v.literal(true), id: Id, receivedAt: Instant })

/** Sent without the session: a form belongs to the visitor who typed it, not to the person who has logged in since. */
export async function sendForm(
  sender: Omit<FormSender, 'store'>,
  { id, kind, body }: Pick<NewForm, 'id' | 'kind' | 'body'>,
): Promise<FormResult> {
  const headers = { 'Idempotency-Key': id }
  const response = await postJson(sender, { path: paths[kind], credentials: 'omit', headers, body })
  return response === null
    ? { kind: 'unreachable', askedWaitMs: null, isBusy: false }
    : readResult(response, sender.platform.wall())
}

/** Only our own format settles a form: a Wi-Fi sign-in page may come with any status, and a gateway sends 502 itself. */
function readResult({ status, headers, json }: JsonResponse, wall: number): FormResult {
  const response = v.safeParse(FormResponse, json)
  if (status === 200 && response.success)
    return { kind: 'sent', reference: response.output.id, sentAt: response.output.receivedAt }
  const isTrouble = status === 429 || status >= 500
  const askedWaitMs = isTrouble ? retryAfterMs(headers.get('retry-after'), wall) : null
  const error = status >= 400 ? readError(json) : null
  if (error === null) return { kind: 'unreachable', askedWaitMs, isBusy: status >= 500 }
  if (isTrouble) return { kind: 'later', askedWaitMs }
  return { kind: 'refused', refusal: { message: error.message, fields: error.fields ?? {} } }
}
