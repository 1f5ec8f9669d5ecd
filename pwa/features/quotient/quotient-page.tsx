import { lazy, type MouseEvent, Suspense, useState } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import { Button, ButtonAnchor } from '#pwa/ui/button.tsx'
import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import { Picture, usePictureAddresses } from '#pwa/ui/picture.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'
import { Packages } from './packages.tsx'
import type { QuotePicture } from './quote-dialog.tsx'

const QuoteDialog = lazy(() => loadFile(() => import('./quote-dialog.tsx')))

/** The sample quotes; a press enlarges one. Without JavaScript each is a link to its picture. */
function QuoteGallery({ pictures: texts }: { pictures: readonly string[] }) {
  const addressOf = usePictureAddresses()
  const pictures = texts.map((text, index): QuotePicture => ({ src: addressOf(`quote-${index + 1}`), text }))
  const [openIndex, setOpenIndex] = useState<number | null>(null)
  const [wasOpened, setOpened] = useState(false)
  const open = (index: number) => (event: MouseEvent) => {
    event.preventDefault()
    setOpened(true)
    setOpenIndex(index)
  }
  return (
    <>
      <ul className="quotes">
        {pictures.map(({ src, text }, index) => (
          <li key={text}>
            <a href={src} aria-haspopup="dialog" onClick={open(index)}>
              <Picture name={`quote-${index + 1}`} alt={`Sample quote: ${text}`} width={600} height={800} />
            </a>
          </li>
        ))}
      </ul>
      <Button look="line" icon="eye" aria-haspopup="dialog" onClick={open(0)}>
        View More Examples
      </Button>
      {wasOpened && (
        <Suspense>
          <QuoteDialog pictures={pictures} openIndex={openIndex} onChange={setOpenIndex} />
        </Suspense>
      )}
    </>
  )
}

const packagesId = 'packages'

export const QuotientPage = ({ text }: { text: QuotientText }) => (
  <>
    <PageHero tone="ink" heading={text.heading} lead={text.lead} side={<QuoteStatus sample={text.sample} />}>
      <ButtonAnchor look="hivis" icon="arrow" href={`#${packagesId}`}>
        GET STARTED
      </ButtonAnchor>
    </PageHero>
    <Stats stats={text.stats} />
    <PageSection section={text.benefits}>
      <ul className="six">
        {text.benefits.items.map(({ title, text: itemText }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{itemText}</p>
          </li>
        ))}
      </ul>
    </PageSection>
    <div className="chalk" />
    <PageSection section={text.packages} id={packagesId}>
      <Packages offers={text.packages.offers} />
    </PageSection>
    <PageSection section={text.gallery} follows>
      <QuoteGallery pictures={text.gallery.pictures} />
    </PageSection>
  </>
)

function Stats({ stats }: Pick<QuotientText, 'stats'>) {
  const shown = stats.filter(({ isOn }) => isOn)
  return (
    shown.length > 0 && (
      <section className="on-blade" aria-label="In figures">
        <dl className="wrap three">
          {shown.map(({ figure, label }) => (
            <div key={label}>
              <dt className="label">{label}</dt>
              <dd className="fig">{figure}</dd>
            </div>
          ))}
        </dl>
      </section>
    )
  )
}

const QuoteStatus = ({ sample }: Pick<QuotientText, 'sample'>) => (
  <section className="sheet status" aria-labelledby="live-quote">
    <p className="label" id="live-quote">
      Live Quote Status
    </p>
    <h2>{sample.job}</h2>
    <p>
      {sample.customer}, {sample.total}
    </p>
    <ol className="plain num">
      {sample.events.map(({ time, what }) => (
        <li key={time}>
          <b>{time}</b> {what}
        </li>
      ))}
    </ol>
    <Stamp tone="ok">{sample.state}</Stamp>
  </section>
)
