import { writeFileSync } from 'node:fs'
import { test as base, expect } from '@playwright/test'
import { sandboxPassword } from '#data/seed/people.ts'
import type { EngineName, Options } from '../engines/engine.ts'
import { setMachineSignal } from '../engines/signal.ts'
import { openVisitor, type Visitor } from '../engines/visitor.ts'
import { isOld } from '../fixtures.ts'
import { type Front, startFront } from '../front.ts'
import { makeOld } from '../old.ts'

export { expect }

export type Choice = { engine: EngineName }

/** The site on a line of its own, and who visits it. */
export type Site = Front & {
  visitors: Visitor[]
  /** The server is gone: connections are refused, and phones don't know why. */
  loseServer(): Promise<void>
  /** There's no signal: connections are refused, and phones know. */
  loseSignal(): Promise<void>
  /** All is well again. */
  restore(): Promise<void>
}

type Case = {
  /** The server's environment, next to what every one has: `test.use({ environment: { … } })`. */
  environment: Record<string, string>
  site: Site
  /** A browser of this project's kind, with an empty profile. */
  open: (options?: Options) => Promise<Visitor>
}

export const test = base.extend<Choice & Case>({
  engine: ['webkit', { option: true }],
  environment: [{}, { option: true }],
  site: async ({ environment }, use) => {
    const front = await startFront(isOld ? makeOld : undefined, environment)
    const visitors: Visitor[] = []
    const tell = (isThere: boolean) => Promise.all(visitors.map((visitor) => visitor.setSignal(isThere)))
    const restore = async () => {
      await front.up()
      setMachineSignal(true)
      await tell(true)
    }
    const loseSignal = async () => {
      setMachineSignal(false)
      await tell(false)
      await front.down()
    }
    await use({ ...front, visitors, restore, loseServer: front.down, loseSignal })
    setMachineSignal(true)
    await front.stop()
  },
  open: async ({ engine, site }, use, info) => {
    await use(async (options) => {
      const visitor = await openVisitor(engine, site.url, options)
      site.visitors.push(visitor)
      return visitor
    })
    const isFailed = info.status !== info.expectedStatus
    const faults: string[] = []
    for (const [at, visitor] of site.visitors.entries()) {
      if (!isFailed && visitor.isOpen()) faults.push(...(await storageFaults(visitor)))
      if (isFailed && visitor.isOpen()) await keepWhatWasSeen(visitor, site, info.outputPath(`visitor-${at + 1}`))
      await visitor.close()
      visitor.forget()
    }
    expect(faults, 'what these browsers store isn’t kept in memory').toEqual([])
  },
})

/** A page whose database fails goes on in memory, so a case may pass that has kept nothing. */
const storageFaults = (visitor: Visitor) =>
  visitor.readUntil(
    () => /Your browser’s storage isn’t working|Another tab is in the way/.exec(document.body.textContent ?? '') ?? [],
  )

/** For who looks at a case that failed. */
async function keepWhatWasSeen(visitor: Visitor, { asked }: Site, file: string) {
  visitor.wake()
  const outline = await visitor.outline().catch(String)
  writeFileSync(
    `${file}.json`,
    JSON.stringify({ outline, console: visitor.console(), asked: asked.slice(-50) }, null, 1),
  )
  const picture = await visitor.screenshot().catch(() => null)
  if (picture) writeFileSync(`${file}.png`, picture)
}

export async function logIn(visitor: Visitor, email: string): Promise<void> {
  await visitor.goto('/login')
  await visitor.fill('Email', email)
  await visitor.fill('Password', sandboxPassword)
  await visitor.press('button', 'Log in')
  await visitor.readUntil(() => location.pathname !== '/login')
}

/** The list of who has just logged in, until it opens without the server. */
export async function openList(visitor: Visitor): Promise<void> {
  await visitor.sees('heading', 'Strategy')
  await visitor.sees('status', /^Your ticks are saved/)
  await untilTakenOver(visitor)
}

/** WebKit may never tell a page that its worker, which is there, has been activated. */
export const untilTakenOver = (visitor: Visitor) =>
  visitor.readUntil(() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null))
