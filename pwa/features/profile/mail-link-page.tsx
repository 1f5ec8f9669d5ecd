import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AuthPage } from '#pwa/features/auth/auth-page.tsx'
import { type MailAction, mailLinkTitles } from '#pwa/features/places/account-places.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Unsubscribed } from '#shared/contract/account.ts'
import { Done as Accepted } from '#shared/contract/auth.ts'
import { EmailChanged, EmailRestored } from '#shared/contract/profile.ts'
import { mailTexts } from './mail-texts.ts'

/** They have to set a new password with `resetToken`. */
type Outcome = { title: string; text: string; resetToken?: string }

type MailLink = { title: string; lead: string; button: string; send: (token: string) => Promise<Outcome> }

const changes = api.api['email-change']

/** What emailed links open. Nothing happens before the button is pressed: mail scanners open every link. */
const links = {
  'confirm-address': {
    title: mailLinkTitles['confirm-address'],
    lead: 'You’ll use it to log in, and we’ll send our emails there.',
    button: 'Confirm this address',
    send: async (token) => {
      const { email } = await parseResponse(EmailChanged, changes.confirm.post({ token }))
      return { title: 'Email changed', text: `Use ${email} to log in from now on. We’ll email you there.` }
    },
  },
  'restore-address': {
    title: mailLinkTitles['restore-address'],
    lead: 'We’ll put this address back on your account and log out every device. Then you set a new password.',
    button: 'Undo the change',
    send: async (token) => {
      const { email, resetToken } = await parseResponse(EmailRestored, changes.undo.post({ token }))
      const text = `${email} is back on your account, and every device is logged out. Set a new password to get in.`
      return { title: 'Change undone', text, resetToken }
    },
  },
  'not-me': {
    title: mailLinkTitles['not-me'],
    lead: 'We’ll look into it. Until then we won’t send password links or codes to the new address.',
    button: 'This wasn’t me',
    send: async (token) => {
      await parseResponse(Accepted, changes.report.post({ token }))
      return { title: 'Thanks for telling us', text: 'We’ll look into it and get back to you.' }
    },
  },
  unsubscribe: {
    title: mailLinkTitles.unsubscribe,
    lead: 'You’ll still get emails about payments, your account and anything you’ve asked for.',
    button: 'Stop these emails',
    send: async (token) => {
      const { purpose } = await parseResponse(Unsubscribed, api.api.mail.unsubscribe.post({}, { query: { token } }))
      const text = `We’ve stopped sending you these: ${mailTexts[purpose].toLowerCase()}. You can switch them back on under Profile.`
      return { title: 'Unsubscribed', text }
    },
  },
} satisfies Record<MailAction, MailLink>

export default function MailLinkPage({ action, token }: { action: MailAction; token: string }) {
  const link: MailLink = links[action]
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (sent: MailLink) => sent.send(token),
    onSuccess: setOutcome,
  })
  if (outcome) return <Done outcome={outcome} />
  const isDead = token === '' || (error instanceof RequestError && error.code === 'invalid_link')
  return (
    <AuthPage title={link.title} lead={isDead ? undefined : link.lead}>
      <div className="sheet sheet--pad auth__sheet">
        {isDead ? (
          <Banner tone="bad" role="alert" title="This link no longer works">
            {error ? messageOf(error, 'Ask for a new one.') : 'Open it from the email again.'}{' '}
            {error && (action === 'restore-address' || action === 'not-me') && (
              <TextLink to="/contact">Contact us</TextLink>
            )}
          </Banner>
        ) : (
          <>
            {error && (
              <Banner tone="bad" role="alert" title={messageOf(error, 'We couldn’t reach the site. Try again.')} />
            )}
            <Button icon="tick" isBusy={isPending} busyLabel="One moment…" onClick={() => mutate(link)}>
              {link.button}
            </Button>
          </>
        )}
      </div>
    </AuthPage>
  )
}

const Done = ({ outcome: { title, text, resetToken } }: { outcome: Outcome }) => (
  <AuthPage title={title} isNext>
    <div className="sheet sheet--pad auth__sheet">
      <p role="status">{text}</p>
      {resetToken ? (
        <ButtonLink to="/reset-password" search={{ token: resetToken }} icon="lock">
          Set a new password
        </ButtonLink>
      ) : (
        <ButtonLink to="/members" icon="arrow">
          To the members’ area
        </ButtonLink>
      )}
    </div>
  </AuthPage>
)
