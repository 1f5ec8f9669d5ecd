import type { HomeText } from '#shared/contract/texts/home.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'
import { Controls } from './controls.tsx'
import { Foundations } from './foundations.tsx'
import { MembersParts } from './members-parts.tsx'
import { PageParts } from './page-parts.tsx'
import { States } from './states.tsx'
import { StatusParts } from './status-parts.tsx'

const groups = ['Foundations', 'Controls', 'Facts', 'States', 'Members area', 'Pages']

/** Everything that screens are made of. */
export const DesignPage = ({ tiers, home }: { tiers: MembershipTier[]; home: HomeText }) => (
  <main className="wrap design" id="main">
    <h1>Design system</h1>
    <p className="lead">
      Every part in every state, by day and by night. Hover, press and tab through them: those states are the browser’s
      own.
    </p>
    <nav className="design__index" aria-label="Groups">
      {groups.map((name) => (
        <a key={name} className="link link--tap" href={`#${name.toLowerCase().replaceAll(' ', '-')}`}>
          {name}
        </a>
      ))}
    </nav>
    <Foundations />
    <Controls />
    <StatusParts />
    <States />
    <MembersParts />
    <PageParts tiers={tiers} home={home} />
  </main>
)
