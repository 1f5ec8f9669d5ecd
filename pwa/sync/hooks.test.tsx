import { act, render, screen, waitFor } from '@testing-library/react'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { saveVideos } from '#pwa/sync/progress/snapshots.ts'
import { readStored, type Stored } from '#pwa/sync/progress/status.ts'
import { ProgressChange, SyncRequest } from '#shared/contract/progress.ts'
import { createLive, SyncContext, useEngine, useLiveSyncState } from './hooks.ts'
import { createPhone, type Phone, type Tab } from './testing/phone.ts'

const now = new Date('2026-06-12T07:40:00.000Z')
const video = (id: string, orderIndex: number) => ({
  id,
  slug: id,
  orderIndex,
  title: `Video ${id}`,
  description: null,
  videoType: 'youtube' as const,
  videoId: 'x',
  embedUrl: null,
  category: 'Money',
  isPublished: true,
  tierAccess: ['lite' as const],
  duration: 8,
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
})

/** Accepts every tick; the real server's rules have their own tests. */
async function handle(request: Request) {
  const { changes } = v.parse(SyncRequest, await request.json())
  const items = changes.map((change) => ({ ...v.parse(ProgressChange, change), completedAt: null, deviceId: 'a' }))
  return Response.json({ serverTime: now.toISOString(), items, rejected: [] })
}

let phone: Phone
let tab: Tab

beforeEach(async () => {
  phone = createPhone({ ctx: { now: () => now }, handle, forward: () => {} })
  tab = await phone.openTab('danny')
  await saveVideos(tab.store, [video('b', 0), video('a', 1)], 1)
})

afterEach(() => tab.close())

const all = createLive(readStored)

function List() {
  const stored = all.use()
  return stored ? <Videos {...stored} /> : <p>Loading</p>
}

function Videos({ progress, sync, videos }: Stored) {
  const engine = useEngine()
  const state = useLiveSyncState(sync)
  return (
    <>
      <p role="status">
        {state.isOnline ? 'online' : 'offline'} {state.pending} pending {state.refused.length} refused{' '}
        {state.lastSyncedAt}
      </p>
      {videos.slice(0, 2).map(({ id, title }) => (
        <button key={id} type="button" onClick={() => void engine.toggle(id, !progress.get(id)?.completed)}>
          {title} {progress.get(id)?.completed ? 'done' : 'open'} {progress.get(id)?.tick.kind ?? 'untouched'}
        </button>
      ))}
    </>
  )
}

test('PROG-01 PROG-02 a tick shows at once, is pending, and is sent; the screen follows every step', async () => {
  phone.isOnline = false
  render(
    <SyncContext value={tab.engine}>
      <List />
    </SyncContext>,
  )
  const [first] = await screen.findAllByRole('button')
  expect(screen.getByRole('status').textContent).toContain('0 pending')
  act(() => first?.click())
  await waitFor(() => expect(first?.textContent).toContain('done pending'))
  await waitFor(() => expect(screen.getByRole('status').textContent).toContain('1 pending'))
  await act(async () => void (await tab.engine.syncNow()))
  await waitFor(() => expect(first?.textContent).toContain('done sent'))
  expect(phone.completions).toEqual(['Video b'])
  await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/online 0 pending 0 refused 2026/))
})

test('a screen that was read for before it is there comes whole at once, and follows what is ticked then', async () => {
  await all.begin(tab.store)
  await tab.tick('b', true)
  render(
    <SyncContext value={tab.engine}>
      <List />
    </SyncContext>,
  )
  expect(screen.getAllByRole('button')).toHaveLength(2)
  await waitFor(() => expect(screen.getAllByRole('button')[0]?.textContent).toContain('done'))
})

test('the screen follows what another tab does', async () => {
  const other = await phone.openTab(tab.store.memberId)
  render(
    <SyncContext value={tab.engine}>
      <List />
    </SyncContext>,
  )
  const [first] = await screen.findAllByRole('button')
  phone.isOnline = false
  await other.tick('b', true)
  await waitFor(() => expect(first?.textContent).toContain('done pending'))
  other.close()
})
