import * as v from 'valibot'
import { type Context, perContext } from '#api/context.ts'
import { notFound } from '#api/errors.ts'
import { decryptPush, newReceiver, type Receiver } from '#api/push/decrypt.ts'
import { sandboxPushOrigin, sandboxPushPath } from '#api/push/hosts.ts'
import { vapidProblem } from '#api/push/vapid.ts'
import { closedPolicy } from '#api/serving/closed-policy.ts'

/** How the stand-in answers a phone's next messages. */
export const PushBehaviour = v.object({
  status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)), 201),
  says: v.optional(v.string(), ''),
  retryAfter: v.optional(v.number()),
  delayMs: v.optional(v.pipe(v.number(), v.maxValue(30_000)), 0),
})
export type PushBehaviour = v.InferOutput<typeof PushBehaviour>

const Registration = v.object({ key: v.string() })

type Message = {
  at: string
  phone: string
  ttl: string | null
  urgency: string | null
  topic: string | null
  payload: unknown
}
type Phone = Receiver & { key: string; behaviour: PushBehaviour; isEnded: boolean }

/** Enough for anyone trying things out. The oldest go. */
const mostPhones = 200
const mostMessages = 500

/** Kept while the server runs, as a push service keeps its phones. */
const pushServiceOf = perContext(() => ({ phones: new Map<string, Phone>(), messages: [] as Message[] }))

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  Response.json(body, {
    status,
    headers: { 'cache-control': 'private, no-store', 'content-security-policy': closedPolicy, ...headers },
  })

/** What a browser’s push service does when a page subscribes: the stand-in keeps the phone’s keys, and reads its messages for it. */
export function registerPhone(ctx: Context, body: string): Response {
  const { phones } = pushServiceOf(ctx)
  const { key } = v.parse(Registration, JSON.parse(body))
  const { keys, ...receiver } = newReceiver()
  const phone = crypto.randomUUID()
  phones.set(phone, { ...receiver, key, behaviour: v.parse(PushBehaviour, {}), isEnded: false })
  for (const oldest of phones.keys()) {
    if (phones.size <= mostPhones) break
    phones.delete(oldest)
  }
  return json({ endpoint: `${sandboxPushOrigin(ctx.settings)}${sandboxPushPath}/${phone}`, keys })
}

/** Newest last. */
export const listPushes = (ctx: Context, phone?: string): Response =>
  json(pushServiceOf(ctx).messages.filter((message) => phone === undefined || message.phone === phone))

export function changePhone(ctx: Context, id: string, body: string): Response {
  const phone = phoneOf(ctx, id)
  phone.behaviour = v.parse(PushBehaviour, JSON.parse(body))
  return json(phone.behaviour)
}

/** As `PushSubscription.unsubscribe()`: from now on its messages are answered with 410. */
export function endPhone(ctx: Context, id: string): Response {
  phoneOf(ctx, id).isEnded = true
  return json({ success: true })
}

function phoneOf(ctx: Context, id: string): Phone {
  const phone = pushServiceOf(ctx).phones.get(id)
  if (phone === undefined) throw notFound('This phone')
  return phone
}

/** Takes a message as a push service does, and reads it as only the phone could. */
export async function receivePush(ctx: Context, id: string, request: Request): Promise<Response> {
  const { phones, messages } = pushServiceOf(ctx)
  const phone = phones.get(id)
  const bytes = await request.bytes()
  if (phone === undefined || phone.isEnded) return json({ reason: 'Gone' }, 410)
  const { status, says, retryAfter, delayMs } = phone.behaviour
  if (delayMs > 0) await Bun.sleep(delayMs)
  const of = { key: phone.key, origin: sandboxPushOrigin(ctx.settings), now: new Date() }
  const problem = await vapidProblem(request.headers.get('authorization'), of)
  if (problem !== null) return json({ reason: problem }, 403)
  if (bytes.byteLength > 4096) return json({ reason: 'PayloadTooLarge' }, 413)
  if (status >= 300)
    return json({ reason: says }, status, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) })
  const header = (name: string) => request.headers.get(name)
  const payload: unknown = JSON.parse(decryptPush(phone, bytes))
  const at = ctx.now().toISOString()
  messages.push({ at, phone: id, ttl: header('ttl'), urgency: header('urgency'), topic: header('topic'), payload })
  messages.splice(0, messages.length - mostMessages)
  return json({ success: true }, status)
}
