import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import sharp from 'sharp'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { questionMessages, questions } from '#api/db/schema/questions.ts'
import { listVideos } from '#api/features/videos/service.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { addCookie, openBrowser, phoneScreen, waitForWorker } from './browser.ts'
import { median, printMost } from './figures.ts'
import type { Fixture, Member } from './fixture.ts'
import { startProduct } from './programs.ts'
import { openCountingProxy, phoneLine } from './proxy.ts'

const rounds = 7

/** On a slow phone: how soon what's asked is kept, and a camera's photo is small. */
export async function measureQuestions({ copyDataDir, otherMembers }: Fixture): Promise<void> {
  const [asking, photographing] = otherMembers
  if (!asking || !photographing) return
  await using server = await startProduct(copyDataDir())
  await using proxy = openCountingProxy(server.url)
  await using browser = await openBrowser()
  await measureKept(browser, proxy, asking)
  await measurePhoto(server.url, photographing)
}

const askPath = '/members/ask'

async function openAsk(browser: Browser, origin: string, { cookie }: Member): Promise<Page> {
  const context = await browser.newContext(phoneScreen)
  await addCookie(context, origin, cookie)
  const page = await context.newPage()
  await page.goto(`${origin}/members`)
  await waitForWorker(page)
  await page.goto(origin + askPath)
  await page.getByLabel('What’s your question?').waitFor()
  return page
}

async function measureKept(browser: Browser, proxy: ReturnType<typeof openCountingProxy>, member: Member) {
  const page = await openAsk(browser, proxy.url, member)
  proxy.state.line = phoneLine
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const measured: number[] = []
  while (measured.length <= rounds) {
    await page.goto(proxy.url + askPath)
    await page.getByLabel('What’s your question?').fill(`Which valve goes on the return? ${measured.length}`)
    measured.push(await page.evaluate(timeKept))
  }
  await page.context().close()
  printMost('From Send to “Saved on this phone”, CPU ÷ 4, 400 kbit/s', median(measured.slice(1)), { most: 1_000 })
}

/** Runs in the page: ms from the press until the frame that says it's kept. */
function timeKept(): Promise<number> {
  const send = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === 'Send')
  return new Promise((resolve) => {
    const start = performance.now()
    const look = () => {
      if (!document.querySelector('.thread__kept')) return requestAnimationFrame(look)
      return requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)))
    }
    requestAnimationFrame(look)
    send?.click()
  })
}

async function measurePhoto(origin: string, member: Member): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-photo-'))
  const photo = join(folder, 'photo.jpg')
  writeFileSync(photo, await cameraPhoto())
  await using browser = await openBrowser()
  const page = await openAsk(browser, origin, member)
  await page.getByLabel('Add photos').waitFor()
  const normal = await slowDown(browser, 4)
  const measured: { ms: number; longest: number }[] = []
  try {
    while (measured.length <= rounds) {
      await page.evaluate(watchPhoto)
      await page.getByLabel('Add photos').setInputFiles(photo)
      const seen = await page.waitForFunction(() => document.documentElement.dataset.photo, null, { polling: 100 })
      measured.push(JSON.parse(String(await seen.jsonValue())))
      await page.getByLabel('Remove photo 1').click()
    }
  } finally {
    await normal()
    rmSync(folder, { recursive: true })
  }
  const counted = measured.slice(1)
  printMost('A photo of 12 megapixels made small and kept, CPU ÷ 4', median(counted.map(({ ms }) => ms)), {
    most: 2_500,
  })
  printMost('Longest the screen stands still meanwhile', median(counted.map(({ longest }) => longest)), { most: 200 })
}

/** 12 megapixels with as much detail as a camera’s: some 4 MB. */
async function cameraPhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const create = { width: 4000, height: 3000, channels: 3, background: '#888', noise } as const
  return sharp({ create }).blur(1.2).jpeg({ quality: 92 }).withMetadata({ orientation: 6 }).toBuffer()
}

/** Runs in the page: notes ms from the choice of a photo until it's painted, and the longest task meanwhile. */
function watchPhoto(): void {
  delete document.documentElement.dataset.photo
  let longest = 0
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
  })
  observer.observe({ type: 'longtask' })
  const begin = () => {
    const start = performance.now()
    const look = () => {
      const picture = document.querySelector<HTMLImageElement>('.photos__list img')
      if (!picture?.complete) return requestAnimationFrame(look)
      return requestAnimationFrame(() =>
        setTimeout(() => {
          observer.disconnect()
          document.documentElement.dataset.photo = JSON.stringify({ ms: performance.now() - start, longest })
        }, 50),
      )
    }
    requestAnimationFrame(look)
  }
  document.addEventListener('change', begin, { once: true, capture: true })
}

/**
 * Stops the browser's processes for three quarters of the time, with all their threads: DevTools slows a page's main thread alone,
 * and a photo is made small in a worker. Returns what ends it.
 */
async function slowDown(browser: Browser, rate: number): Promise<() => Promise<void>> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const { id } of processInfo) process.kill(id, name)
  }
  let isOver = false
  const work = (async () => {
    while (!isOver) {
      const from = performance.now()
      await Bun.sleep(4)
      signal('SIGSTOP')
      await Bun.sleep((performance.now() - from) * (rate - 1))
      signal('SIGCONT')
    }
  })()
  return () => {
    isOver = true
    return work
  }
}

/** What a member asked, one a day: half of it answered, about a video every other time. */
export function insertQuestions(ctx: Context, userId: string, count: number): void {
  const videos = listVideos(ctx, 'standard')
  for (let index = 0; index < count; index += 1) {
    const at = new Date(ctx.now().getTime() - index * dayMs).toISOString()
    const later = new Date(Date.parse(at) + 3_600_000).toISOString()
    const [id, video] = [ctx.newId(), index % 2 === 0 ? videos[index % videos.length] : undefined]
    const about = video ? { videoId: video.id, videoTitle: video.title, seconds: 60 + index } : {}
    const answeredAt = index % 4 > 1 ? later : null
    insertRow(ctx, questions, {
      id,
      userId,
      origin: video ? 'video' : 'header',
      ...about,
      askedAt: at,
      countedAt: at,
      receivedAt: at,
      waitsSince: at,
      answeredAt,
      readByMemberAt: answeredAt,
      updatedAt: later,
    })
    const said = { questionId: id, receivedAt: at }
    const text = `The furthest one is cold when the others are warm, number ${index}. Is it air, or is it the valve?`
    insertRow(ctx, questionMessages, { ...said, id, author: 'member', text, at })
    if (answeredAt)
      insertRow(ctx, questionMessages, { ...said, id: ctx.newId(), author: 'coach', text: 'Air. Bleed it.', at: later })
  }
}
