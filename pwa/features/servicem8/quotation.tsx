import { ButtonLink } from '#pwa/ui/button.tsx'
import type { Servicem8Text } from '#shared/contract/texts/servicem8.ts'
import { formatPounds } from '#shared/rules/money.ts'

/** The package on a quotation of our own. */
export const Quotation = ({ setup }: Pick<Servicem8Text, 'setup'>) => (
  <div className="sheet sheet--pad">
    <dl className="cells cells--two">
      {setup.lines.map(({ label, value }) => (
        <div key={label}>
          <dt className="label">{label}</dt>
          <dd>
            <b>{value}</b>
          </dd>
        </div>
      ))}
    </dl>
    <div className="quotation">
      <p className="tier__price">
        <span className="fig">{formatPounds(setup.price * 100)}</span> <span>+ VAT</span>
      </p>
      <ButtonLink isWide icon="arrow" to="/contact" search={{ subject: setup.subject }}>
        {setup.action}
      </ButtonLink>
    </div>
  </div>
)
