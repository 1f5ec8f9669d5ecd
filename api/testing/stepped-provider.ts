import { AsyncLocalStorage } from 'node:async_hooks'
import Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import { sandboxSecretKey } from '#api/sandbox/server.ts'

/** Work that pauses before each request to Stripe. */
export type Walker<Result> = {
  /** Lets one request through, and waits for the next or the end. */
  step(): Promise<void>
  isDone(): boolean
  result: Promise<Result>
}

type Gate = { isDone: boolean; waiting: (() => void) | null; arrived: PromiseWithResolvers<void> }

const gates = new AsyncLocalStorage<Gate>()

async function gatedFetch(...given: Parameters<typeof fetch>): Promise<Response> {
  const gate = gates.getStore()
  if (gate !== undefined) {
    const opened = Promise.withResolvers<void>()
    if (gate.waiting !== null) throw new Error('Two requests at once: a step would not be one await.')
    gate.waiting = opened.resolve
    gate.arrived.resolve()
    await opened.promise
  }
  return fetch(...given)
}

/** A context whose Stripe responses arrive one at a time, each when its walker steps. */
export function steppedContext(ctx: Context, sandboxPort: number): Context {
  const stripe = new Stripe(sandboxSecretKey, {
    host: '127.0.0.1',
    port: String(sandboxPort),
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(Object.assign(gatedFetch, { preconnect: fetch.preconnect })),
  })
  return { ...ctx, stripe }
}

export async function walk<Result>(work: () => Promise<Result>): Promise<Walker<Result>> {
  const gate: Gate = { isDone: false, waiting: null, arrived: Promise.withResolvers() }
  const result = gates.run(gate, work).finally(() => {
    gate.isDone = true
    gate.arrived.resolve()
  })
  await gate.arrived.promise
  return {
    result,
    isDone: () => gate.isDone,
    async step() {
      const open = gate.waiting
      if (open === null) throw new Error('Nothing is under way.')
      gate.waiting = null
      gate.arrived = Promise.withResolvers()
      open()
      await gate.arrived.promise
    },
  }
}

/** Every interleaving of `first` and `second` steps. True is a step of the first. */
export function interleavings(first: number, second: number): boolean[][] {
  if (first === 0) return [Array.from({ length: second }, () => false)]
  if (second === 0) return [Array.from({ length: first }, () => true)]
  return [
    ...interleavings(first - 1, second).map((rest) => [true, ...rest]),
    ...interleavings(first, second - 1).map((rest) => [false, ...rest]),
  ]
}
