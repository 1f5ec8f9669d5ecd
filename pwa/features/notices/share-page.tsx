import { AuthPage } from '#pwa/features/auth/auth-page.tsx'
import { shareTitle } from '#pwa/features/places/account-places.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'

/** Where a share sheet's POST ends that no worker could take: what was shared isn't here, and how it will be next time. */
export default function SharePage({ isFull }: { isFull: boolean }) {
  return (
    <AuthPage
      title={shareTitle}
      lead={
        isFull
          ? 'We couldn’t save what you shared. Free up some space on this phone, or add it from Ask your coach.'
          : 'We haven’t got what you shared. Log in and open your videos, then share it again from the other app.'
      }
    >
      <div className="sheet sheet--pad auth__sheet">
        <ButtonLink to="/members/$place" params={{ place: 'ask' }} icon="arrow">
          Ask your coach
        </ButtonLink>
      </div>
    </AuthPage>
  )
}
