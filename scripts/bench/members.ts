import type { Browser } from 'playwright'
import { timeRows, withBrowser } from './browser.ts'
import { type Fixture, videoCount } from './fixture.ts'
import { fetchList, serveFloor, type VisitedPage, visitFloor, visitProduct } from './offline.ts'
import { startProduct, withServer } from './programs.ts'
import { type CountingProxy, openCountingProxy, type SlowLine } from './proxy.ts'
import { formatKb, formatMs, limitRow, type Result, ratioRow } from './result.ts'
import { median, medianOfRounds } from './rounds.ts'

/** 400 kbit/s after 400 ms, with a CPU of a quarter: a cheap phone at the edge of its signal. */
const phoneLine: SlowLine = { bytesPerSecond: 50_000, latencyMs: 400 }
const rounds = 7

/**
 * A member opens the app on such a phone: ms from the launch to the painted list, with signal and without, both pages from
 * this phone's cache, beside the same rows without our code; and what goes over the line behind it.
 */
export const measureMembers = (fixture: Fixture): Promise<Result[]> =>
  withBrowser((browser) =>
    withServer(startProduct(fixture.copyDataDir()), async (server) => {
      const plain = serveFloor(await fetchList(server.url, fixture.cookie))
      const proxies = [openCountingProxy(server.url), openCountingProxy(`http://127.0.0.1:${plain.port}`)] as const
      try {
        return await measure(browser, fixture, proxies)
      } finally {
        await Promise.all(proxies.map((proxy) => proxy.close()))
        await plain.stop(true)
      }
    }),
  )

type Proxies = readonly [product: CountingProxy, floor: CountingProxy]

async function measure(browser: Browser, { cookie }: Fixture, [productProxy, floorProxy]: Proxies): Promise<Result[]> {
  const product = await visitProduct(browser, productProxy.url, cookie)
  const floor = await visitFloor(browser, `${floorProxy.url}/`)
  for (const proxy of [productProxy, floorProxy]) proxy.slowDown(phoneLine)
  const time = ({ context, url }: VisitedPage) => timeRows(context, url, videoCount)
  productProxy.take()
  const bytes: number[] = []
  const withSignal = await medianOfRounds(rounds, {
    floor: () => time(floor),
    product: async () => {
      const ms = await time(product)
      bytes.push(await takeBytes(productProxy))
      return ms
    },
  })
  await Promise.all([product.context.setOffline(true), floor.context.setOffline(true)])
  const without = await medianOfRounds(rounds, { floor: () => time(floor), product: () => time(product) })
  const phone = `list of ${videoCount}, CPU ÷ 4, 400 kbit/s, 400 ms`
  return [
    ratioRow(`Launch without signal to ${phone}`, without, formatMs, { atMost: 2 }),
    ratioRow(`Launch with signal to ${phone}`, withSignal, formatMs, { atMost: 2.5 }),
    limitRow('Launch with signal, nothing new: bytes on the wire', median(bytes), 100_000, formatKb),
  ]
}

/** What one launch had sent; the page is closed by then, so little is under way. */
async function takeBytes(proxy: CountingProxy): Promise<number> {
  await Bun.sleep(2 * phoneLine.latencyMs)
  return proxy.take().reduce((sum, response) => sum + response.bytes, 0)
}
