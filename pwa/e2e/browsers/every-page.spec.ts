import type { EngineName } from '../engines/engine.ts'
import { openVisitor, type Visitor } from '../engines/visitor.ts'
import { expect, logIn, test } from './fixtures.ts'
import { compareAtRest, measureAtRest } from './sizes.ts'
import { walks } from './walks.ts'

/** What a browser says that isn't ours to mend. */
const knownComplaints: readonly { browsers: readonly EngineName[]; text: RegExp; why: string }[] = [
  {
    browsers: ['webkit'],
    text: /Unrecognized Content-Security-Policy directive 'manifest-src'/,
    why: 'Debian’s WebKit is built without manifests',
  },
  {
    browsers: ['webkit'],
    text: /Cannot load \S+\/sw\.js due to access control checks/,
    why: 'its word for a worker whose page is left while it’s fetched',
  },
  {
    browsers: ['webkit', 'chromium'],
    text: /was preloaded using link preload but not used within a few seconds/,
    why: 'on a busy machine it takes longer than their few seconds until a file is run',
  },
  {
    browsers: ['firefox', 'chromium'],
    text: /^failed (GET|POST) \S+ (net::ERR_ABORTED|NS_BINDING_ABORTED)/,
    why: 'a page that’s left ends what it asked for; what it sends as it’s left arrives, but it hears no answer',
  },
  {
    browsers: ['chromium'],
    text: /^error Failed to load resource: the server responded with a status of 40[014] .*\/(api\/auth\/\S+|nowhere)\)$/,
    why: 'Chromium prints answers that are refusals; which there may be is the list below',
  },
]

/** Refusals that are right: no one’s logged in, a link is old, there’s no such page. */
const expectedRefusals = ['GET /api/auth/user 401', 'POST /api/auth/reset-password/check 400', 'GET /nowhere 404']

/** A page is seen on a phone, and in one other width in turn: `npm run screens -- webkit` sees all of them in all. */
const phoneWidth = 390
const otherWidths = [1440, 320, 768]
/** Here pages are as in Chromium. Elsewhere it only has to be seen that nothing is wider. */
const comparedWidths = [phoneWidth, 1440]

/** `WALKS=2/3` walks the second person's pages, and `PAGES=1/16` of them the first, seventeenth … */
const drawn = ['WALKS', 'PAGES'].map((name) => (process.env[name] ?? '1/1').split('/').map(Number))
const [[walk = 1, ofWalks = 1] = [], [part = 1, parts = 1] = []] = drawn

for (const [who, { email, paths: all }] of Object.entries(walks).filter((_, at) => at % ofWalks === walk - 1))
  test(`every page of the ${who} is as in Chromium, without a complaint`, async ({ open, engine, site }) => {
    // Longer than its pages need on a busy machine.
    test.setTimeout(900_000)
    const phone = await open({ hearsRequests: true })
    const other = await openVisitor('chromium', site.url)
    site.visitors.push(other)
    const both = (work: (visitor: Visitor) => Promise<unknown>) => Promise.all([phone, other].map(work))
    const alone: typeof both = (work) => Promise.all([work(phone)])
    if (email) await both((visitor) => logIn(visitor, email))
    for (const [at, path] of all.entries()) {
      if (at % parts !== part - 1) continue
      const second = otherWidths[Math.floor(at / parts) % otherWidths.length] ?? phoneWidth
      for (const width of [phoneWidth, second]) {
        const isCompared = comparedWidths.includes(width)
        await (isCompared ? both : alone)((visitor) => visitor.resize(width, 900))
        if (width === phoneWidth) await both((visitor) => visitor.goto(path))
        const { here, differs } = isCompared
          ? await compareAtRest(phone, other, { path, width })
          : { here: await measureAtRest(phone, width), differs: [] }
        expect.soft(differs, `${path} at ${width} px`).toEqual([])
        expect.soft([here.innerWidth, here.scrollWidth], `${path} at ${width} px`).toEqual([width, width])
      }
      const complaints = phone.console().filter((line) => !isKnownComplaint(engine, line))
      expect.soft(complaints, `${path} complained`).toEqual([])
      other.console()
    }
    const refused = site.asked.filter(({ status }) => status >= 400)
    const refusals = new Set(refused.map(({ method, path, status }) => `${method} ${path} ${status}`))
    expect([...refusals].filter((one) => !expectedRefusals.includes(one))).toEqual([])
  })

const isKnownComplaint = (engine: EngineName, line: string) =>
  knownComplaints.some(({ browsers, text }) => browsers.includes(engine) && text.test(line))
