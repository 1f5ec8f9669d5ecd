import { renderHook, waitFor } from '@testing-library/react'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, expect, test, vi } from 'vitest'
import { openMemberStore } from '#pwa/sync/progress/store.ts'
import { useRefresh } from './use-member-data.ts'

afterEach(() => vi.restoreAllMocks())

test('a refresh that a logout cuts off, by closing the store, is reported as no fault; any other is', async () => {
  const report = vi.spyOn(globalThis, 'reportError').mockImplementation(() => {})
  const store = openMemberStore('danny', { indexedDB: new IDBFactory(), IDBKeyRange })
  await store.dexie.open()
  store.dexie.close()
  const load = async () => void (await store.snapshots.get('user'))
  const cutOff = renderHook(() => useRefresh(load))
  await waitFor(() => expect(cutOff.result.current.problem).not.toBeNull())
  expect(report).not.toHaveBeenCalled()
  const fail = async () => {
    throw new Error('broken')
  }
  const broken = renderHook(() => useRefresh(fail))
  await waitFor(() => expect(broken.result.current.problem).not.toBeNull())
  expect(report).toHaveBeenCalled()
})
