import { connect, createServer, type Server } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, phone, test, underServiceWorker, withServiceWorker } from './fixtures.ts'
import { openList, rowOf, syncLine } from './members-steps.ts'
import { startOwnServer } from './own-server.ts'
import { joinOverHttp, logInOverHttp, newPerson } from './people.ts'

test.use({ ...phone, ...withServiceWorker })

async function openLine() {
  let target = 0
  let bytes = 0
  const server: Server = createServer((socket) => {
    const beyond = connect(target, '127.0.0.1')
    beyond.on('data', (part) => {
      bytes += part.length
    })
    // The browser and the server may close connections as they like.
    socket.on('error', () => beyond.destroy())
    beyond.on('error', () => socket.destroy())
    socket.pipe(beyond).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const address = server.address()
  return {
    url: `http://localhost:${typeof address === 'object' ? address?.port : 0}`,
    leadTo: (port: number) => {
      target = port
    },
    /** The bytes since the last call. */
    take: () => {
      const taken = bytes
      bytes = 0
      return taken
    },
    count: () => bytes,
    close: () => server.close(),
  }
}
type Line = Awaited<ReturnType<typeof openLine>>

async function expectQuiet(line: Line): Promise<void> {
  let before = -1
  const hasStopped = () => {
    const isSame = before === line.count()
    before = line.count()
    return isSame
  }
  await expect.poll(hasStopped, { intervals: [1_000] }).toBe(true)
}

/** The third opening with nothing new: the first ones after the install still download the app itself. */
async function launchUnchanged(page: Page, line: Line): Promise<number> {
  await openList(page)
  await underServiceWorker(page)
  await launch(page, line)
  await launch(page, line)
  return launch(page, line)
}

/** Reopens the app, which shows its list and learns that it's up to date. */
async function launch(page: Page, line: Line): Promise<number> {
  await page.goto('about:blank')
  await expectQuiet(line)
  line.take()
  await openList(page)
  await expect(syncLine(page)).toContainText('Your ticks are saved')
  await expectQuiet(line)
  return line.take()
}

// A daily test covers the size of the server's responses. This one adds what a browser requests, and needs half a minute of quiet.
test(
  'PROG-02 CALLS-41 a launch costs a phone 1 kB on the wire where nothing is new, and at most 100 kB where something is',
  { tag: '@full' },
  async ({ browser }, { annotations }) => {
    const line = await openLine()
    const server = await startOwnServer({ PUBLIC_URL: line.url })
    line.leadTo(Number(server.env.PORT))
    try {
      const context = await browser.newContext({ ...phone, serviceWorkers: 'allow', baseURL: line.url })
      await logInOverHttp(context.request, 'standard@alliance.test')
      const page = await context.newPage()
      // A question of theirs waits for its answer.
      const waiting = await launchUnchanged(page, line)
      expect(waiting).toBeLessThanOrEqual(1_000)

      const title = 'Saying no and keeping the customer'
      const videos = await (await context.request.get('/api/member-videos')).json()
      const { id } = videos.find((video: { title: string }) => video.title === title)
      expect((await context.request.post(`/api/video-progress/${id}/complete`)).status()).toBe(200)
      const owner = await browser.newContext({ baseURL: line.url })
      await logInOverHttp(owner.request, 'owner@alliance.test')
      const all: { id: string; version: number }[] = await (await owner.request.get('/api/admin/videos')).json()
      const version = all.find((video) => video.id === id)?.version
      const data = { title: 'Saying no, kindly', version }
      const change = await owner.request.patch(`/api/admin/videos/${id}`, { data })
      expect(change.status()).toBe(200)
      const changed = await launch(page, line)
      await expect(rowOf(page, 'Saying no, kindly')).toContainText('Completed')
      expect(changed).toBeGreaterThan(1_000)
      expect(changed).toBeLessThanOrEqual(100_000)
      await context.close()
      await owner.close()

      const other = await browser.newContext({ ...phone, serviceWorkers: 'allow', baseURL: line.url })
      await joinOverHttp(other.request, newPerson('Nell', 'Noggin'))
      const unchanged = await launchUnchanged(await other.newPage(), line)
      annotations.push({
        type: 'bytes',
        description: `${unchanged} and ${waiting} with nothing new, ${changed} with a change`,
      })
      expect(unchanged).toBeGreaterThan(0)
      expect(unchanged).toBeLessThanOrEqual(1_000)
      await other.close()
    } finally {
      await server.stop()
      line.close()
    }
  },
)
