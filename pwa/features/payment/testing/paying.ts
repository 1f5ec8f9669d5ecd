import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { type } from '#pwa/testing/input.ts'

type PayingSite = { readonly world: PaymentWorld; readonly browser: Browser }

export function payingSite(): PayingSite {
  let made: PayingSite | null = null
  const now = () => {
    if (made === null) throw new Error('There is a site only while a test runs.')
    return made
  }
  beforeEach(async () => {
    const world = await startPaymentWorld()
    made = { world, browser: payingBrowser(world) }
  })
  afterEach(async () => {
    const { world, browser } = now()
    await browser.close()
    await world.stop()
  })
  return {
    get world() {
      return now().world
    },
    get browser() {
      return now().browser
    },
  }
}

function payingBrowser(world: PaymentWorld): Browser {
  const browser = createBrowser(world)
  storeSessions(browser)
  const site = globalThis.fetch
  const proxy = '/sandbox/stripe'
  // Requests the server would pass on to the sandbox go there directly; the rest go to the site.
  globalThis.fetch = Object.assign(
    (asked: string | URL | Request, init?: RequestInit) => {
      const path = String(asked)
      return site(path.startsWith(proxy) ? `${world.sandbox.url}${path.slice(proxy.length)}` : asked, init)
    },
    { preconnect: () => {} },
  )
  return browser
}

function storeSessions(browser: Browser) {
  const { network } = browser
  const usual = network.fetch
  network.fetch = async (path, init) => {
    const response = await usual(path, init)
    const session = response.headers.getSetCookie().find((cookie) => cookie.includes('session='))
    if (session !== undefined) browser.cookie = session.split(';')[0] ?? null
    return response
  }
}

export function nextTo({ network }: Browser, address: string, fate: Parameters<Browser['network']['next']>[0]) {
  const usual = network.fetch
  network.fetch = async (path, init) => {
    if (path !== address) return usual(path, init)
    network.fetch = usual
    network.next(fate)
    return usual(path, init)
  }
}

export function fillCard(number: string) {
  type('Card number', number)
  type('Expiry date', '12 / 40')
  type('Security code', '123')
}

export function fillAddress() {
  type('Address', '1 High Street')
  type('Town', 'Leeds')
  type('Postcode', 'LS1 1AA')
}

/** Fills in the billing address and gives consent, which each form words differently. */
export function fillPayer(consent = /^Take £\d/) {
  fillAddress()
  fireEvent.click(screen.getByLabelText(consent))
}
