import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readContent } from '#api/site/content.ts'
import { startWorld } from '#api/testing/world.ts'
import { peopleSeeds } from '#data/seed/people.ts'

// The only test that knows the text of data/content: it compares what we ship with docs/requirements.md. Delete it once owners
// write their own. Every other test reads the expected text from the content.
const { settings } = startWorld().ctx
const { site, pages } = readContent(settings)

const titles = (items: readonly { title: string }[]) => items.map(({ title }) => title)
const named = (...texts: string[]) => texts.map((text) => expect.stringContaining(text))

test('what counts the tiers or says everybody pays by the month is found once that’s untrue, and nothing before', async () => {
  const world = startWorld()
  const owner = world.signIn(world.addOwner())
  const found = async (query: string) => {
    const sentences: { page: string; entry: string }[] = await (
      await owner(`/api/admin/tier-sentences?${query}`)
    ).json()
    return sentences.map(({ page, entry }) => `${page} ${entry}`)
  }
  const counted = ['home journey.steps.1.text', 'membership-tiers heading']
  expect(await found('cards=3&hasMonth=true&hasYear=false')).toEqual([])
  expect(await found('cards=4&hasMonth=true&hasYear=false')).toEqual(counted)
  expect((await found('cards=3&hasMonth=true&hasYear=true')).filter((one) => !counted.includes(one))).toEqual([
    'membership-tiers description',
    'membership-tiers lead',
    'membership-tiers faq.4.answer',
    'terms sections.2.body.0',
    'terms sections.4.body.0',
  ])
  expect(await found('cards=3&hasMonth=false&hasYear=true')).toContain('site prices.mastermind')
})

describe('on every page', () => {
  test('NAV-01 NAV-02 NAV-12 what the navigation is called, and where it leads', () => {
    expect(
      site.navigation.map((entry) => [entry.label, 'path' in entry ? entry.path : entry.items.map(({ path }) => path)]),
    ).toEqual([
      ['HOME', '/'],
      ['ABOUT', '/about'],
      ['PODCAST', '/podcast'],
      ['COACHING', '/coaching'],
      ['SOFTWARE', ['/sales-lion', '/servicem8', '/quotient', '/website-builds']],
      ['BLOG', '/blog'],
      ['MEMBERS', '/members'],
      ['CONTACT', '/contact'],
    ])
    expect(site.quickLinks.map(({ path }) => path)).toEqual(['/about', '/podcast', '/coaching', '/contact'])
  })

  test('NAV-10 NAV-13 NAV-14 ABOUT-01 LIMIT-7 the brand, its year, and two coaches, the sandbox’s owners', () => {
    expect(site.brand).toMatchObject({
      name: 'The Alliance',
      tagline: 'Helping UK tradesmen build businesses that give them more time, freedom, and profit.',
      copyright: '© The Alliance. Founded 2019.',
      founded: 2019,
    })
    const owners = peopleSeeds.filter(({ state }) => state === 'owner')
    expect(site.coaches.map(({ name }) => name)).toEqual(
      owners.map(({ firstName, lastName }) => `${firstName} ${lastName}`),
    )
    expect(site.coaches).toHaveLength(2)
  })

  test('CONST-01 CONST-02 CONST-03 TIER-24 TIER-26 the prices and terms, as the pages state them', () => {
    expect(site.prices).toMatchObject({
      lowest: 'from £147 + VAT per month',
      mastermind: '£997 + VAT/month',
      guarantee: 'All plans include 14-day money-back guarantee',
      terms: 'Prices exclude UK VAT • Cancel anytime',
      notice: '30 days notice',
    })
  })

  test('CONST-05 LIMIT-6 CONST-07 CONT-03 CARO-06 the claims; the rating is a sample', () => {
    expect(site.claims).toMatchObject({
      coached: { isOn: true, isSample: true, figure: '500+', label: 'tradesmen coached' },
      rating: { isOn: true, isSample: true, figure: '4.9', label: 'from 50+ reviews' },
      revenue: { isOn: true, isSample: true, figure: '£2.3M', label: 'extra revenue' },
    })
  })

  test('TIER-06 TIER-23 TIER-25 Mastermind is mentioned as by invitation', () => {
    expect(site.mastermind).toMatchObject({ name: 'Alliance Mastermind', badge: 'INVITE ONLY' })
  })
})

test('the year and the days of the guarantee are written down once', () => {
  // The terms name statutory periods and the grace period, which are 14 days whatever the guarantee is.
  const files = readdirSync('data/content', { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.json') && !/pages.(terms|cancellation)\.json/.test(name),
  )
  const written = files.map((name) => readFileSync(`data/content/${name}`, 'utf8')).join()
  expect(written.match(/2019/g)).toHaveLength(1)
  expect(written).not.toMatch(/14.days?/)
})

describe('the front page, about and coaching', () => {
  test('HOME-01 HOME-02 the two buttons at the top, and the drawing beside them', () => {
    const { actions, drawing } = pages.home
    expect([actions.call, actions.join.toUpperCase()]).toEqual(['BOOK A CALL', 'APPLY FOR ALLIANCE'])
    expect(drawing.circuits).toEqual(['CIRCUIT 1', 'CIRCUIT 2', 'CIRCUIT 3'])
  })

  test('HOME-03 HOME-04 HOME-05 the three benefits and the three steps', () => {
    const { hero, benefits, journey } = pages.home
    expect(hero.promises).toEqual(['More time.', 'More freedom.', 'More profit.'])
    expect(titles(benefits.jobs)).toEqual(['More time', 'More freedom', 'More profit'])
    expect(titles(journey.steps)).toEqual(['Book a free call', 'Join the Alliance', 'Take action'])
    expect(journey.steps[1]?.text).toContain('3 tiers')
  })

  test('HOME-07 HOME-08 HOME-10 CONST-06 advice, the video, weekly calls and 24/7 support', () => {
    const { snags, video, join } = pages.home
    expect(snags.heading).toBe('What’s wrong with generic business advice')
    expect(video.label).toBe('Transformation video')
    expect([join.calls.title, join.support.title]).toEqual(['Weekly calls', '24/7 support'])
  })

  test('DATA-20 DATA-21 HOME-09 HOME-11 nine sample reviews of invented people, and fifteen quotes', () => {
    const { reviews, quotes } = pages.home
    expect(reviews.items).toHaveLength(9)
    for (const review of reviews.items)
      expect(review).toMatchObject({
        rating: 5,
        verified: true,
        isSample: true,
        author: expect.stringMatching(/^[A-Z][a-z]+$/),
        trade: expect.stringMatching(/^[A-Z][a-z ]+, [A-Z][a-z]+$/),
      })
    expect(quotes.items).toHaveLength(15)
  })

  test('ABOUT-01 ABOUT-02 ABOUT-03 the story names the year; three trust cards', () => {
    const { story, approach, mission, trust } = pages.about
    expect(story?.paragraphs.join(' ')).toContain('In 2019 we stopped explaining it one at a time')
    expect([story?.name, approach.name, mission.name]).toEqual(['How it started', 'How we work', 'Our mission'])
    expect(trust.cards).toHaveLength(3)
  })

  test('COACH-02 COACH-03 COACH-04 each theme covers its three topics', () => {
    expect(pages.coaching.themes.items.map(({ title, topics }) => [title, titles(topics)])).toEqual([
      ['Body', ['Energy management', 'Stress reduction', 'Work-life integration']],
      ['Business', ['Pricing and profit optimisation', 'Marketing', 'Team building and delegation']],
      ['Balance', ['Time management', 'Boundary setting', 'Life goal alignment']],
    ])
  })

  test('TIER-07 TIER-08 TIER-09 the six questions, and what two of them promise', () => {
    const { faq } = pages['membership-tiers']
    expect(faq.map(({ topic }) => topic)).toEqual([
      'What is in each tier?',
      'Can I change tiers?',
      'How do the videos work?',
      'How do the coaching calls work?',
      'Is there a minimum commitment?',
      'What support do I get?',
    ])
    expect(faq[1]?.answer).toMatch(/takes effect next billing cycle.*upgrade can also start today/)
    expect(faq[4]?.answer).toMatch(
      /^No contract.*30 days notice to cancel.*pay by the month.*cancelling stops the next payment.*end of what you’ve paid for/,
    )
  })

  test('BLOG-2 BLOG-3 the list of posts, and while there is none', () => {
    expect([pages.blog.older.heading, pages.blog.empty.heading]).toEqual(['RECENT POSTS', 'Content Coming Soon'])
  })
})

describe('forms and calls', () => {
  test('CAPP-01 CAPP-02 what the coaching programme includes and costs', () => {
    expect(pages['coaching-application'].included.items).toEqual([
      'Weekly group coaching calls',
      'Private community access',
      'Step-by-step video training',
      'Business templates and tools',
      '1-on-1 breakthrough session',
      '90-day follow-up support',
    ])
    expect(site.prices).toMatchObject({ programme: '£2,497', programmeInstalments: '3 payments of £899' })
  })

  test('CALL-01 CALL-05 a free consultation, and what comes next', () => {
    const { lead, next } = pages['book-coaching-call']
    expect(lead).toContain('free 30-minute consultation')
    expect(next.steps).toMatchObject([
      { title: 'We call you', text: 'A coach calls you within 24 hours.' },
      { title: 'We agree a time' },
      { title: 'You get calendar invites' },
    ])
  })

  test('BOOK-1 BOOK-2 BOOK-3 BOOK-5 BOOK-7 the two kinds of calls', () => {
    const [call, catchUp] = [pages['book-call'], pages['catch-up']]
    expect([call.choice.session, catchUp.choice.session]).toEqual(['30 minute sessions', '15 minute sessions'])
    expect(call.choice.availability).toEqual(['Available weekdays', 'Available every day'])
    expect([call.points.heading, catchUp.points.heading]).toEqual(['What to Expect', 'Perfect for'])
    expect(call.calendar).toMatchObject({
      select: 'Select your preferred time slot for your monthly coaching call',
      troubleLink: 'Open the direct link',
    })
    expect(catchUp.calendar.select).toBe('Select your preferred time slot for your 15-minute catch up call')
  })
})

describe('software and websites', () => {
  test('LAND-1 LAND-2 LAND-3 LAND-4 LAND-5 Sales Lion: its features, ways in and claims', () => {
    const { features, call, offer, reminder } = pages['sales-lion']
    expect(features.list).toHaveLength(9)
    expect([call.button, call.second]).toEqual(['BOOK A FREE CALL', '15 minutes'])
    expect(reminder.button).toBe('BUY SERVICE REMINDERS')
    expect(offer).toMatchObject({
      access: { isOn: true, label: 'Account access within 24 hours of purchase' },
      priceRise: { isOn: true, isSample: true, label: 'Price increases every 60 minutes' },
    })
  })

  test('LAND-6 LAND-7 the business systems: price, features, three ways to quote, and their subjects', () => {
    const { setup, features, quotes } = pages.servicem8
    expect(setup).toMatchObject({ price: 1497, subject: 'Business systems setup' })
    expect(features.list).toHaveLength(9)
    expect(quotes.options.map(({ name, subject }) => [name, subject])).toEqual([
      ['One price', 'Business systems setup: quotes with one price'],
      ['Good, better, best', 'Business systems setup: quotes with three choices'],
      ['Line by line', 'Business systems setup: quotes line by line'],
    ])
  })

  test('POD-01 POD-02 POD-03 the podcast', () => {
    const { episodes, listen } = pages.podcast
    expect(episodes.play).toBe('Load the episodes')
    expect([listen.music, listen.directory]).toEqual(named('music app', 'podcast app'))
  })

  test('QUOT-1 QUOT-2 QUOT-3 QUOT-4 Quotient: the promise, the figures, the sample, the benefits', () => {
    const { heading, stats, sample, benefits } = pages.quotient
    expect(heading).toBe('Bespoke Quotient Setups for Trade Professionals')
    expect(stats.map(({ figure, label }) => [figure, label])).toEqual([
      ['20+', 'builds completed'],
      ['60%', 'acceptance improvement'],
      ['72hr', 'setup time'],
    ])
    expect(sample).toMatchObject({ job: 'Boiler installation', state: 'Accepted by customer' })
    expect(titles(benefits.items)).toEqual([
      'Industry-specific templates',
      'Online quote acceptance',
      'Automated follow-ups',
      'Quote tracking',
      'Rich media support',
      'Dedicated setup support',
    ])
    expect(benefits.items[3]?.text).toContain('See when customers open and view quotes')
  })

  test('ENT-26 ENT-27 QUOT-5 what is in the two packages', () => {
    const one = (name: string) => `1 ${name} template`
    expect(pages.quotient.packages.offers).toEqual({
      professional: {
        name: 'Professional Setup',
        features: [
          ...['Combi to Combi', 'Convert to Combi', 'Heat Only', 'Boiler Relocation', 'Boiler Repair'].map(one),
          ...['Smart Thermostat', 'System Flushing'].map(one),
          'Account setup and branding',
          '1-hour training session',
        ],
      },
      master: {
        name: 'Master Setup',
        features: [
          ...['Combi to Combi', 'Convert to Combi', 'Heat Only'].map((name) => `2 ${name} templates`),
          ...['Boiler Relocation', 'Boiler Repair', 'Smart Thermostat', 'System Flushing', 'Radiator Change'].map(one),
          '30-minute sales strategy call',
          'Account setup and branding',
        ],
      },
    })
  })

  test('the privacy page names what is kept of videos, notes and emails', () => {
    const said = JSON.stringify(pages.privacy.sections)
    for (const part of [
      'how far you got',
      'when you were last here',
      'What we note down',
      'Which emails you asked for',
    ])
      expect(said).toContain(part)
  })

  test('QUOT-19 QUOT-20 after the purchase: four steps, and where help is', () => {
    const { steps, help } = pages.quotient.success
    expect(titles(steps)).toEqual([
      'Confirmation email within minutes',
      'Setup begins within 24 hours',
      'Training and handover',
      'Go live within 72 hours',
    ])
    expect(help).toMatchObject({ response: '2-4 hours', hours: '9 AM-6 PM Monday-Friday' })
  })

  test('WEB-1 WEB-2 WEB-3 WEB-5 the websites: what is in them and why', () => {
    const { heading, features, reasons, benefits, custom } = pages['website-builds']
    expect(heading).toBe('Professional Websites Built For Tradesmen')
    expect([features.list.length, benefits.list.length]).toEqual([12, 5])
    expect(reasons.heading).toBe('Why Every Tradesman Needs a Website')
    expect(reasons.list.map(({ figure, label }) => `${figure} ${label}`)).toEqual([
      '85% research online',
      '24/7 presence',
    ])
    expect(custom.subject).toBe('Website: custom quote')
  })

  test('ENT-29 WEB-4 the three website packages, the middle one the most popular', () => {
    expect(pages['website-builds'].packages.list).toEqual([
      {
        name: 'Starter',
        price: '£499',
        isMostPopular: false,
        features: [
          ...['5-page site', 'Mobile responsive', 'Basic SEO', 'Contact form', '1 month free hosting'],
          'Business-listing optimisation',
        ],
      },
      {
        name: 'Professional',
        price: '£899',
        isMostPopular: true,
        features: [
          ...['10-page custom site', 'Advanced SEO', 'Lead capture', 'Galleries', 'Testimonials'],
          ...['3 months free hosting', 'Social integration', 'Analytics setup'],
        ],
      },
      {
        name: 'Premium',
        price: '£1,299',
        isMostPopular: false,
        features: [
          ...['Unlimited pages', 'E-commerce', 'Booking system', 'Customer portal', 'Blog', '6 months hosting'],
          ...['Priority support', 'Monthly reports'],
        ],
      },
    ])
  })

  test('BOOK-1 what search engines say of the call pages holds with a calendar and without one', () => {
    for (const page of ['book-call', 'catch-up', 'book-coaching-call'] as const)
      expect([page, pages[page].description]).toEqual([page, expect.not.stringMatching(/choose|pick|\btimes?\b/i)])
  })
})
