import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { budgets, mostTimesReactDom } from '../build/budgets.ts'
import { inlineStyleBytes } from '../build/sizes.ts'
import { inBrowser, phone } from './browser.ts'
import { type Front, openFront, pagesMark, type Sent } from './front.ts'
import type { House } from './house.ts'
import { root, startProduct, whileRunning } from './programs.ts'
import { publicPages } from './public-pages.ts'
import { atMost, compared, inKb, type Result } from './result.ts'
import { sizeOfReactDom } from './script-size.ts'

type Visit = { path: string; html: string; sent: Sent[]; strangers: string[] }

/** What each page costs its first visitor, who reads it to the end. */
export const measureTransfer = (house: House, named: readonly string[]): Promise<Result[]> =>
  inBrowser((browser) =>
    whileRunning(startProduct(house.copy()), async ({ url }) => {
      const front = openFront(url)
      const visits: Visit[] = []
      try {
        for (const path of await publicPages(url, named)) visits.push(await visit(browser, front, path))
      } finally {
        await front.close()
      }
      const reactDom = await sizeOfReactDom()
      return [
        ...visits.map((one) => scriptRow(one, reactDom)),
        ...[styleRow(visits), fontRow(visits), strangerRow(visits)],
        ...visits.filter(({ path }) => path === '/').flatMap(wholeRows),
      ]
    }),
  )

async function visit(browser: Browser, front: Front, path: string): Promise<Visit> {
  front.take()
  const context = await browser.newContext(phone)
  const strangers: string[] = []
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== front.url) strangers.push(request.url())
  })
  const page = await context.newPage()
  await page.setExtraHTTPHeaders(pagesMark)
  const response = await page.goto(front.url + path, { waitUntil: 'networkidle' })
  await page.keyboard.press('End')
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  const html = (await response?.text()) ?? ''
  await context.close()
  return { path, html, sent: front.take(), strangers }
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)

/** As the build has compressed them: what they weigh does not change with what else is sent. */
const builtSize = (path: string) => statSync(join(root, 'pwa/dist/client', `${path}.br`)).size

const filesOf = ({ sent }: Visit, ending: string) => [
  ...new Set(sent.filter(({ path, isPages }) => isPages && path.endsWith(ending)).map(({ path }) => path)),
]

function scriptRow(visit: Visit, floor: number): Result {
  const files = filesOf(visit, '.js')
  const product = sum(files.map(builtSize))
  const row = `${visit.path}: JavaScript, ${files.length} files`
  return compared(row, { floor, product, ratio: product / floor }, inKb, { atMost: mostTimesReactDom })
}

function styleRow(visits: readonly Visit[]): Result {
  const size = (visit: Visit) => inlineStyleBytes(visit.html) + sum(filesOf(visit, '.css').map(builtSize))
  return atMost('CSS, the page with most', Math.max(...visits.map(size)), budgets.styles, inKb)
}

/** One for all pages, and asked for at once. */
function fontRow(visits: readonly Visit[]): Result {
  const fonts = new Set(visits.flatMap((visit) => filesOf(visit, '.woff2')))
  const [font = ''] = fonts
  const isAlone = fonts.size === 1 && visits.every((visit) => filesOf(visit, '.woff2').length === 1)
  const isPreloaded = visits.every(({ html }) =>
    html.includes(`<link rel="preload" as="font" type="font/woff2" href="${font}"`),
  )
  const size = sum([...fonts].map((path) => statSync(join(root, 'pwa/dist/client', path)).size))
  const result = atMost('The font', size, budgets.font, inKb)
  const note =
    isAlone && isPreloaded ? undefined : `${fonts.size} files, ${isPreloaded ? '' : 'not '}preloaded everywhere`
  return { ...result, isMet: result.isMet && note === undefined, note }
}

function strangerRow(visits: readonly Visit[]): Result {
  const strangers = [...new Set(visits.flatMap(({ strangers }) => strangers))]
  const note = strangers.length > 0 ? strangers.join(', ') : undefined
  return { ...atMost('Requests to others', strangers.length, 0, String), note }
}

function wholeRows({ path, sent }: Visit): Result[] {
  const bytes = (isPages: boolean) => sum(sent.filter((one) => one.isPages === isPages).map((one) => one.bytes))
  const row = `${path}: first visit`
  return [
    atMost(`${row}, read to its end`, bytes(true), budgets.firstVisit, inKb),
    {
      ...{ row: `${row}, kept for later by the service worker`, floor: '', product: inKb(bytes(false)) },
      ...{ ratio: '', limit: '', isMet: true },
    },
  ]
}
