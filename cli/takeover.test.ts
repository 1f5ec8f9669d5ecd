// @module-tag full
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterEach, beforeEach, expect } from 'vitest'
import { startCopier } from '#api/testing/litestream.ts'
import { testWithLitestream } from '#api/testing/litestream-test.ts'
import { startStore, type TestStore } from '#api/testing/s3-store.ts'
import { createPhone } from '#pwa/sync/testing/phone.ts'
import { SessionUser } from '#shared/contract/auth.ts'
import { MemberVideoList } from '#shared/contract/video.ts'
import { roundLine, runRound, storeStates } from './testing/copy-rounds.ts'
import {
  logIn,
  type Machine,
  machineIn,
  readDatabase,
  runAlliance,
  startCopying,
  startSite,
} from './testing/machines.ts'

let store: TestStore
let folder = ''
let first: Machine
let second: Machine
let running: Bun.Subprocess[]
beforeEach(async () => {
  store = await startStore()
  folder = mkdtempSync(join(tmpdir(), 'alliance-machines-'))
  ;[first, second] = [machineIn(folder, 'site-1', store), machineIn(folder, 'site-2', store)]
  // The address stays: it leads to the first machine until someone changes that.
  second.env.PUBLIC_URL = first.url
  running = []
})
afterEach(async () => {
  for (const program of running) {
    program.kill('SIGKILL')
    await program.exited
  }
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const start = async (machine: Machine) => {
  const program = await startSite(machine)
  running.push(program)
  return program
}

const takeOver = () => runAlliance(second, 'takeover --yes')

const pushKeysIn = ({ database }: Machine) => readDatabase(database, 'select publicKey, privateKey from push_keys')

async function ask<Schema extends v.GenericSchema>(path: string, schema: Schema, cookie: string) {
  const response = await fetch(first.url + path, { headers: { cookie } })
  return v.parse(schema, await response.json())
}

function ticksIn({ database }: Machine): { applied: number; rows: Record<string, boolean> } {
  const rows = readDatabase<{ videoId: string; completed: number }>(
    database,
    `select videoId, completed from video_progress join users on users.id = userId where email = 'standard@alliance.test'`,
  )
  const applied = readDatabase(database, 'select changeId from applied_changes').length
  return { applied, rows: Object.fromEntries(rows.map(({ videoId, completed }) => [videoId, completed === 1])) }
}

testWithLitestream(
  'PROG-01 PROG-02 killed among 1,000 ticks, a machine loses at most the last two seconds, and the phone has every tick once on the next',
  { timeout: 300_000 },
  async () => {
    await start(first)
    const copier = await startCopier(first.database, { env: first.env, checkpointPages: 300 })
    const cookie = await logIn(first)
    const { id } = await ask('/api/auth/user', SessionUser, cookie)
    const videos = await ask('/api/member-videos', MemberVideoList, cookie)
    let reached = first
    const site = {
      ctx: { now: () => new Date() },
      handle: (request: Request) => fetch(reached.url + new URL(request.url).pathname, request),
      forward: () => {},
    }
    const phone = createPhone(site)
    phone.cookie = cookie
    const tab = await phone.openTab(id)
    const before = ticksIn(first).applied
    const made = new Map<string, boolean>()
    const confirmed: number[] = []
    const killAt = 300 + Math.floor(Math.random() * 600)
    let killed = 0
    for (let count = 0; count < 1000; count++) {
      const video = videos[(count * 7) % videos.length]?.id ?? ''
      made.set(video, count % 3 !== 0)
      const ticking = tab.tick(video, count % 3 !== 0).then(() => tab.engine.settled())
      if (count === killAt) {
        killed = Date.now()
        running[0]?.kill('SIGKILL')
        await Promise.all([copier.stop('SIGKILL'), running[0]?.exited])
      }
      await ticking
      if (killed === 0) confirmed.push(Date.now())
    }
    expect(await tab.engine.syncNow()).toBe('later')
    expect(copier.heard()).toContain('checkpoint')

    expect(await takeOver()).toMatchObject({ code: 0 })
    const safe = confirmed.filter((at) => at < killed - 2_000).length
    expect(ticksIn(second).applied - before).toBeGreaterThanOrEqual(safe)
    await start(second)
    reached = second
    expect(await tab.engine.syncNow()).toBe('done')
    const expected = Object.fromEntries(made)
    expect(ticksIn(second).rows).toMatchObject(expected)
    expect(await tab.shown()).toMatchObject(expected)
    expect(await tab.state()).toMatchObject({ pending: 0, refused: [] })
    tab.close()
  },
)

testWithLitestream(
  'a machine that was only stopped answers 503 as soon as it goes on, and runs no job',
  { timeout: 120_000 },
  async () => {
    const program = await start(first)
    const copier = await startCopying(first)
    const get = async () => {
      const response = await fetch(`${first.url}/`)
      return `${response.status} ${response.status === 200 ? '' : await response.text()}`
    }
    expect(await get()).toBe('200 ')
    expect(await takeOver()).toMatchObject({ code: 1, err: expect.stringContaining('still answers') })
    program.kill('SIGSTOP')
    const stoppedAt = new Date().toISOString()
    await copier.stop()
    expect(await takeOver()).toMatchObject({ code: 0 })
    await start(second)
    // Phones are subscribed to these.
    expect(pushKeysIn(second)).toHaveLength(1)
    expect(pushKeysIn(second)).toEqual(pushKeysIn(first))
    // One that it was in the middle of is written down as it goes on.
    const lastRun = () =>
      readDatabase<{ at: string }>(first.database, 'select max(lastRunAt) as at from job_leases')[0]?.at ?? ''
    program.kill('SIGCONT')
    expect(await get()).toBe('503 This site has moved to another server. Try again in a minute.')
    expect(await get()).toBe('503 This site has moved to another server. Try again in a minute.')
    expect(lastRun() < stoppedAt).toBe(true)
    expect((await fetch(`${second.url}/ready`)).status).toBe(200)
  },
)

/** As many as the full run has time for; npm run prove has a hundred. */
const rounds = process.env.FULL ? 10 : 2

for (const at of Array(rounds).keys()) {
  const title = `killed with its store ${storeStates[at % 4]}, a machine loses no more than was told: round ${at + 1}`
  testWithLitestream(title, { timeout: 300_000 }, async () => {
    const round = await runRound(at)
    console.info(roundLine(round))
    expect(round.faults).toEqual([])
  })
}
