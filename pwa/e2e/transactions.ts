import { expect, type Page, type Request } from '@playwright/test'

declare global {
  // biome-ignore lint/style/useConsistentTypeDefinitions: the window's type is extended by merging
  interface Window {
    transactions: {
      /** Each in words: mode, database, stores. */
      begun: string[]
      open: Set<IDBTransaction>
      /** Timers that end within seconds. */
      timers: Set<number>
    }
  }
}

/**
 * Knows every transaction of every page, from its start. `atRest`: those of the page so far, once no request, timer or transaction
 * is left that others could follow.
 */
export async function followTransactions(page: Page): Promise<{ atRest(): Promise<string[]> }> {
  const requests = new Set<Request>()
  page.on('request', (request) => requests.add(request))
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
  await page.addInitScript(() => {
    const begun: string[] = []
    const open = new Set<IDBTransaction>()
    const timers = new Set<number>()
    window.transactions = { begun, open, timers }
    const { transaction } = IDBDatabase.prototype
    IDBDatabase.prototype.transaction = function (...args: Parameters<typeof transaction>) {
      const next = transaction.apply(this, args)
      begun.push(`${next.mode} ${this.name.slice(0, 15)} ${[...next.objectStoreNames].join()}`)
      open.add(next)
      for (const end of ['complete', 'abort']) next.addEventListener(end, () => open.delete(next))
      return next
    }
    const { setTimeout: start, clearTimeout: stop } = window
    const startTimer = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      const id = start(() => {
        timers.delete(id)
        run(...args)
      }, ms)
      if (ms < 3_000) timers.add(id)
      return id
    }
    const stopTimer = (id: number) => {
      timers.delete(id)
      stop(id)
    }
    Object.assign(window, { setTimeout: startTimer, clearTimeout: stopTimer })
  })

  return {
    atRest: async () => {
      let before = -1
      const isAtRest = async () => {
        const { count, isBusy } = await page.evaluate(() => {
          const { begun, open, timers } = window.transactions
          return { count: begun.length, isBusy: open.size + timers.size > 0 }
        })
        const isSame = count === before && requests.size === 0 && !isBusy
        before = count
        return isSame
      }
      await expect.poll(isAtRest, { intervals: [500] }).toBe(true)
      return page.evaluate(() => window.transactions.begun)
    },
  }
}
