import { BookButton } from '#pwa/features/booking/book-button.tsx'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TapeScale } from '#pwa/ui/page-section.tsx'
import { Drawing } from '#pwa/ui/picture.tsx'
import type { HomeText } from '#shared/contract/texts/home.ts'

/** More letters than this don’t fit one line of the page’s largest words. */
const lineLength = 13

/** The editor’s marks in a draft aren't letters. */
const isLong = (promise: string) => promise.replace(/\p{Default_Ignorable_Code_Point}/gu, '').length > lineLength

export const Hero = ({ text: { hero, actions, drawing } }: { text: HomeText }) => {
  const { brand } = useSiteContent()
  const { promises, callNote } = hero
  const gauges = angles.map((angle, index) => ({ name: lastWord(promises[index] ?? ''), angle }))
  return (
    <section className="hero on-blade">
      <div className="wrap">
        <div className="hero__h">
          <h1 className={promises.some(isLong) ? 'hero__long' : undefined}>
            {promises.map((promise) => (
              <span key={promise}>{promise} </span>
            ))}
          </h1>
        </div>
        <div className="hero__say">
          <p className="lead">{brand.tagline}</p>
          <p className="hero__who">{brand.trades}</p>
        </div>
        <div className="hero__acts">
          <BookButton icon="arrow" second={callNote}>
            {actions.call.toUpperCase()}
          </BookButton>
          <ButtonLink to="/membership-tiers" look="bare">
            {actions.join.toUpperCase()}
          </ButtonLink>
        </div>
        <div className="hero__side">
          <RiserPlan gauges={gauges} circuits={drawing.circuits} />
          <RowPlan gauges={gauges} />
        </div>
        <Claims />
      </div>
      <TapeScale />
    </section>
  )
}

const shownHere = ['coached', 'rating', 'guarantee', 'founded'] as const

const Claims = () => {
  const { claims } = useSiteContent()
  return (
    <dl className="claims">
      {shownHere
        .map((name) => claims[name])
        .filter(({ isOn }) => isOn)
        .map(({ figure, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
    </dl>
  )
}

/** The needles' angles. Each gauge measures what its promise ends with. The drawing has three, however many promises. */
const angles = [327.6, 342, 361.2]

const lastWord = (promise: string) => promise.match(/[\p{L}\d]+(?=\P{L}*$)/u)?.[0].toUpperCase() ?? ''

type Gauges = { gauges: readonly { name: string; angle: number }[] }

/** Sets a long word narrower, so that it stays on its dial. */
const fitting = (name: string, width: number) =>
  name.length > 7 ? { textLength: width, lengthAdjust: 'spacingAndGlyphs' } : {}

const drop = 196

const RiserPlan = ({ gauges, circuits }: Gauges & HomeText['drawing']) => (
  <svg className="plan dtext" viewBox="0 -14 600 654" aria-hidden="true" focusable="false">
    <g fill="none" stroke="currentColor">
      <Drawing name="riser-pipes" />
      {gauges.map(({ angle }, index) => (
        <Drawing key={angle} name="riser-circuit" y={index * drop} />
      ))}
      <Drawing name="riser-measures" />
    </g>
    {gauges.map(({ name, angle }, index) => (
      <g key={angle} transform={`translate(236 ${70 + index * drop})`} fill="currentColor">
        <g className="needle">
          <path transform={`rotate(${angle})`} d="M-16.3-3.4 53.3-.8V.8L-16.3 3.4Z" />
        </g>
        <circle r="6.7" />
        <text y="45.9" fontSize="22.2" textAnchor="middle" {...fitting(name, 92)}>
          {name}
        </text>
        <text x="108" y="24" fontSize="26">
          {circuits[index]}
        </text>
      </g>
    ))}
  </svg>
)

const pitch = 131

const RowPlan = ({ gauges }: Gauges) => (
  <svg className="plan-s dtext" viewBox="0 0 390 158" aria-hidden="true" focusable="false">
    <g fill="none" stroke="currentColor">
      <Drawing name="row-pipe" />
      {gauges.map(({ angle }, index) => (
        <Drawing key={angle} name="row-gauge" x={index * pitch} />
      ))}
      <Drawing name="row-valve" />
      <Drawing name="row-valve" x={pitch} />
    </g>
    {gauges.map(({ name, angle }, index) => (
      <g key={angle} transform={`translate(${64 + index * pitch} 60)`} fill="currentColor">
        <g className="needle">
          <path transform={`rotate(${angle})`} d="M-11.7-3.4 38.2-.8V.8L-11.7 3.4Z" />
        </g>
        <circle r="4.8" />
        <text y="32.9" fontSize="15.9" textAnchor="middle" {...fitting(name, 66)}>
          {name}
        </text>
      </g>
    ))}
  </svg>
)
