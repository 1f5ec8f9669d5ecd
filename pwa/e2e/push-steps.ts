import { type BrowserContext, type CDPSession, expect, type Page } from '@playwright/test'
import * as v from 'valibot'
import { PushPayload } from '#shared/contract/notices.ts'

/**
 * No push service can be reached from here. The stand-in registers at the sandbox's, with real keys, and keeps its subscription
 * where a logout doesn't reach, as a browser does.
 */
export async function standInForPush(context: BrowserContext): Promise<void> {
  await context.grantPermissions(['notifications'])
  await context.addInitScript(() => {
    const place = '/stand-in-for-push'
    const open = () => caches.open('stand-in-for-push')
    const wrap = (stored: { endpoint: string; keys: object }) => ({
      ...stored,
      options: { applicationServerKey: null },
      toJSON: () => stored,
      unsubscribe: async () => (await open()).delete(place),
    })
    const getSubscription = async () => {
      const found = await (await open()).match(place)
      return found ? wrap(await found.json()) : null
    }
    const subscribe = async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
      const known = await getSubscription()
      if (known) return known
      const key = btoa(String.fromCharCode(...applicationServerKey))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replace(/=+$/, '')
      const response = await fetch('/sandbox/push', { method: 'POST', body: JSON.stringify({ key }) })
      const stored = await response.json()
      await (await open()).put(place, Response.json(stored))
      return wrap(stored)
    }
    if ('PushManager' in window) Object.assign(PushManager.prototype, { getSubscription, subscribe })
    if ('Notification' in window) Object.assign(Notification, { requestPermission: async () => 'granted' })
  })
}

const Messages = v.array(v.object({ phone: v.string(), payload: PushPayload }))

/** What this browser's push service was given for it. */
export async function pushedTo(page: Page) {
  const endpoint = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return (await registration.pushManager.getSubscription())?.endpoint ?? null
  })
  if (endpoint === null) return []
  const response = await page.request.get(new URL(endpoint).pathname)
  return v.parse(Messages, await response.json()).map(({ payload }) => payload)
}

/** Hands messages to the real worker, by the browser's own protocol. */
export async function openDelivery(page: Page) {
  const session: CDPSession = await page.context().newCDPSession(page)
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [own] = registrations.filter(({ isDeleted }) => !isDeleted)
      if (own) resolve(own.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await found
  const { origin } = new URL(page.url())
  return (payload: unknown) =>
    session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(payload) })
}

export const shownNotices = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return (await registration.getNotifications()).map(({ title }) => title)
  })

/** As the person does it on their screen, which no protocol can. */
export async function pressNotice(page: Page, title: string): Promise<void> {
  const [worker] = page.context().serviceWorkers()
  expect(worker).toBeDefined()
  await worker?.evaluate(`(async () => {
    const notification = (await registration.getNotifications()).find((one) => one.title === ${JSON.stringify(title)})
    dispatchEvent(new NotificationEvent('notificationclick', { notification }))
  })()`)
}
