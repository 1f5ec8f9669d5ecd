import { drawsFrom, shuffled } from '#api/testing/random.ts'
import type { World } from '#api/testing/world.ts'

/** Webhooks that the provider believes delivered, to be handed in at any time, in any order, any number of times. */
export type News = {
  take(webhook: Request): Promise<Response>
  /** Some of what waits, drawn from a number. */
  deliver(world: World, how: { draw: number; copies: number; isAtOnce: boolean }): Promise<void>
  /** All that waits and some that came before, in an order drawn from a number. */
  deliverRest(world: World, draw: number): Promise<void>
}

type Webhook = { url: string; headers: Headers; body: string }

export function collectNews(): News {
  const waiting: Webhook[] = []
  const delivered: Webhook[] = []
  const hand = async (world: World, { url, headers, body }: Webhook) => {
    const answer = await world.app.handle(new Request(url, { method: 'POST', headers, body }))
    if (answer.status !== 200) throw new Error(`A webhook was refused: ${answer.status} ${await answer.text()}`)
  }
  return {
    async take(webhook) {
      waiting.push({ url: webhook.url, headers: webhook.headers, body: await webhook.text() })
      return new Response()
    },
    async deliver(world, { draw, copies, isAtOnce }) {
      const random = drawsFrom(draw)
      const chosen = shuffled(waiting, random).slice(0, random(waiting.length + 1))
      for (const one of chosen) waiting.splice(waiting.indexOf(one), 1)
      delivered.push(...chosen)
      const all = Array.from({ length: copies }, () => chosen).flat()
      if (isAtOnce) await Promise.all(all.map((one) => hand(world, one)))
      else for (const one of all) await hand(world, one)
    },
    async deliverRest(world, draw) {
      const random = drawsFrom(draw)
      const again = shuffled(delivered, random).slice(0, 3)
      for (const one of shuffled([...waiting.splice(0), ...again], random)) await hand(world, one)
    },
  }
}
