import type { Visitor } from '../engines/visitor.ts'
import { logIn, openList, type Site, test } from './fixtures.ts'
import { kept, ticked } from './ticks.ts'

const titles = [
  'The year on one page',
  'Saying no and keeping the customer',
  'Chasing a late invoice',
  'Where the business is now',
]
const email = 'standard@alliance.test'

const waiting = (count: number) =>
  `No signal. ${count} waiting on this phone. We’ll send ${count === 1 ? 'it' : 'them'}`

type Gone = { what: string; lose: (site: Site) => Promise<void>; isKnown: boolean }

const gone: Gone[] = [
  { what: 'server', lose: (site) => site.loseServer(), isKnown: false },
  { what: 'signal', lose: (site) => site.loseSignal(), isKnown: true },
]

for (const { what, lose, isKnown } of gone)
  test(`PROG-01 PROG-02 MEMB-14 with the ${what} gone, ticks wait through a closed browser, and are sent once`, {
    // Where the machine's signal can't be taken away, Chromium doesn't hear of it.
    tag: isKnown ? [] : '@old',
  }, async ({ open, site }) => {
    const phone = await open()
    await logIn(phone, email)
    await openList(phone)
    await lose(site)
    for (const [at, title] of titles.slice(0, 3).entries()) {
      await tick(phone, title)
      await phone.sees('status', waiting(at + 1))
    }
    await expectLine(phone, isKnown)
    await phone.close()
    await phone.open()
    await phone.goto('/members')
    await phone.sees('heading', 'Strategy')
    await phone.sees('status', waiting(3))
    for (const title of titles.slice(0, 3)) await phone.sees('button', 'Mark Incomplete', { near: title })
    await tick(phone, titles[3] ?? '')
    await phone.sees('status', waiting(4))
    await expectLine(phone, isKnown)
    await ticked(site, [])
    await site.restore()
    // Nobody tells it of a server that's back.
    if (!isKnown) await phone.pressUnless({ kind: 'status', name: /^Your ticks are saved/ }, 'button', 'Send now')
    await phone.sees('status', /^Your ticks are saved · \d\d:\d\d/)
    await ticked(site, titles)
    await kept(site, email, titles)
  })

async function tick(phone: Visitor, title: string) {
  await phone.press('button', 'Mark Complete', { near: title })
  await phone.sees('button', 'Mark Incomplete', { near: title })
}

/** Where the phone knows that there's no network, no press helps. */
async function expectLine(phone: Visitor, isKnown: boolean) {
  if (isKnown) await phone.notSees('button', 'Send now')
  else await phone.sees('button', 'Send now')
}
