import type { BookCoachingCallText } from '#shared/contract/texts/book-coaching-call.ts'

export const BookCoachingCallPage = ({ text }: { text: BookCoachingCallText }) => (
  <section className="job">
    <div className="wrap">
      <h1>{text.title}</h1>
    </div>
  </section>
)
