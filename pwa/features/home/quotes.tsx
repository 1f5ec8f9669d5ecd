import { useSyncExternalStore } from 'react'
import { Button } from '#pwa/ui/button.tsx'
import { classNames } from '#pwa/ui/class-names.ts'
import type { QuotesText } from '#shared/contract/texts/home.ts'
import { useQuotes } from './use-quotes.ts'

export const Quotes = ({ text: { name, heading, items } }: { text: QuotesText }) => {
  const { at, isFading, isRotating, refresh, toggle } = useQuotes(items.length)
  const quote = items[at]
  return (
    <section className="page-section page-section--follows">
      <div className="wrap">
        <p className="page-section__no">{name}</p>
        <h2 className="vh">{heading}</h2>
        <div className="quote">
          <CalendarLeaf place={at + 1} count={items.length} />
          <div className="quote__say">
            <div
              className={classNames('quote__line', isFading && 'is-fading')}
              aria-live={isRotating ? 'off' : 'polite'}
            >
              <p className="label">{quote?.category}</p>
              <blockquote>{quote?.text}</blockquote>
              <cite>{quote?.author}</cite>
            </div>
            <div className="quote__foot">
              <span className="second">{isRotating ? 'Auto-rotating' : 'Paused'}</span>
              <Button look="bare" isSmall onClick={toggle}>
                {isRotating ? 'Pause' : 'Resume'}
              </Button>
              <Button look="line" icon="sync" isSmall onClick={refresh}>
                Refresh
              </Button>
            </div>
          </div>
        </div>
      </div>
    </section>
  )
}

const never = () => () => {}

/** Today in the visitor's time zone; empty on the server, which doesn't know when its page will be read. */
const useToday = () =>
  useSyncExternalStore(
    never,
    () => new Date().toDateString(),
    () => '',
  )

/** The calendar's leaf: today's date, or the quote's number until we know the date. */
const CalendarLeaf = ({ place, count }: { place: number; count: number }) => {
  const today = useToday()
  if (!today)
    return (
      <p className="quote__leaf">
        Quote <b>{place}</b> of {count}
      </p>
    )
  const day = new Date(today)
  const said = (options: Intl.DateTimeFormatOptions) => day.toLocaleDateString('en-GB', options)
  return (
    <p className="quote__leaf">
      {said({ weekday: 'long' })} <b>{said({ day: 'numeric' })}</b> {said({ month: 'long' })}
    </p>
  )
}
