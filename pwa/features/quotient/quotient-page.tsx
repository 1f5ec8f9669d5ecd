import type { QuotientText } from '#shared/contract/texts/quotient.ts'

export const QuotientPage = ({ text }: { text: QuotientText }) => (
  <section className="job">
    <div className="wrap">
      <h1>{text.title}</h1>
    </div>
  </section>
)
