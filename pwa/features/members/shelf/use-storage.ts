import { useCallback, useEffect, useState } from 'react'
import { requestPersistentStorage } from '#pwa/sync/browser-platform.ts'

/** Bytes this browser stores for the site; null if it doesn't say. */
export type Room = { usage: number | null; quota: number | null; isPersistent: boolean | null }

async function readRoom(): Promise<Room> {
  const { storage } = navigator
  const estimate = await storage?.estimate?.().catch(() => null)
  const isPersistent = (await storage?.persisted?.().catch(() => null)) ?? null
  return { usage: estimate?.usage ?? null, quota: estimate?.quota ?? null, isPersistent }
}

/** `room` is undefined until the browser has responded; `answer` is its response to the request for persistent storage. */
export function useStorage() {
  const [room, setRoom] = useState<Room>()
  const [answer, setAnswer] = useState<'yes' | 'no'>()
  const read = useCallback(() => readRoom().then(setRoom, reportError), [])
  useEffect(() => void read(), [read])
  const protect = async () => {
    setAnswer((await requestPersistentStorage().catch(() => false)) ? 'yes' : 'no')
    await read()
  }
  return { room, answer, protect }
}
