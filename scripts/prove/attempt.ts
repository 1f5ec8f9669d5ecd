import type { Context } from '#api/context.ts'
import { beside } from '../bench/fixture.ts'
import type { Site } from './site.ts'

/** Work that dies in the middle. */
export type Attempt = {
  /** The kill comes at a random moment between these. */
  fromMs?: number
  withinMs: number
  /** By default it's the site that dies. */
  kill?: () => Promise<unknown>
  /** Resolves once the work has noticed. */
  ended: Promise<unknown>
  /** How much had no answer yet, and how much had. */
  underWay(): number
  acknowledged(): number
  /** After the next start: where the door doesn't keep its promise. */
  check(): Promise<string[]>
}

export type Door = {
  promise: string
  env?: Record<string, string>
  /** Once for each new folder. */
  open(site: Site): Promise<() => Promise<Attempt>>
}

/** What was sent, by its key, with its answer once there is one. */
export type Ledger<Item, Answer> = Map<string, { item: Item; answer: Answer | null }>

export const waiting = <Item, Answer>(ledger: Ledger<Item, Answer>) =>
  [...ledger.values()].filter(({ answer }) => answer === null).map(({ item }) => item)

export const answered = <Item, Answer>(ledger: Ledger<Item, Answer>) =>
  [...ledger.values()].filter(({ answer }) => answer !== null).length

/** So many at once, each one after the other, until the server is gone. An answer that's wrong is thrown. */
export function untilKilled(count: number, one: (worker: number) => Promise<void>): Promise<unknown> {
  const worker = async (_none: unknown, index: number) => {
    for (;;) {
      try {
        await one(index)
      } catch (error) {
        if (error instanceof WrongAnswer) throw error
        return
      }
    }
  }
  return Promise.all(Array.from({ length: count }, worker))
}

export class WrongAnswer extends Error {}

export async function answerOf<Body>(response: Response, read: (body: Record<string, unknown>) => Body): Promise<Body> {
  const text = await response.text()
  if (!response.ok) throw new WrongAnswer(`${new URL(response.url).pathname}: ${response.status} ${text.slice(0, 200)}`)
  return read(JSON.parse(text))
}

/** A count for each key that isn't what it should be. */
export function countsThatDiffer(ctx: Context, query: string, keys: readonly string[], right: number): string[] {
  const rows = ctx.sqlite
    .prepare<[string], { key: string; count: number }>(
      `select wanted.value as key, (${query}) as count from json_each(?) wanted`,
    )
    .all(JSON.stringify(keys))
  return rows.filter(({ count }) => count !== right).map(({ key, count }) => `${key}: ${count} instead of ${right}`)
}

/** Whatever died: no page is damaged, no row points nowhere, and the invoices' numbers have no gap. */
export const faultsOfDatabase = (site: Site): string[] =>
  beside(site.dataDir, ({ sqlite }) => {
    const pages = sqlite.prepare<[], string>('pragma integrity_check(5)').pluck().all()
    const astray = sqlite.prepare('pragma foreign_key_check').all().length
    const gaps = sqlite.prepare<[], number>('select coalesce(max(sequence), 0) - count(*) from invoices').pluck().get()
    return [
      ...pages.filter((line) => line !== 'ok'),
      ...(astray === 0 ? [] : [`${astray} rows point at rows that are gone`]),
      ...(gaps === 0 ? [] : [`${gaps} invoice numbers are missing`]),
    ]
  })
