// @module-tag full
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '#api/context.ts'
import { askAndDie, copyFolder, startAgainOn } from '#api/testing/killed-servers.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { addReceivers } from '#api/testing/receivers.ts'
import { type Call, toRequest } from '#api/testing/world.ts'

// More than one batch.
const receivers = 210

let root = ''
let world: PaymentWorld
let owner: Call & { cookie: string }
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'alliance-told-'))
  world = await startPaymentWorld()
  owner = world.signIn(world.addOwner())
  addReceivers(world.ctx, receivers)
})
afterAll(async () => {
  await world.stop()
  rmSync(root, { recursive: true, force: true })
})

const video = { title: 'Quoting from a van', videoType: 'wistia', videoId: 'abc123', category: 'Strategy' }
const job = '/api/admin/jobs/new-videos/run'

const toldIn = (ctx: Context) =>
  ctx.sqlite.prepare<[], number>(`select count(*) from notices where kind = 'video' group by userId`).pluck().all()

test('a server killed while it tells of a video tells the rest once it’s started again, and nobody twice', async () => {
  const headers = { cookie: owner.cookie }
  const publishedIn = async (name: string) => {
    const dataDir = copyFolder(world, join(root, name))
    const { call, stop } = startAgainOn(world, dataDir)
    expect((await call('/api/admin/videos', { body: video, headers })).status).toBe(200)
    stop()
    return dataDir
  }
  const runOn = (url: string) => toRequest(job, { body: {}, headers }, url)
  const whole = await askAndDie(world, await publishedIn('whole'), runOn, { at: 0 })
  const left: number[] = []
  // A step is a statement of SQLite's.
  for (const part of [0.1, 0.5, 0.9, 0.97, 1]) {
    const dataDir = await publishedIn(String(part))
    const at = Math.floor((whole?.steps ?? 0) * part)
    expect(await askAndDie(world, dataDir, runOn, { at })).toBeNull()
    const { ctx, call, stop } = startAgainOn(world, dataDir)
    left.push(receivers - toldIn(ctx).length)
    for (const _twice of [1, 2]) expect((await call(job, { body: {}, headers })).status).toBe(200)
    expect(toldIn(ctx)).toEqual(Array.from({ length: receivers }, () => 1))
    expect(ctx.sqlite.prepare('select count(*) from video_tellings where toldAt is null').pluck().get()).toBe(0)
    stop()
  }
  // At least one died between two of its transactions.
  expect(left.some((waiting) => waiting > 0 && waiting < receivers)).toBe(true)
})
