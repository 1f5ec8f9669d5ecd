import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Copier } from '#api/testing/litestream.ts'
import { startStore, type TestStore } from '#api/testing/s3-store.ts'
import { MemberVideoList } from '#shared/contract/video.ts'
import { logIn, type Machine, machineIn, readDatabase, runAlliance, startCopying, startSite } from './machines.ts'

/** How the store is when the machine dies. */
export const storeStates = ['well', 'slow', 'refusing', 'away'] as const
export type StoreState = (typeof storeStates)[number]

/** What is killed first and comes back. At the end of each round both die. */
export const victims = ['server', 'Litestream', 'both'] as const

/** `lostMs`: how old, at the kill, the newest write was that the next machine has. `ageErrorMs`: by how much the age told was wrong. */
export type Round = {
  store: StoreState
  victim: (typeof victims)[number]
  written: number
  lost: number
  lostMs: number
  ageErrorMs: number
  takeoverMs: number
  answerMs: number
  faults: string[]
}

/** A tick that was confirmed, and when. */
type Written = { id: string; at: number }

/** `mostLostMs`: what's older than that at the kill has to be on the next machine. */
const bounds = { mostLostMs: 2_000, mostAgeErrorMs: 2_000, mostAnswerMs: 10_000 }

/** Beside other work a start takes longer. */
const slowness = () => Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())

/**
 * A site and Litestream on one machine, killed at a random moment while a member ticks; then its copy restored to a moment and to now,
 * another machine that takes over, and the old one that comes back.
 */
export async function runRound(at: number): Promise<Round> {
  const [state, victim] = [storeStates[at % 4] ?? 'well', victims[at % 3] ?? 'both']
  const folder = mkdtempSync(join(tmpdir(), 'alliance-round-'))
  const store = await startStore()
  const running = new Set<{ kill(): Promise<unknown> }>()
  try {
    return await playRound({ state, victim, folder, store, running })
  } finally {
    store.delayMs = 0
    for (const program of running) await program.kill()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Play = {
  state: StoreState
  victim: Round['victim']
  folder: string
  store: TestStore
  running: Set<{ kill(): Promise<unknown> }>
}

async function playRound({ state, victim, folder, store, running }: Play): Promise<Round> {
  const faults: string[] = []
  const [first, second, third] = ['site-1', 'site-2', 'site-3'].map((name) => machineIn(folder, name, store))
  if (first === undefined || second === undefined || third === undefined) throw new Error('There are three machines.')
  second.env.PUBLIC_URL = third.env.PUBLIC_URL = first.url
  const site = await programs(first, running)
  const member = await openMember(first)

  await Bun.sleep(1_500)
  await site.killAndStart(victim)
  await Bun.sleep(1_500)
  // A moment with nothing written around it: the store tells times by the second.
  await member.pause()
  await Bun.sleep(2_500)
  const moment = new Date().toISOString()
  const byMoment = member.written.length
  await Bun.sleep(1_500)
  member.goOn()
  await Bun.sleep(1_500 + Math.random() * 1_500)

  spoil(store, state)
  const spoiledAt = Date.now()
  if (state !== 'well') await Bun.sleep(3_000 + Math.random() * 2_000)
  const told = [await ageOf(first), state === 'well' || state === 'slow' ? await doctorOf(first) : null]
  await Bun.sleep(Math.random() * 700)
  const killedAt = Date.now()
  await Promise.all([member.pause(), site.kill('both')])
  mend(store, state)

  const from = performance.now()
  const takeover = await runAlliance(second, 'takeover --yes')
  const takeoverMs = performance.now() - from
  if (takeover.code !== 0) faults.push(`takeover: ${takeover.err}`)
  const restored = idsIn(second)
  const next = await startSite(second)
  running.add({ kill: async () => next.kill('SIGKILL') })
  const ready = await fetch(`${second.url}/ready`)
  const answerMs = performance.now() - from
  if (ready.status !== 200) faults.push(`the new machine answers ${ready.status}`)
  faults.push(...tornIn(second), ...gapsIn(member.written, restored))

  const safe = member.written.filter(({ at }) => at < (state === 'well' ? killedAt : spoiledAt) - bounds.mostLostMs)
  const missing = safe.filter(({ id }) => !restored.has(id)).length
  if (missing > 0) faults.push(`${missing} ticks older than 2 s aren’t there`)
  if (answerMs > bounds.mostAnswerMs * slowness())
    faults.push(`the new machine took ${Math.round(answerMs)} ms to answer`)
  const kept = member.written.filter(({ id }) => restored.has(id))
  const newest = kept.at(-1)?.at ?? 0
  const ageErrorMs = Math.max(0, ...told.map((one) => (one === null ? 0 : errorOf(one, kept))))
  if (ageErrorMs > bounds.mostAgeErrorMs) faults.push(`the age told was ${Math.round(ageErrorMs)} ms wrong`)

  faults.push(...(await restoreFaults(third, { moment, byMoment, member: member.written, kept })))
  const old = await programs(first, running)
  const answer = await fetch(`${first.url}/ready`)
  if (answer.status !== 503) faults.push(`the old machine answers ${answer.status}`)
  await old.kill('both')
  const lost = member.written.length - kept.length
  return {
    store: state,
    victim,
    written: member.written.length,
    lost,
    lostMs: killedAt - newest,
    ageErrorMs,
    takeoverMs,
    answerMs,
    faults,
  }
}

/**
 * Too young: the newest tick that's copied is older than was said. Too old: one that was already copied by then is newer. When a tick was
 * copied isn't known, so it counts as copied two seconds after it was written.
 */
function errorOf({ ageMs, askedAt, toldAt }: Told, kept: readonly Written[]): number {
  const tooYoung = askedAt - ageMs - (kept.at(-1)?.at ?? 0)
  const copiedByThen = kept.findLast(({ at }) => at < askedAt - bounds.mostLostMs)?.at ?? 0
  return Math.max(tooYoung, copiedByThen - (toldAt - ageMs))
}

function spoil(store: TestStore, state: StoreState) {
  if (state === 'slow') store.delayMs = 1_200
  if (state === 'refusing') store.busy = Number.POSITIVE_INFINITY
  if (state === 'away') void store.leave()
}

function mend(store: TestStore, state: StoreState) {
  store.delayMs = 0
  store.busy = 0
  if (state === 'away') store.comeBack()
}

async function programs(machine: Machine, running: Play['running']) {
  let copier: Copier | null = await startCopying(machine)
  let server: Bun.Subprocess | null = await startSite(machine)
  const kill = async (what: Round['victim']) => {
    if (what !== 'Litestream') server?.kill('SIGKILL')
    if (what !== 'server') await copier?.stop('SIGKILL')
    if (what !== 'Litestream') await server?.exited
  }
  const program = {
    kill: (what: Round['victim'] = 'both') => kill(what),
    async killAndStart(what: Round['victim']) {
      await kill(what)
      if (what !== 'server') copier = await startCopying(machine)
      if (what !== 'Litestream') server = await startSite(machine)
    },
  }
  running.add(program)
  return program
}

/** A member who ticks one video after another, each when the one before is confirmed, until told to pause. */
async function openMember(machine: Machine) {
  const cookie = await logIn(machine)
  const videos = v.parse(
    MemberVideoList,
    await (await fetch(`${machine.url}/api/member-videos`, { headers: { cookie } })).json(),
  )
  const written: Written[] = []
  let counter = 0
  const tick = async () => {
    const [id, at] = [Bun.randomUUIDv7(), new Date().toISOString()]
    const videoId = videos[counter % videos.length]?.id ?? ''
    counter += 1
    const changes = [{ id, videoId, completed: counter % 3 !== 0, at, counter }]
    const body = JSON.stringify({ deviceId: 'phone', changes })
    const headers = { cookie, 'content-type': 'application/json' }
    const response = await fetch(`${machine.url}/api/video-progress/sync`, { method: 'POST', headers, body })
    if (response.status !== 200) throw new Error(`A tick was answered with ${response.status}.`)
    await response.arrayBuffer()
    written.push({ id, at: Date.now() })
  }
  const loop = { isOn: true, ticking: Promise.resolve() }
  const goOn = () => {
    loop.isOn = true
    loop.ticking = (async () => {
      while (loop.isOn) {
        // While the server is down none is confirmed.
        await tick().catch(() => {})
        await Bun.sleep(20)
      }
    })()
  }
  goOn()
  const pause = () => {
    loop.isOn = false
    return loop.ticking
  }
  return { written, goOn, pause }
}

/** How old the copy was said to be, at some moment between the two: a doctor whose store is slow takes seconds. */
type Told = { ageMs: number; askedAt: number; toldAt: number }

async function ageOf({ url, env }: Machine): Promise<Told | null> {
  const askedAt = Date.now()
  const headers = { authorization: `Bearer ${env.METRICS_TOKEN}` }
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  return told(/^alliance_copy_age_seconds (\S+)$/m.exec(text)?.[1], askedAt)
}

async function doctorOf(machine: Machine): Promise<Told | null> {
  const askedAt = Date.now()
  const { out } = await runAlliance(machine, 'doctor --json')
  return told(/The last one is from [^"]*?, (\d+) seconds? ago/.exec(out)?.[1], askedAt)
}

const told = (seconds: string | undefined, askedAt: number): Told | null =>
  seconds === undefined ? null : { ageMs: Number(seconds) * 1000, askedAt, toldAt: Date.now() }

const idsIn = ({ database }: Machine) =>
  new Set(
    readDatabase<{ changeId: string }>(database, 'select changeId from applied_changes').map((row) => row.changeId),
  )

function tornIn({ database }: Machine): string[] {
  const pages = readDatabase<{ integrity_check: string }>(database, 'pragma integrity_check(5)')
  const astray = readDatabase(database, 'pragma foreign_key_check').length
  const wrong = pages.map((row) => row.integrity_check).filter((line) => line !== 'ok')
  return [...wrong, ...(astray === 0 ? [] : [`${astray} rows point at rows that are gone`])]
}

/** One member's ticks follow each other: if one is there, so are all before it. */
function gapsIn(written: readonly Written[], restored: ReadonlySet<string>): string[] {
  const last = written.findLastIndex(({ id }) => restored.has(id))
  const gaps = written.slice(0, last + 1).filter(({ id }) => !restored.has(id)).length
  return gaps === 0 ? [] : [`${gaps} ticks are missing before one that’s there`]
}

type Restoring = { moment: string; byMoment: number; member: readonly Written[]; kept: readonly Written[] }

/**
 * To the moment: exactly what was written before it. To now: all that the machine that took over has, and what a slow store was
 * still taking in.
 */
async function restoreFaults(machine: Machine, { moment, byMoment, member, kept }: Restoring): Promise<string[]> {
  const faults: string[] = []
  const restored = async (at: string) => {
    const { code, err } = await runAlliance(machine, `restore --at ${at} --from site-1 --yes`)
    if (code !== 0) faults.push(`restore to ${at}: ${err}`)
    return code === 0 ? idsIn(machine) : null
  }
  const then = await restored(moment)
  const before = new Set(member.slice(0, byMoment))
  const differing = then ? member.filter((one) => then.has(one.id) !== before.has(one)).length : 0
  if (differing > 0) faults.push(`restored to ${moment}, ${differing} ticks differ`)
  const now = await restored('latest')
  const missing = now ? kept.filter(({ id }) => !now.has(id)).length : 0
  if (missing > 0) faults.push(`restored to now, ${missing} ticks are missing`)
  return [...faults, ...(now ? gapsIn(member, now) : [])]
}

export const roundLine = ({ store, victim, lost, lostMs, ageErrorMs, takeoverMs, answerMs }: Round) =>
  `store ${store}, first ${victim}: ${lost} ticks lost, ${Math.round(lostMs)} ms; age ${Math.round(ageErrorMs)} ms off; takeover ${Math.round(takeoverMs)} ms, answer ${Math.round(answerMs)} ms`
