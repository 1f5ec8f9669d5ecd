import { useState } from 'react'
import { SetPasswordForm } from '#pwa/features/auth/set-password-form.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import type { KnownBuyer } from './known-buyer.ts'

type Props = {
  known: Pick<KnownBuyer, 'session' | 'user'> | null | undefined
  /** The form was touched: nothing may take the page away from under it. */
  onTouch?: () => void
}

/** The first password of an account that was made by joining; nothing for somebody who has one. */
export function FirstPassword({ known, onTouch }: Props) {
  const [isSet, setSet] = useState(false)
  if (!known || known.user.hasPassword) return null
  if (isSet)
    return (
      <div className="join__aside">
        <Banner tone="ok" role="status" title="Your password is set" />
      </div>
    )
  return (
    <div className="join__aside" onFocusCapture={onTouch} onPointerDownCapture={onTouch}>
      <SetPasswordForm session={known.session} user={known.user} hasSignal onDone={() => setSet(true)} />
    </div>
  )
}
