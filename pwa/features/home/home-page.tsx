import type { ReactNode } from 'react'
import { BookButton } from '#pwa/features/booking/book-button.tsx'
import { CoachSection } from '#pwa/features/coaching/coach-section.tsx'
import { TierSection } from '#pwa/features/tiers/tier-chooser.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { hydrateWhenNear } from '#pwa/ui/hydrate-when-near.tsx'
import { ClosingSection, PageSection } from '#pwa/ui/page-section.tsx'
import { Elevation } from '#pwa/ui/picture.tsx'
import type { HomeText } from '#shared/contract/texts/home.ts'
import { Hero } from './hero.tsx'

const loadSnagList = async () => (await loadFile(() => import('./snag-list.tsx'))).SnagList
const loadReviews = async () => (await loadFile(() => import('./reviews.tsx'))).Reviews
const loadQuotes = async () => (await loadFile(() => import('./quotes.tsx'))).Quotes

const SnagList = hydrateWhenNear(loadSnagList, import.meta.env.SSR ? await loadSnagList() : undefined)
const Reviews = hydrateWhenNear(loadReviews, import.meta.env.SSR ? await loadReviews() : undefined)
const Quotes = hydrateWhenNear(loadQuotes, import.meta.env.SSR ? await loadQuotes() : undefined)

export const HomePage = ({ text }: { text: HomeText }) => (
  <>
    <Hero text={text} />
    <WorkRequired text={text.benefits} />
    <Journey text={text.journey} />
    <CoachSection text={text.coaches} />
    <TierSection text={text.tiers} />
    <SnagList text={text.snags} video={text.video} />
    {text.reviews.items.length > 0 && <Reviews text={text.reviews} />}
    <JoinSection text={text.join} />
    <Quotes text={text.quotes} />
    <ClosingSection heading={text.lastCall.heading} lead={text.lastCall.lead}>
      <ButtonLink to="/coaching-application" icon="arrow">
        {text.lastCall.action}
      </ButtonLink>
    </ClosingSection>
  </>
)

/** One for each job: the van that's home early, the level on its own, the tape that measures pounds. */
const drawings = ['van', 'level', 'tape-measure'] as const

const WorkRequired = ({ text }: { text: HomeText['benefits'] }) => (
  <PageSection section={text}>
    <div className="sheet sheet--pad">
      <BenefitsHead trades={text.trades} />
      <ol className="work">
        {drawings.map((drawing, index) => (
          <li key={drawing}>
            <h3>
              <small>Job {index + 1}</small> {text.jobs[index]?.title}
            </h3>
            <Elevation name={drawing} />
            <p>{text.jobs[index]?.text}</p>
          </li>
        ))}
      </ol>
    </div>
  </PageSection>
)

const BenefitsHead = ({ trades }: { trades: string }) => {
  const { founded } = useSiteContent().claims
  const cells = [
    ['Customer', 'You'],
    ['Trade', trades],
    ['Site', 'Your business'],
    ...(founded.isOn ? [['Since', founded.figure]] : []),
  ]
  return (
    <div className="cells">
      {cells.map(([label, value]) => (
        <div key={label}>
          <span className="label">{label}</span>
          <b>{value}</b>
        </div>
      ))}
    </div>
  )
}

const Journey = ({ text }: { text: HomeText['journey'] }) => {
  const { prices } = useSiteContent()
  const under: ReactNode[] = [
    <div key="call">
      <BookButton look="line" icon="phone" isSmall>
        Talk to a coach
      </BookButton>
    </div>,
    <LowestPrice key="price" reading={prices.lowest} />,
  ]
  return (
    <PageSection section={text} follows>
      <ol className="run">
        {text.steps.map(({ title, text }, index) => (
          <li key={title}>
            <span className="run__no" aria-hidden="true">
              {index + 1}
            </span>
            <h3>{title}</h3>
            <p>{text}</p>
            {under[index]}
          </li>
        ))}
      </ol>
    </PageSection>
  )
}

const LowestPrice = ({ reading }: { reading: string }) => {
  const [price, ...rest] = reading.split(' + ')
  return (
    <p className="from">
      {price}
      {rest.length > 0 && <small> + {rest.join(' + ')}</small>}
    </p>
  )
}

const weekDays: readonly HomeText['join']['callDay'][] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const JoinSection = ({ text: { name, heading, callDay, hours, calls, support } }: { text: HomeText['join'] }) => (
  <section className="page-section page-section--follows">
    <div className="wrap">
      <p className="page-section__no">{name}</p>
      <div className="joining">
        <div>
          <h2>{heading}</h2>
          <div>
            <h3>{calls.title}</h3>
            <p>{calls.text}</p>
          </div>
          <div className="week" aria-hidden="true">
            {weekDays.map((day) => (
              <span key={day} className={day === callDay ? 'on' : undefined}>
                {day.charAt(0)}
                {day === callDay && <b>CALL</b>}
              </span>
            ))}
          </div>
        </div>
        <div>
          <p className="big247" aria-hidden="true">
            {hours}
          </p>
          <div>
            <h3>{support.title}</h3>
            <p>{support.text}</p>
          </div>
          <div>
            <ButtonLink to="/membership-application" icon="arrow">
              JOIN THE MOVEMENT
            </ButtonLink>
          </div>
        </div>
      </div>
    </div>
  </section>
)
