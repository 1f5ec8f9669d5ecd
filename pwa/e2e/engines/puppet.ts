import puppeteer, { type Browser, type KeyInput, type LaunchOptions, type Page } from 'puppeteer-core'
import { type Engine, type Launch, surroundings } from './engine.ts'
import { shiftDate } from './in-page.ts'
import { startedBy } from './processes.ts'

/** Firefox by WebDriver BiDi and Chromium by its own protocol: puppeteer speaks both. */
export async function openPuppet(launch: Launch, own: LaunchOptions): Promise<Engine & { page(): Page }> {
  const { width, height, isPrivate, profile } = launch
  const browser = await puppeteer.launch({
    headless: true,
    protocolTimeout: 120_000,
    env: surroundings,
    defaultViewport: { width, height },
    ...(isPrivate ? {} : { userDataDir: profile }),
    ...own,
  })
  const lines: string[] = []
  const tabs = new Map<string, Page>()
  const add = async (page: Page) => {
    const name = `tab ${tabs.size + 1}`
    tabs.set(name, page)
    await follow(page, lines)
    await page.setViewport({ width, height })
    return name
  }
  const first = await browser.pages()
  // Firefox's own first tab never gets the focus, so nothing in it would have a ring.
  let page = await browser.newPage()
  for (const tab of first) await tab.close()
  await add(page)
  return {
    page: () => page,
    goto: async (url) => void (await page.goto(url, { waitUntil: 'load', timeout: 60_000 })),
    reload: async () => void (await page.reload({ waitUntil: 'load', timeout: 60_000 })),
    back: () => goInHistory(page, -1),
    forward: () => goInHistory(page, 1),
    evaluate: (expression) => page.evaluate(expression),
    click: ({ x, y }) => page.mouse.click(x, y),
    point: ({ x, y }) => page.mouse.move(x, y),
    key: (combination) => press(page, combination),
    type: (text) => page.keyboard.type(text),
    async upload(expression, files) {
      const input = await (await page.evaluateHandle(expression)).asElement()?.toElement('input')
      await input?.uploadFile(...files)
    },
    screenshot: async () => Buffer.from(await page.screenshot()),
    resize: (wide, high) => page.setViewport({ width: wide, height: high }),
    newTab: async () => await add(await browser.newPage()),
    tab: async () => [...tabs].find(([, one]) => one === page)?.[0] ?? '',
    async toTab(name) {
      page = tabs.get(name) ?? page
      await page.bringToFront()
    },
    async closeTab() {
      await page.close()
      for (const [name, one] of tabs) if (one === page) tabs.delete(name)
      page = [...tabs.values()].at(-1) ?? page
    },
    console: () => lines.splice(0),
    async moveClock(days) {
      for (const one of tabs.values()) {
        await one.evaluateOnNewDocument(shiftDate, days)
        await one.evaluate(shiftDate, days)
      }
    },
    processes: () => processesOf(browser),
    close: () => browser.close(),
  }
}

async function follow(page: Page, lines: string[]) {
  page.on('console', (message) => {
    if (!['error', 'warn'].includes(message.type())) return
    lines.push(`${message.type()} ${message.text()} (${message.location().url ?? ''})`)
  })
  page.on('pageerror', (error) => lines.push(`error ${error instanceof Error ? error.stack : error}`))
  page.on('requestfailed', (request) =>
    lines.push(`failed ${request.method()} ${request.url()} ${request.failure()?.errorText}`),
  )
  await page.evaluateOnNewDocument(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      console.error(`The policy refused ${blockedURI} as ${effectiveDirective}`),
    )
  })
}

/** Then only a worker writes files, as in Safari before 26. */
export async function takeCreateWritable(page: Page): Promise<void> {
  await page.evaluateOnNewDocument(() => {
    if ('FileSystemFileHandle' in globalThis) Reflect.deleteProperty(FileSystemFileHandle.prototype, 'createWritable')
  })
}

async function press({ keyboard }: Page, combination: string) {
  const keys = combination.split('+').map((name) => name as KeyInput)
  for (const key of keys) await keyboard.down(key)
  for (const key of keys.toReversed()) await keyboard.up(key)
}

function processesOf(browser: Browser): number[] {
  const { pid } = browser.process() ?? {}
  return pid === undefined ? [] : [pid, ...startedBy(pid)]
}

/** A page that was kept loads nothing, so there's nothing to wait for. On a busy machine the page is gone before it has answered. */
const goInHistory = (page: Page, by: number) =>
  page
    .evaluate((steps) => void setTimeout(() => history.go(steps)), by)
    .catch((error: unknown) => {
      if (!/context was destroyed/.test(String(error))) throw error
    })
