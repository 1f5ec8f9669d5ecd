import type { Browser } from 'playwright'
import { timeRows, withBrowser } from './browser.ts'
import { type Fixture, ownerCookie, videoCount } from './fixture.ts'
import { fetchList, serveFloor, type VisitedPage, visitFloor, visitProduct } from './offline.ts'
import { type RunningServer, startProduct, withServer } from './programs.ts'
import { type CountingProxy, openCountingProxy, type SlowLine } from './proxy.ts'
import { formatKb, formatMs, limitRow, type Result, ratioRow } from './result.ts'
import { median, medianOfRounds } from './rounds.ts'

/** 400 kbit/s, 400 ms latency and a quarter of the CPU: a cheap phone at the edge of its signal. */
const phoneLine: SlowLine = { bytesPerSecond: 50_000, latencyMs: 400 }
const rounds = 7
const changedRounds = 3
/** A launch makes a few requests in sequence. */
const stayMs = 12 * phoneLine.latencyMs

/**
 * A member opens the app on such a phone: ms from launch to the painted list, online and offline, from the phone's cache, against
 * the same rows without our code. Also the bytes sent in the background.
 */
export const measureMembers = (fixture: Fixture): Promise<Result[]> =>
  withBrowser((browser) => {
    const dataDir = fixture.copyDataDir()
    const owner = ownerCookie(dataDir)
    return withServer(startProduct(dataDir), async (server) => {
      const plain = serveFloor(await fetchList(server.url, fixture.cookie))
      const proxies = [openCountingProxy(server.url), openCountingProxy(`http://127.0.0.1:${plain.port}`)] as const
      try {
        return await measure(browser, fixture, { proxies, change: () => changeSomething(server, fixture, owner) })
      } finally {
        await Promise.all(proxies.map((proxy) => proxy.close()))
        await plain.stop(true)
      }
    })
  })

type Lines = {
  proxies: readonly [product: CountingProxy, floor: CountingProxy]
  /** Changes list and progress, so the phone's copy is out of date. */
  change: () => Promise<void>
}

async function measure(browser: Browser, { cookie }: Fixture, { proxies, change }: Lines): Promise<Result[]> {
  const [productProxy, floorProxy] = proxies
  const product = await visitProduct(browser, productProxy.url, cookie)
  const floor = await visitFloor(browser, `${floorProxy.url}/`)
  for (const proxy of proxies) proxy.slowDown(phoneLine)
  const time = ({ context, url }: VisitedPage, stayMs = 0) => timeRows(context, url, videoCount, stayMs)
  productProxy.take()
  const bytes: number[] = []
  const changedBytes: number[] = []
  const withSignal = await medianOfRounds(rounds, {
    floor: () => time(floor),
    product: async () => {
      const ms = await time(product, stayMs)
      bytes.push(await takeBytes(productProxy))
      return ms
    },
  })
  for (let round = 0; round < changedRounds; round += 1) {
    await change()
    await time(product, stayMs)
    changedBytes.push(await takeBytes(productProxy))
  }
  await Promise.all([product.context.setOffline(true), floor.context.setOffline(true)])
  const without = await medianOfRounds(rounds, { floor: () => time(floor), product: () => time(product) })
  const phone = `list of ${videoCount}, CPU ÷ 4, 400 kbit/s, 400 ms`
  return [
    ratioRow(`Launch without signal to ${phone}`, without, formatMs, { atMost: 2 }),
    ratioRow(`Launch with signal to ${phone}`, withSignal, formatMs, { atMost: 2.5 }),
    limitRow('Launch with signal, nothing new: bytes on the wire', median(bytes), 1_000, formatKb),
    limitRow('Launch with signal, list and ticks changed: bytes on the wire', median(changedBytes), 100_000, formatKb),
  ]
}

async function takeBytes(proxy: CountingProxy): Promise<number> {
  await Bun.sleep(2 * phoneLine.latencyMs)
  return proxy.take().reduce((sum, response) => sum + response.bytes, 0)
}

/** Ticks or unticks a video on another phone, and renames one as an owner. */
async function changeSomething({ url }: RunningServer, { cookie, videoIds }: Fixture, owner: string): Promise<void> {
  const [id = ''] = videoIds
  const send = async (path: string, init: RequestInit) => {
    const response = await fetch(url + path, init)
    if (!response.ok) throw new Error(`${path} responded with ${response.status}.`)
    return response
  }
  const progress: { videoId: string; completed: boolean }[] = await (
    await send('/api/video-progress', { headers: { cookie } })
  ).json()
  const mark = progress.find(({ videoId }) => videoId === id)?.completed ? 'incomplete' : 'complete'
  await send(`/api/video-progress/${id}/${mark}`, { method: 'POST', headers: { cookie, origin: url } })
  const videos: { id: string; version: number }[] = await (
    await send('/api/admin/videos', { headers: { cookie: owner } })
  ).json()
  const version = videos.find((video) => video.id === id)?.version ?? 0
  const body = JSON.stringify({ title: `A new title, ${version}`, version })
  const headers = { cookie: owner, origin: url, 'content-type': 'application/json' }
  await send(`/api/admin/videos/${id}`, { method: 'PATCH', headers, body })
}
