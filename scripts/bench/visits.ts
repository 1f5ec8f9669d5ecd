import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright'
import { build } from 'vite'
import { budgets, mostTimesReactDom } from '../build/budgets.ts'
import { brotli } from '../build/compress.ts'
import { inlineStyleBytes } from '../build/sizes.ts'
import { openBrowser, phoneScreen, waitForWorker } from './browser.ts'
import { formatKb, formatMs, printMost, printRatio, printRow } from './figures.ts'
import type { Fixture } from './fixture.ts'
import { benchFile, root, startProduct } from './programs.ts'
import { openCountingProxy, pageRequestHeaders, type SentResponse } from './proxy.ts'
import { findNewestPostPath, listPublicPages } from './public-pages.ts'

type Proxy = ReturnType<typeof openCountingProxy>

/** Pages the visitor has seen before, opened while the server hangs and offline. */
export async function measureRepeatVisits({ copyDataDir }: Fixture): Promise<void> {
  await using browser = await openBrowser()
  await using server = await startProduct(copyDataDir())
  await using proxy = openCountingProxy(server.url)
  const context = await browser.newContext(phoneScreen)
  const paths = ['/', await findNewestPostPath(server.url)]
  const page = await context.newPage()
  for (const path of paths) {
    await page.goto(proxy.url + path, { waitUntil: 'networkidle' })
    await waitForWorker(page)
  }
  await page.close()
  proxy.take()
  proxy.state.isSilent = true
  for (const path of paths) await openAgain(context, proxy, path, 'again, server silent')
  await context.setOffline(true)
  for (const path of paths) await openAgain(context, proxy, path, 'again, offline')
}

/** A page that isn't painted in time misses the limit, and the other rows are still measured. */
async function openAgain(context: BrowserContext, proxy: Proxy, path: string, condition: string): Promise<void> {
  const [row, limit, timeout] = [`${path}: ${condition}`, 'painted, 0 responses', 10_000]
  await using page = await context.newPage()
  try {
    await page.goto(proxy.url + path, { waitUntil: 'commit', timeout })
    await page.locator('h1').first().waitFor({ timeout })
    const firstPaint = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime
    const paint = await page.waitForFunction(firstPaint, null, { timeout })
    const responses = proxy.take().length
    const product = `${formatMs(Number(await paint.jsonValue()))}, ${responses} responses`
    printRow(row, { product, limit, isMet: responses === 0 })
  } catch (error) {
    printRow(row, { product: 'not painted', limit, isMet: false, note: String(error) })
  }
}

type Visit = { path: string; html: string; responses: SentResponse[]; thirdPartyUrls: string[] }

export async function measurePageWeight({ copyDataDir }: Fixture, named: readonly string[]): Promise<void> {
  await using browser = await openBrowser()
  await using server = await startProduct(copyDataDir())
  await using proxy = openCountingProxy(server.url)
  const reactDom = await sizeOfReactDom()
  const visits: Visit[] = []
  for (const path of await listPublicPages(server.url, named)) {
    const one = await visit(browser, proxy, path)
    visits.push(one)
    const files = filesOf(one, '.js')
    const product = sum(files.map(builtSize))
    const compared = { floor: reactDom, product, ratio: product / reactDom }
    const row = `${path}: JavaScript, ${files.length} files`
    printRatio(row, compared, { format: formatKb, limit: { atMost: mostTimesReactDom } })
  }
  const styles = visits.map((one) => inlineStyleBytes(one.html) + sum(filesOf(one, '.css').map(builtSize)))
  printMost('CSS, the page with most', Math.max(...styles), { most: budgets.styles, format: formatKb })
  printFont(visits)
  const foreign = [...new Set(visits.flatMap(({ thirdPartyUrls }) => thirdPartyUrls))]
  printMost('Requests to third parties', foreign.length, { most: 0, format: String, note: foreign.join(', ') })
  for (const { path, responses } of visits.filter((one) => one.path === '/')) {
    const bytes = (isForPage: boolean) =>
      sum(responses.filter((response) => response.isForPage === isForPage).map((response) => response.bytes))
    const read = `${path}: first visit, read to its end`
    printMost(read, bytes(true), { most: budgets.firstVisit, format: formatKb })
    printRow(`${path}: first visit, cached for later by the service worker`, { product: formatKb(bytes(false)) })
  }
}

async function visit(browser: Browser, proxy: Proxy, path: string): Promise<Visit> {
  proxy.take()
  await using context = await browser.newContext(phoneScreen)
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
  return { path, html: (await response?.text()) ?? '', responses: proxy.take(), thirdPartyUrls }
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)

/** The build's compressed size, because that doesn't depend on the connection. */
const builtSize = (path: string) => statSync(join(root, 'pwa/dist/client', `${path}.br`)).size

const filesOf = ({ responses }: Visit, ending: string) => [
  ...new Set(responses.filter(({ path, isForPage }) => isForPage && path.endsWith(ending)).map(({ path }) => path)),
]

/** There's one, and every page preloads it. */
function printFont(visits: readonly Visit[]): void {
  const fonts = [...new Set(visits.flatMap((one) => filesOf(one, '.woff2')))]
  const link = `<link rel="preload" as="font" type="font/woff2" href="${fonts[0]}"`
  const isOnly = fonts.length === 1 && visits.every((one) => filesOf(one, '.woff2').length === 1)
  const isPreloaded = visits.every(({ html }) => html.includes(link))
  const size = sum(fonts.map((path) => statSync(join(root, 'pwa/dist/client', path)).size))
  printMost('The font', size, { most: budgets.font, format: formatKb })
  if (isOnly && isPreloaded) return
  const note = `${fonts.length} files, ${isPreloaded ? '' : 'not '}preloaded everywhere`
  printRow('The font, one and preloaded', { product: 'no', isMet: false, note })
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
      rolldownOptions: { input: join(root, benchFile('floors/react-dom.ts')) },
    },
  })
  if (!('output' in result)) throw new Error('React alone could not be built.')
  const code = result.output.map((part) => (part.type === 'chunk' ? part.code : '')).join('')
  return brotli(Buffer.from(code)).byteLength
}
