import { ButtonLink } from '#pwa/ui/button.tsx'
import type { Servicem8Text } from '#shared/contract/texts/servicem8.ts'

/** Three samples of a quote, side by side. */
export const QuoteOptions = ({ options, action }: Pick<Servicem8Text['quotes'], 'options' | 'action'>) => (
  <div className="trio sheet">
    {options.map(({ name, text, lines, subject }) => (
      <div key={name} className="option">
        <h3>{name}</h3>
        <p>{text}</p>
        <dl className="option__lines">
          {lines.map(({ what, price }) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{price}</dd>
            </div>
          ))}
        </dl>
        <ButtonLink look="line" isSmall to="/contact" search={{ subject }}>
          {action} <span className="vh">({name})</span>
        </ButtonLink>
      </div>
    ))}
  </div>
)
