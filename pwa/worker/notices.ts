/// <reference lib="webworker" />

import * as v from 'valibot'
import { openNoticeMessage } from '#pwa/lib/notice-messages.ts'
import { createBrowserPlatform } from '#pwa/sync/browser-platform.ts'
import { findMember, isViewing, openDeviceStore } from '#pwa/sync/session/device-store.ts'
import { PushPayload } from '#shared/contract/notices.ts'
import { isQuiet } from '#shared/rules/quiet-hours.ts'

declare const self: ServiceWorkerGlobalScope

/** Where a notice leads, and which it is. What Safari shows by itself has none of it. */
const Shown = v.object({ id: v.string(), navigate: v.string() })

/** Each push shows something: a browser ends the subscription of a site whose pushes don't. */
export async function showPush(data: PushMessageData | null): Promise<void> {
  const payload = readPayload(data)
  const isTheirs = payload !== null && (await isForMember(payload.notification.data?.for).catch(() => null))
  if (payload === null || isTheirs === null) return showUnknown()
  if (!isTheirs) {
    await showUnknown()
    return endSubscription()
  }
  const { title, body, tag, navigate, app_badge: badge, data: about } = payload.notification
  const id = about?.id ?? ''
  await self.registration.showNotification(title, {
    ...(body === undefined ? {} : { body }),
    ...(tag === undefined ? {} : { tag }),
    ...look,
    // A push service may have kept it for a phone that was off.
    silent: isQuiet(new Date()),
    data: { id, navigate },
  })
  await Promise.allSettled([setBadge(badge), post('receipts', { id })])
}

const look = { icon: '/icons/icon-192.png', badge: '/icons/monochrome-512.png' }

function readPayload(data: PushMessageData | null): PushPayload | null {
  try {
    const read = v.safeParse(PushPayload, data?.json())
    return read.success ? read.output : null
  } catch {
    return null
  }
}

/** Whether the member whose phone this is by now is the one it was sent to. Null while an owner views the site as someone else. */
async function isForMember(addressee: string | undefined): Promise<boolean | null> {
  const device = openDeviceStore(createBrowserPlatform().database)
  try {
    if (await isViewing(device)) return null
    const row = await findMember(device)
    return row !== undefined && (await digest(row.memberId)) === addressee
  } finally {
    device.dexie.close()
  }
}

/** As the server makes it: SHA-256 in base64url. */
async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/** For nobody here, or for somebody else: it says no more than that there's something. */
async function showUnknown(): Promise<void> {
  const title = `There’s news in ${(await shortName()) ?? 'your account'}`
  await self.registration.showNotification(title, { tag: 'news', ...look, data: { id: '', navigate: '/members' } })
}

const Manifest = v.object({ short_name: v.string() })

async function shortName(): Promise<string | null> {
  try {
    const response = await fetch('/manifest.webmanifest', { cache: 'force-cache', signal: AbortSignal.timeout(3_000) })
    return v.parse(Manifest, await response.json()).short_name
  } catch {
    return null
  }
}

async function endSubscription(): Promise<void> {
  const subscription = await self.registration.pushManager.getSubscription()
  if (subscription === null) return
  await Promise.allSettled([subscription.unsubscribe(), post('stray', { endpoint: subscription.endpoint })])
}

/** TypeScript knows no badge of a worker. */
type Badged = { setAppBadge?: (count: number) => Promise<void> }

async function setBadge(badge: string | undefined): Promise<void> {
  const badged: Badged = navigator
  if (badge !== undefined) await badged.setAppBadge?.(Number(badge))
}

const post = (what: 'receipts' | 'stray', body: object) =>
  fetch(`/api/notices/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'same-origin',
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
  })

/** How long an open page may take to say that it goes there itself. */
const answerMs = 700

/** Opens what a notice tells of: in a page of ours that's open, without loading it anew, or in a new one. */
export async function openPressed(notification: Notification): Promise<void> {
  notification.close()
  const shown = v.safeParse(Shown, notification.data)
  const address = new URL(shown.success ? shown.output.navigate : '/members', self.origin)
  const target = address.origin === self.origin ? address.href : `${self.origin}/members`
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const [page] = open.toSorted((one, other) => Number(other.focused) - Number(one.focused))
  if (page === undefined) {
    await self.clients.openWindow(target)
    return
  }
  const focused = await page.focus().catch(() => page)
  if (await goesItself(focused, target)) return
  // A page that isn't the members' area doesn't listen. One that the worker doesn't control can't be sent anywhere.
  await focused.navigate(target).catch(() => self.clients.openWindow(target))
}

function goesItself(page: WindowClient, target: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), answerMs)
    port1.onmessage = () => {
      clearTimeout(timer)
      resolve(true)
    }
    page.postMessage({ type: openNoticeMessage, target }, [port2])
  })
}
