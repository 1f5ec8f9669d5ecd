import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright'
import { build } from 'vite'
import { budgets, mostTimesReactDom } from '../build/budgets.ts'
import { brotli } from '../build/compress.ts'
import { inlineStyleBytes } from '../build/sizes.ts'
import { phoneScreen, withBrowser } from './browser.ts'
import type { Fixture } from './fixture.ts'
import { root, startProduct, withServer } from './programs.ts'
import { type CountingProxy, openCountingProxy, pageRequestHeaders, type SentResponse } from './proxy.ts'
import { listPublicPages } from './public-pages.ts'
import { formatKb, limitRow, type Result, ratioRow } from './result.ts'

type Visit = { path: string; html: string; responses: SentResponse[]; thirdPartyUrls: string[] }

export const measurePageWeight = (fixture: Fixture, named: readonly string[]): Promise<Result[]> =>
  withBrowser((browser) =>
    withServer(startProduct(fixture.copyDataDir()), async ({ url }) => {
      const proxy = openCountingProxy(url)
      const visits: Visit[] = []
      try {
        for (const path of await listPublicPages(url, named)) visits.push(await visit(browser, proxy, path))
      } finally {
        await proxy.close()
      }
      const reactDom = await sizeOfReactDom()
      return [
        ...visits.map((visited) => scriptRow(visited, reactDom)),
        ...[styleRow(visits), fontRow(visits), thirdPartyRow(visits)],
        ...visits.filter(({ path }) => path === '/').flatMap(firstVisitRows),
      ]
    }),
  )

async function visit(browser: Browser, proxy: CountingProxy, path: string): Promise<Visit> {
  proxy.take()
  const context = await browser.newContext(phoneScreen)
  const thirdPartyUrls: string[] = []
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== proxy.url) thirdPartyUrls.push(request.url())
  })
  const page = await context.newPage()
  await page.setExtraHTTPHeaders(pageRequestHeaders)
  const response = await page.goto(proxy.url + path, { waitUntil: 'networkidle' })
  await page.keyboard.press('End')
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  const html = (await response?.text()) ?? ''
  await context.close()
  return { path, html, responses: proxy.take(), thirdPartyUrls }
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)

/** The build's compressed size, because that doesn't depend on the connection. */
const builtSize = (path: string) => statSync(join(root, 'pwa/dist/client', `${path}.br`)).size

const filesOf = ({ responses }: Visit, ending: string) => [
  ...new Set(responses.filter(({ path, isForPage }) => isForPage && path.endsWith(ending)).map(({ path }) => path)),
]

function scriptRow(visit: Visit, floor: number): Result {
  const files = filesOf(visit, '.js')
  const product = sum(files.map(builtSize))
  const row = `${visit.path}: JavaScript, ${files.length} files`
  return ratioRow(row, { floor, product, ratio: product / floor }, formatKb, { atMost: mostTimesReactDom })
}

function styleRow(visits: readonly Visit[]): Result {
  const size = (visit: Visit) => inlineStyleBytes(visit.html) + sum(filesOf(visit, '.css').map(builtSize))
  return limitRow('CSS, the page with most', Math.max(...visits.map(size)), budgets.styles, formatKb)
}

function fontRow(visits: readonly Visit[]): Result {
  const fonts = new Set(visits.flatMap((visit) => filesOf(visit, '.woff2')))
  const [font = ''] = fonts
  const isOnlyFont = fonts.size === 1 && visits.every((visit) => filesOf(visit, '.woff2').length === 1)
  const isPreloaded = visits.every(({ html }) =>
    html.includes(`<link rel="preload" as="font" type="font/woff2" href="${font}"`),
  )
  const size = sum([...fonts].map((path) => statSync(join(root, 'pwa/dist/client', path)).size))
  const result = limitRow('The font', size, budgets.font, formatKb)
  const note =
    isOnlyFont && isPreloaded ? undefined : `${fonts.size} files, ${isPreloaded ? '' : 'not '}preloaded everywhere`
  return { ...result, isMet: result.isMet && note === undefined, note }
}

function thirdPartyRow(visits: readonly Visit[]): Result {
  const urls = [...new Set(visits.flatMap(({ thirdPartyUrls }) => thirdPartyUrls))]
  const note = urls.length > 0 ? urls.join(', ') : undefined
  return { ...limitRow('Requests to third parties', urls.length, 0, String), note }
}

function firstVisitRows({ path, responses }: Visit): Result[] {
  const bytes = (isForPage: boolean) =>
    sum(responses.filter((response) => response.isForPage === isForPage).map((response) => response.bytes))
  const row = `${path}: first visit`
  return [
    limitRow(`${row}, read to its end`, bytes(true), budgets.firstVisit, formatKb),
    {
      row: `${row}, cached for later by the service worker`,
      floor: '',
      product: formatKb(bytes(false)),
      ratio: '',
      limit: '',
      isMet: true,
    },
  ]
}

/** The floor for a page's scripts: react-dom alone, built and compressed like the site, in bytes. */
async function sizeOfReactDom(): Promise<number> {
  const result = await build({
    configFile: false,
    root,
    mode: 'production',
    logLevel: 'warn',
    build: {
      write: false,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: fileURLToPath(new URL('./floors/react-dom.ts', import.meta.url)) },
    },
  })
  if (!('output' in result)) throw new Error('React alone could not be built.')
  const code = result.output.map((part) => (part.type === 'chunk' ? part.code : '')).join('')
  return brotli(Buffer.from(code)).byteLength
}
