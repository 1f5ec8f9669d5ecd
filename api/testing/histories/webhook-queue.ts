import { drawsFrom, shuffled } from '#api/testing/random.ts'
import type { World } from '#api/testing/world.ts'

/** Stripe thinks these webhooks are delivered. The test delivers them whenever, in any order and any number of times. */
export type WebhookQueue = {
  add(webhook: Request): Promise<Response>
  /** Delivers a random selection. */
  deliver(world: World, how: { draw: number; copies: number; isAtOnce: boolean }): Promise<void>
  /** Delivers the rest and some repeats, in random order. */
  deliverRest(world: World, draw: number): Promise<void>
}

type Webhook = { url: string; headers: Headers; body: string }

export function createWebhookQueue(): WebhookQueue {
  const waiting: Webhook[] = []
  const delivered: Webhook[] = []
  const handle = async (world: World, { url, headers, body }: Webhook) => {
    const response = await world.handle(new Request(url, { method: 'POST', headers, body }))
    if (response.status !== 200) throw new Error(`A webhook was refused: ${response.status} ${await response.text()}`)
  }
  return {
    async add(webhook) {
      waiting.push({ url: webhook.url, headers: webhook.headers, body: await webhook.text() })
      return new Response()
    },
    async deliver(world, { draw, copies, isAtOnce }) {
      const random = drawsFrom(draw)
      const chosen = shuffled(waiting, random).slice(0, random(waiting.length + 1))
      for (const one of chosen) waiting.splice(waiting.indexOf(one), 1)
      delivered.push(...chosen)
      const all = Array.from({ length: copies }, () => chosen).flat()
      if (isAtOnce) await Promise.all(all.map((one) => handle(world, one)))
      else for (const one of all) await handle(world, one)
    },
    async deliverRest(world, draw) {
      const random = drawsFrom(draw)
      const again = shuffled(delivered, random).slice(0, 3)
      for (const one of shuffled([...waiting.splice(0), ...again], random)) await handle(world, one)
    },
  }
}
