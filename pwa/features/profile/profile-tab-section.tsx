import { ProofDoor } from '#pwa/features/auth/proof-door-section.tsx'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { SiteModeSection } from '#pwa/features/phone/site-mode-section.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import type { SessionUser } from '#shared/contract/auth.ts'
import { accountPlaces, phonePlaces } from './account-places.ts'
import { ProfileSection } from './profile-section.tsx'

type Props = { session: AuthSession; user: SessionUser; hasSignal: boolean }

/** All that the Profile tab holds: the details, and the way to everything else about the account. */
export default function ProfileTab(props: Props) {
  return (
    <ProofDoor why={whyProof}>
      <ProfileSection {...props} />
      <Places label="Your account" places={accountPlaces} />
      <Places label="This phone" places={phonePlaces} />
      <SiteModeSection />
    </ProofDoor>
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

export const whyProof = 'This decides who gets into your account, so we check it is you.'
