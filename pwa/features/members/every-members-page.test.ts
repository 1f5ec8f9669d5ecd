// @module-tag full
import '#pwa/testing/window.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openCalendar } from '#api/testing/calendar.ts'
import { payingSite } from '#pwa/features/payment/testing/paying.ts'

// Its pages have no address of another site: the browser doesn't get the sandbox's sample pages here.
const site = payingSite()

/** The pages of a member or someone joining, plus those everyone can open that depend on settings. */
const paths = [
  '/members',
  '/members?tab=billing',
  '/members?tab=profile',
  '/book-call',
  '/catch-up',
  '/membership-application',
  '/membership-success',
  '/reactivate',
  '/login',
  '/forgot-password',
  '/quotient/checkout',
  '/podcast',
  '/sales-lion',
]

const unfinished = /not (yet )?(set up|configured)|no calendar yet|\bundefined\b|\bnull\b|\bNaN\b|\[object/i

/** Empty parts. Status lines are empty until there's something to say; a closed list gets its rows once it's opened. */
const emptyParts = () =>
  [...document.querySelectorAll('main :is(section, ul, ol, dl, h1, h2, h3, h4, a, button, p)')]
    .filter(
      (part) =>
        part.closest('details:not([open])') === null &&
        part.textContent?.trim() === '' &&
        part.querySelector('img, svg, input, audio, video') === null,
    )
    .filter(
      (part) => !part.hasAttribute('aria-label') && !part.matches('[role=status], [role=alert], [aria-live], [hidden]'),
    )
    .map((part) => part.outerHTML)

const deadLinks = () =>
  [...document.querySelectorAll('a')].map((link) => link.getAttribute('href')).filter((href) => !href || href === '#')

test.each(['nothing set', 'our own calendar alone'])(
  'with %s, no page of a member announces or shows a gap',
  async (state) => {
    if (state !== 'nothing set') openCalendar(site.world)
    const [video] = site.world.addVideos()
    site.browser.signIn(site.world.addMember({ tier: 'xl' }))
    for (const path of [...paths, `/members/videos/${video?.slug}`]) {
      await site.browser.open(path)
      await screen.findByRole('heading', { level: 1 })
      await waitFor(() => expect(document.querySelector('[aria-busy=true], .skeleton')).toBeNull())
      const main = document.body.textContent ?? ''
      expect([path, unfinished.exec(main)?.[0]]).toEqual([path, undefined])
      expect([path, emptyParts(), deadLinks()]).toEqual([path, [], []])
      expect([path, document.querySelectorAll('main iframe').length]).toEqual([path, 0])
    }
  },
)
