import type { ContactText } from '#shared/contract/texts/contact.ts'

export const ContactPage = ({ text }: { text: ContactText }) => (
  <section className="job">
    <div className="wrap">
      <h1>{text.title}</h1>
    </div>
  </section>
)
