import { useEffect, useState } from 'react'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Button, IconButton } from '#pwa/ui/button.tsx'
import { classNames } from '#pwa/ui/class-names.ts'
import { PageSection } from '#pwa/ui/page-section.tsx'
import { Drawing } from '#pwa/ui/picture.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import { usePrefersReducedMotion } from '#pwa/ui/use-prefers-reduced-motion.ts'
import type { Review, ReviewsText } from '#shared/contract/texts/home.ts'

const everyMs = 4_000

/** Which of `count` items is on top. It advances and wraps until the visitor chooses one or stops it. */
function useCarousel(count: number) {
  const prefersReducedMotion = usePrefersReducedMotion()
  const [choice, setChoice] = useState<'play' | 'pause'>()
  const [at, setAt] = useState(0)
  const isPlaying = choice ? choice === 'play' : !prefersReducedMotion
  useEffect(() => {
    if (!isPlaying || count < 2) return
    const timer = setInterval(() => setAt((now) => (now + 1) % count), everyMs)
    return () => clearInterval(timer)
  }, [isPlaying, count])
  return {
    at,
    isPlaying,
    toggle: () => setChoice(isPlaying ? 'pause' : 'play'),
    show: (place: number) => {
      setChoice('pause')
      setAt((place + count) % count)
    },
  }
}

export const Reviews = ({ text }: { text: ReviewsText }) => {
  const { rating } = useSiteContent().claims
  const claim = (
    <p className="rated">
      <span className="fig">{rating.figure}</span> <span>{rating.label}</span>
    </p>
  )
  return (
    <PageSection section={text} figure={rating.isOn ? claim : undefined}>
      {text.items.some(({ isSample }) => isSample) && (
        <h3 className="made-up">Sample reviews: we made these people up</h3>
      )}
      <Carousel reviews={text.items} />
    </PageSection>
  )
}

const Carousel = ({ reviews }: { reviews: readonly Review[] }) => {
  const { at, isPlaying, toggle, show } = useCarousel(reviews.length)
  return (
    <section aria-roledescription="carousel" aria-label="Reviews">
      <div className="signed" aria-live={isPlaying ? 'off' : 'polite'}>
        {reviews.map((review, index) => (
          <Slip key={review.id} review={review} place={index} at={at} count={reviews.length} />
        ))}
      </div>
      {reviews.length > 1 && (
        <div className="carctl">
          <IconButton icon="back" label="Previous review" onClick={() => show(at - 1)} />
          <IconButton icon="arrow" label="Next review" onClick={() => show(at + 1)} />
          <fieldset className="dots" aria-label="Choose a review">
            {reviews.map(({ id }, index) => (
              <button
                key={id}
                type="button"
                aria-label={`Review ${index + 1} of ${reviews.length}`}
                aria-current={index === at ? 'true' : undefined}
                onClick={() => show(index)}
              />
            ))}
          </fieldset>
          <Button look="line" isSmall onClick={toggle}>
            {isPlaying ? 'Pause Auto-play' : 'Resume Auto-play'}
          </Button>
        </div>
      )}
    </section>
  )
}

const signatures = ['signature-1', 'signature-2', 'signature-3'] as const

type SlipProps = { review: Review; place: number; at: number; count: number }

/** All slips are in the same place, so that the page keeps its height whichever is on top. */
const Slip = ({ review: { text, author, trade, date, rating, verified, isSample }, place, at, count }: SlipProps) => {
  const isMiddle = place === at
  const isNext = !isMiddle && place === (at + 1) % count
  const isBefore = !isMiddle && !isNext && place === (at - 1 + count) % count
  return (
    <figure
      className={classNames('review', isMiddle && 'is-mid sheet--pad', isBefore && 'is-before', isNext && 'is-next')}
      aria-label={`Review ${place + 1} of ${count}`}
    >
      <figcaption className="label">
        {isSample ? 'Sample' : 'Customer’s comments'} <span>{rating} out of 5</span>
      </figcaption>
      <blockquote>{text}</blockquote>
      {isSample && (
        <svg className="sig" viewBox="0 0 150 44" aria-hidden="true" focusable="false">
          <Drawing name={signatures[place % signatures.length] ?? 'signature-1'} />
        </svg>
      )}
      <footer>
        <p>
          <b>{author}</b> {[trade, date].filter(Boolean).join(' · ')}
        </p>
        {!isSample && verified && <Stamp tone="ok">Verified customer</Stamp>}
      </footer>
    </figure>
  )
}
