import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { cachedRead, writeUnrelated } from './cached-read.ts'
import { databaseFile } from './data-dir.ts'
import { type Sqlite, transact } from './open.ts'
import { users } from './schema/people.ts'

let folder = ''
let world: World
let other: Sqlite
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alliance-cached-'))
  world = startWorld({ file: databaseFile(folder) })
  other = new Database(databaseFile(folder))
})
afterEach(() => {
  other.close()
  world.ctx.sqlite.close()
  rmSync(folder, { recursive: true })
})

const note = (key: string) =>
  world.ctx.sqlite
    .prepare(`insert into settings (key, value, updatedAt) values (?, '1', '2026-01-01T00:00:00.000Z')`)
    .run(key)

test('a cached read is repeated after any write, ours or another program’s, and keeps nothing of a transaction', async () => {
  let reads = 0
  const firstNameOf = cachedRead(({ db }, id) => {
    reads += 1
    return db.select({ name: users.firstName }).from(users).where(eq(users.id, id)).get()?.name
  })
  const { ctx } = world
  const { id } = world.addUser({ firstName: 'Ann' })
  const rename = (name: string) => ctx.db.update(users).set({ firstName: name }).where(eq(users.id, id)).run()
  const read = () => firstNameOf(ctx, id)
  expect([read(), read(), reads]).toEqual(['Ann', 'Ann', 1])
  rename('Bea')
  expect([read(), read(), reads]).toEqual(['Bea', 'Bea', 2])
  other.prepare('update users set firstName = ?').run('Cat')
  // Other connections' writes show from the next turn of the event loop.
  await new Promise(setImmediate)
  expect([read(), read(), reads]).toEqual(['Cat', 'Cat', 3])
  const takenBack = () => {
    rename('Dot')
    expect(read()).toBe('Dot')
    throw new Error('no')
  }
  expect(() => transact(ctx, takenBack)).toThrow('no')
  expect(read()).toBe('Cat')
})

test('of more values than are kept the oldest goes, and the others stay', () => {
  const reads: string[] = []
  const readBack = cachedRead(
    (_, key) => {
      reads.push(key)
      return key
    },
    { most: 3 },
  )
  for (const key of ['a', 'b', 'c', 'a', 'd', 'c', 'd', 'b', 'a']) expect(readBack(world.ctx, key)).toBe(key)
  expect(reads.join('')).toBe('abcda')
})

test('what is kept until any write is read anew after such a write, too', () => {
  const { ctx } = world
  let reads = 0
  const countOf = cachedRead(
    () => {
      reads += 1
      return ctx.sqlite.prepare('select count(*) from settings').pluck().get()
    },
    { untilAnyWrite: true },
  )
  const before = Number(countOf(ctx, 'settings'))
  writeUnrelated(ctx, () => note('one'))
  expect([countOf(ctx, 'settings'), countOf(ctx, 'settings'), reads]).toEqual([before + 1, before + 1, 2])
})

test('a write that no cached read depends on leaves what is known, and hides no other', () => {
  const { ctx } = world
  const { id } = world.addUser({ firstName: 'Ann' })
  let reads = 0
  const firstName = cachedRead(() => {
    reads += 1
    return ctx.sqlite.prepare('select firstName from users where id = ?').pluck().get(id)
  })
  expect([firstName(ctx, id), reads]).toEqual(['Ann', 1])
  writeUnrelated(ctx, () => note('one'))
  expect(() =>
    writeUnrelated(ctx, () => {
      note('two')
      throw new Error('after it wrote')
    }),
  ).toThrow('after it wrote')
  expect([firstName(ctx, id), reads]).toEqual(['Ann', 1])
  ctx.sqlite.prepare('update users set firstName = ?').run('Bea')
  writeUnrelated(ctx, () => note('three'))
  expect([firstName(ctx, id), reads]).toEqual(['Bea', 2])
})

test('whom another program removes or logs out is refused at their next request, and so is an old login', async () => {
  const member = world.addMember()
  const call = world.signIn(member)
  const statusOf = async () => (await call('/api/video-progress')).status
  expect([await statusOf(), await statusOf()]).toEqual([200, 200])
  other.prepare(`update users set accessOverride = 'revoked' where id = ?`).run(member.id)
  expect(await statusOf()).toBe(403)
  other.prepare('update users set accessOverride = null where id = ?').run(member.id)
  expect(await statusOf()).toBe(200)
  other.prepare('delete from sessions').run()
  expect(await statusOf()).toBe(401)
  const again = world.signIn(world.addMember())
  expect((await again('/api/auth/user')).status).toBe(200)
  world.forward(31 * 86_400_000)
  expect((await again('/api/video-progress')).status).toBe(401)
})
