import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountProps } from '#pwa/features/profile/account/account-section.tsx'
import { AccountSection } from '#pwa/features/profile/account/account-section.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { AuthenticatorSection } from './authenticator-section.tsx'
import { PasskeysSection } from './passkeys.tsx'
import { PasswordSection } from './password.tsx'
import { signInQuery } from './queries.ts'
import { RecoveryCodesSection } from './recovery-codes.tsx'

export default function SignInSection({ session, user }: AccountProps) {
  const query = useQuery(signInQuery({ session, memberId: user.id }))
  const [codes, setCodes] = useState<readonly string[]>([])
  const props = query.data && { session, user, ways: query.data, onCodes: setCodes }
  const factor = query.data?.secondFactor
  const hasFactor = factor != null && (factor.authenticatorSince !== null || query.data?.passkeys.length !== 0)
  // Stays true once it's set up: then the banner leads on to the admin, and is gone at the next visit.
  const [wasLacking, setLacking] = useState(false)
  if (factor?.isRequired && !hasFactor && !wasLacking) setLacking(true)
  if (user.isImpersonating) return <p>Only the member can see how they log in.</p>
  return (
    <>
      {factor?.isRequired && wasLacking && <RequiredBanner hasFactor={hasFactor} />}
      {props && codes.length + (factor?.recoveryCodes ?? 0) > 0 && <RecoveryCodesSection {...props} codes={codes} />}
      {props && factor && <AuthenticatorSection {...props} />}
      <AccountSection title="Passkeys" query={query}>
        {(ways) => <PasskeysSection session={session} user={user} ways={ways} onCodes={setCodes} />}
      </AccountSection>
      <PasswordSection session={session} user={user} />
      <CodesByMail user={user} />
    </>
  )
}

const RequiredBanner = ({ hasFactor }: { hasFactor: boolean }) =>
  hasFactor ? (
    <Banner
      tone="ok"
      title="Two-step login is on"
      action={
        <ButtonLink to="/admin" look="line" isSmall>
          Go to admin
        </ButtonLink>
      }
    >
      Every owner needs it. Yours uses an authenticator app, a passkey, or both.
    </Banner>
  ) : (
    <Banner tone="bad" title="Set up two-step login to carry on">
      Every owner needs it. Set up an authenticator app or add a passkey, and you can open the admin.
    </Banner>
  )

const CodesByMail = ({ user }: Pick<AccountProps, 'user'>) => (
  <section className="sheet account__sheet" aria-labelledby="codes-title">
    <h2 className="panel__title" id="codes-title">
      Codes by email
    </h2>
    <p>
      {user.isAdmin
        ? 'Owners can’t use these. Someone who gets into your email shouldn’t get into the whole business.'
        : `No password to hand? Press “Email me a code” when you log in. We’ll email ${user.email} a code that works once, within ten minutes, in the same browser.`}
    </p>
  </section>
)
