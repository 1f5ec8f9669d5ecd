import * as v from 'valibot'
import { pushKeysOf } from '#api/features/notices/keys-service.ts'
import { receivePush, registerPhone } from '#api/features/sandbox/push-service.ts'
import { sandboxPushPath } from '#api/push/hosts.ts'
import { NoticeSettings, PushPayload } from '#shared/contract/notices.ts'
import type { Call, World } from './world.ts'

const Registered = v.object({ endpoint: v.string(), keys: v.object({ p256dh: v.string(), auth: v.string() }) })
const Message = v.object({
  phone: v.string(),
  topic: v.string(),
  ttl: v.string(),
  urgency: v.string(),
  payload: PushPayload,
})

/**
 * The sandbox's push service on a port of its own, as the server's own address. A world without a port has nothing that a push
 * could be sent to.
 */
export function startPushService(open: (port: number) => World) {
  let world: World | undefined
  const asked = Promise.withResolvers<void>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      asked.resolve()
      const [, id = ''] = new URL(request.url).pathname.split(`${sandboxPushPath}/`)
      return world === undefined ? new Response(null, { status: 503 }) : receivePush(world.ctx, id, request)
    },
  })
  world = open(server.port ?? 0)
  const opened = world
  return {
    world: opened,
    stop: () => server.stop(true),
    /** Once a message has come to it. */
    asked: asked.promise,
    /** A phone that has subscribed in this login, as its page does it. */
    async subscribe(as: Call) {
      const response = registerPhone(opened.ctx, JSON.stringify({ key: pushKeysOf(opened.ctx).publicKey }))
      const address = v.parse(Registered, await response.json())
      const stored = await as('/api/members/notices/phone', { method: 'PUT', body: address })
      if (!stored.ok) throw new Error(await stored.text())
      const id = address.endpoint.split('/').at(-1) ?? ''
      return { ...address, id, settings: v.parse(NoticeSettings, await stored.json()) }
    },
    /** Told to fail, expire or be slow. */
    behave: (id: string, body: object) =>
      opened.call(`${sandboxPushPath}/${id}`, {
        method: 'PUT',
        body: new TextEncoder().encode(JSON.stringify(body)),
      }),
    async received(id: string) {
      const response = await opened.call(`${sandboxPushPath}/${id}`)
      return v.parse(v.array(Message), await response.json())
    },
  }
}

/** What a worker does once it has shown it. */
export const confirm = (as: Call, id: string) => as('/api/notices/receipts', { body: { id } })
