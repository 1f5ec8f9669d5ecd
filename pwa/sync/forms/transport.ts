import * as v from 'valibot'
import { retryAfterMs } from '#pwa/sync/back-off.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import { postJson, type Reply, readError } from '#pwa/sync/transport.ts'
import { Id, Instant } from '#shared/contract/fields.ts'
import type { FormKind, FormRefusal, NewForm } from './store.ts'

const paths: Record<FormKind, string> = {
  'coaching-application': '/api/coaching-application',
  'coaching-booking': '/api/coaching-bookings',
  contact: '/api/contact',
}

/** What the answers of all public forms have in common. */
const FormResponse = v.object({ success: v.literal(true), id: Id, receivedAt: Instant })

/** What an answer, or the want of one, means for a form. */
export type FormResult =
  | { kind: 'sent'; reference: string; sentAt: string }
  | { kind: 'refused'; refusal: FormRefusal }
  /** Our server answered, and did not keep it. */
  | { kind: 'later'; askedWaitMs: number | null }
  /** No answer of our server's: it may have arrived. A gateway in between may ask for a wait all the same. */
  | { kind: 'unreachable'; askedWaitMs: number | null }

type Sender = { platform: Platform; signal: AbortSignal }

/** The session stays out of it: a form is the visitor's, whoever is logged in. */
export async function sendForm(
  sender: Sender,
  { id, kind, body }: Pick<NewForm, 'id' | 'kind' | 'body'>,
): Promise<FormResult> {
  const headers = { 'Idempotency-Key': id }
  const reply = await postJson(sender, { path: paths[kind], credentials: 'omit', headers, body })
  return reply === null ? { kind: 'unreachable', askedWaitMs: null } : judge(reply, sender.platform.wall())
}

/** Only what has our own shape settles a form: a hotel's sign-in page may come with any status, a gateway's own with 502. */
function judge({ status, headers, json }: Reply, wall: number): FormResult {
  const answer = v.safeParse(FormResponse, json)
  if (status === 200 && answer.success)
    return { kind: 'sent', reference: answer.output.id, sentAt: answer.output.receivedAt }
  const isTrouble = status === 429 || status >= 500
  const askedWaitMs = isTrouble ? retryAfterMs(headers.get('retry-after'), wall) : null
  const error = status >= 400 ? readError(json) : null
  if (error === null) return { kind: 'unreachable', askedWaitMs }
  if (isTrouble) return { kind: 'later', askedWaitMs }
  return { kind: 'refused', refusal: { message: error.message, fields: error.fields ?? {} } }
}
