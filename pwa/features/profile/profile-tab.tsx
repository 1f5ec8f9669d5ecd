import { ProofGate } from '#pwa/features/auth/proof/use-proof.tsx'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { accountPlaces, phonePlaces, walletPlace } from '#pwa/features/places/account-places.ts'
import { setSiteMode, useSiteMode } from '#pwa/features/site-mode/site-mode-store.ts'
import { TextLink } from '#pwa/ui/link.tsx'
import { RadioCard, RadioCards } from '#pwa/ui/radio-card.tsx'
import type { SessionUser } from '#shared/contract/auth.ts'
import { ProfileSection } from './profile-section.tsx'

type Props = { session: AuthSession; user: SessionUser; hasSignal: boolean }

export default function ProfileTab(props: Props) {
  return (
    <ProofGate why="You log in with your email, so we check it’s you when it changes." isEachTime>
      <ProfileSection {...props} />
      <Places label="Your account" places={accountPlaces} />
      <Places label="This phone" places={[walletPlace, ...phonePlaces]} />
      <SiteModeSection />
    </ProofGate>
  )
}

type PlacesProps = { label: string; places: readonly { place: string; title: string; hint: string }[] }

const Places = ({ label, places }: PlacesProps) => (
  <nav className="sheet profile" aria-label={label}>
    <ul className="profile__places">
      {places.map(({ place, title, hint }) => (
        <li key={place}>
          <TextLink isTap to="/members/$place" params={{ place }}>
            {title}
          </TextLink>
          <span className="second">{hint}</span>
        </li>
      ))}
    </ul>
  </nav>
)

const choices = [
  { value: 'off', title: 'Off', second: 'The usual look' },
  { value: 'right', title: 'Right hand', second: 'Buttons by your right thumb' },
  { value: 'left', title: 'Left hand', second: 'Buttons by your left thumb' },
] as const

function SiteModeSection() {
  const { isOn, hand } = useSiteMode()
  const chosen = isOn ? hand : 'off'
  return (
    <section className="sheet profile" aria-labelledby="site-mode">
      <h2 className="panel__title" id="site-mode">
        Sun and gloves
      </h2>
      <p>For working outside: black on white, bigger buttons, one hand.</p>
      <RadioCards label="Sun and gloves">
        {choices.map(({ value, title, second }) => (
          <RadioCard
            key={value}
            name="site-mode"
            title={title}
            second={second}
            checked={chosen === value}
            onChange={() => setSiteMode(value === 'off' ? { isOn: false, hand } : { isOn: true, hand: value })}
          />
        ))}
      </RadioCards>
    </section>
  )
}
