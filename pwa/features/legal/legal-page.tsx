import { Fragment, type ReactNode } from 'react'
import { PageHero } from '#pwa/ui/page-section.tsx'
import type { LegalPart, LegalText } from '#shared/contract/texts/legal.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import './legal.css'

/** A page the law requires: plain to read, to print and to read without signal. */
export const LegalPage = ({ text }: { text: LegalText }) => (
  <>
    <PageHero heading={text.heading} lead={text.lead}>
      <p className="second">
        Last changed on <time dateTime={text.updated}>{formatLongDate(text.updated)}</time>
      </p>
    </PageHero>
    <div className="wrap legal">
      {text.sections.map(({ heading, body }) => (
        <section key={heading}>
          <h2>{heading}</h2>
          {body.map((part) => (
            <Part key={JSON.stringify(part)} part={part} />
          ))}
        </section>
      ))}
    </div>
  </>
)

function Part({ part }: { part: LegalPart }) {
  if (typeof part === 'string') return <p>{linked(part)}</p>
  if ('list' in part) {
    return (
      <ul>
        {part.list.map((item) => (
          <li key={item}>{linked(item)}</li>
        ))}
      </ul>
    )
  }
  if ('form' in part) {
    return (
      <div className="sheet sheet--pad">
        {part.form.map((line) => (
          <p key={line}>{linked(line)}</p>
        ))}
      </div>
    )
  }
  return (
    <dl>
      {part.items.map(({ title, text }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{linked(text)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A link, or a blank the firm still has to fill in; [*] belongs to the model form. */
const bracketed = /\[([^\][*]+)\](?:\(([^()\s]+)\))?/g

function linked(text: string): ReactNode {
  const parts: ReactNode[] = []
  let end = 0
  for (const { index, 0: whole, 1: words, 2: address } of text.matchAll(bracketed)) {
    parts.push(text.slice(end, index))
    parts.push(
      address ? (
        <a className="link" href={address}>
          {words}
        </a>
      ) : (
        <mark>{whole}</mark>
      ),
    )
    end = index + whole.length
  }
  parts.push(text.slice(end))
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move
  return parts.map((part, index) => <Fragment key={index}>{part}</Fragment>)
}
