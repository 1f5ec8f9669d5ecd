import { ProofDoor } from '#pwa/features/auth/proof-door-section.tsx'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import type { SessionUser } from '#shared/contract/auth.ts'
import { ProfileSection } from './profile-section.tsx'

type Props = { session: AuthSession; user: SessionUser; hasSignal: boolean }

/** All that the Profile tab holds. */
export const ProfileTab = (props: Props) => (
  <ProofDoor why="This decides who gets into your account, so we check it is you.">
    <ProfileSection {...props} />
  </ProofDoor>
)
