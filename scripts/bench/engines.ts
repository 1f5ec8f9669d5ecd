import { logIn } from '#pwa/e2e/browsers/fixtures.ts'
import { openVisitor, type Visitor } from '#pwa/e2e/engines/visitor.ts'
import { browserPackages, missingPackages } from '../browser-packages.ts'
import { findChromium } from '../chromium.ts'
import { formatMs, medianOfRounds, printRatio } from './figures.ts'
import type { Fixture } from './fixture.ts'
import { startProduct } from './programs.ts'

/** The members' list from the phone's cache, in the browser of every iPhone against the one that most of it was written in. */
export async function measureEngines({ copyDataDir, member }: Fixture): Promise<void> {
  if (missingPackages(browserPackages.webkit).length > 0) {
    console.log('  WebKit isn’t installed here, so it isn’t measured: `npm run browsers` installs it.')
    return
  }
  process.env.E2E_WHOLE_CHROMIUM ??= findChromium() ?? ''
  await using server = await startProduct(copyDataDir())
  const visitors: Visitor[] = []
  try {
    const visit = async (name: 'webkit' | 'chromium') => {
      const visitor = await openVisitor(name, server.url)
      visitors.push(visitor)
      await logIn(visitor, member.email)
      await visitor.readUntil(() => document.querySelector('li.row') && navigator.serviceWorker.controller)
      return visitor
    }
    const [webkit, chromium] = [await visit('webkit'), await visit('chromium')]
    const comparison = await medianOfRounds({ rounds: 7, floor: () => open(chromium), product: () => open(webkit) })
    const note = 'Its floor is Chromium, with a window of the same size'
    printRatio('Opening the members’ list in WebKit', comparison, { format: formatMs, limit: { atMost: 1.6 }, note })
  } finally {
    for (const visitor of visitors) {
      await visitor.close()
      visitor.forget()
    }
  }
}

/** Ms from navigation to the first frame with the list, or to the page's end if that's later: only then can it be asked. */
async function open(visitor: Visitor): Promise<number> {
  await visitor.goto('/contact')
  await visitor.goto('/members')
  const at = await visitor.readUntil(() => {
    const { dataset } = document.documentElement
    const look = () => {
      if (document.querySelector('li.row')) dataset.listAt = String(performance.now())
      else requestAnimationFrame(look)
    }
    if (dataset.listAt === undefined) {
      dataset.listAt = ''
      requestAnimationFrame(look)
    }
    return Number(dataset.listAt)
  })
  return Number(at)
}
