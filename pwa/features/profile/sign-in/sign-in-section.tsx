import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountProps } from '#pwa/features/profile/account/account-page.tsx'
import { AccountSection } from '#pwa/features/profile/account/account-section.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { AuthenticatorSection } from './authenticator-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { signInQuery } from './queries.ts'
import { RecoveryCodesSection } from './recovery-codes-section.tsx'

/** All the ways into the account: password, codes by mail, passkeys, and an owner's second factor. */
export default function SignInSection({ session, user }: AccountProps) {
  const query = useQuery(signInQuery({ session, memberId: user.id }))
  const [codes, setCodes] = useState<readonly string[]>([])
  const props = query.data && { session, user, ways: query.data, onCodes: setCodes }
  const factor = query.data?.secondFactor
  const hasFactor = factor != null && (factor.authenticatorSince !== null || query.data?.passkeys.length !== 0)
  if (user.isImpersonating) return <p>Only the member sees how they sign in.</p>
  return (
    <>
      {factor?.isRequired && <RequiredBanner hasFactor={hasFactor} />}
      {props && codes.length + (factor?.recoveryCodes ?? 0) > 0 && <RecoveryCodesSection {...props} codes={codes} />}
      {props && factor && <AuthenticatorSection {...props} />}
      <AccountSection title="Passkeys" query={query}>
        {(ways) => <PasskeysSection {...{ session, user, ways }} onCodes={setCodes} />}
      </AccountSection>
      <PasswordSection {...{ session, user }} />
      <CodesByMail user={user} />
    </>
  )
}

const RequiredBanner = ({ hasFactor }: { hasFactor: boolean }) =>
  hasFactor ? (
    <Banner
      tone="ok"
      title="Your second factor is on"
      action={
        <ButtonLink to="/admin" look="line" isSmall>
          To the admin
        </ButtonLink>
      }
    >
      The site asks every owner for one. Yours is an authenticator app, a passkey, or both.
    </Banner>
  ) : (
    <Banner tone="bad" title="Set up a second factor to carry on">
      The site asks every owner for one besides the password. Set up an authenticator app, or add a passkey. The admin
      opens once you have.
    </Banner>
  )

const CodesByMail = ({ user }: Pick<AccountProps, 'user'>) => (
  <section className="sheet account__sheet" aria-labelledby="codes-title">
    <h2 className="panel__title" id="codes-title">
      Codes by email
    </h2>
    <p>
      {user.isAdmin
        ? 'Owners get none: a mailbox alone should not open the whole business.'
        : `No password to hand? On the login page press “Email me a code”: six digits come to ${user.email}. They work once, for ten minutes, in the browser that asked.`}
    </p>
  </section>
)
