import { Stamp } from '#pwa/ui/stamp.tsx'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'

/** A quote as the tradesman sees it, from sent to accepted. */
export const QuoteStatus = ({ sample }: Pick<QuotientText, 'sample'>) => (
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
