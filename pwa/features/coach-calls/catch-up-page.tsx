import type { CoachCallsText } from '#shared/contract/texts/coach-calls.ts'

export const CatchUpPage = ({ text }: { text: CoachCallsText }) => (
  <section className="job">
    <div className="wrap">
      <h1>{text.title}</h1>
    </div>
  </section>
)
