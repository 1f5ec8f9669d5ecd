import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { track } from '#pwa/lib/track.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import type { SessionUser } from '#shared/contract/auth.ts'
import { AuthPage } from './auth-page.tsx'
import { LoginForm } from './login-form.tsx'
import { isServersPage, returnPath } from './return-path.ts'
import { useWhoIsHere } from './who-is-here.ts'

/** How long the greeting stands before the page goes on. */
const goOnMs = 1000

/** The members' way in; `redirect` names the page that sent somebody here. */
export function LoginPage({ redirect }: { redirect: string | undefined }) {
  const path = returnPath(redirect)
  const goOn = useGoOn(path)
  const { greet, isLeaving } = useGreeting(path, goOn)
  const here = useWhoIsHere()
  return (
    <AuthPage title="Member login">
      {here && !isLeaving && <AlreadyHere user={here} onGoOn={goOn} />}
      <LoginForm isLeaving={isLeaving} onLoggedIn={greet} />
    </AuthPage>
  )
}

function useGoOn(path: string) {
  const { history } = useRouter()
  return useCallback(() => {
    if (isServersPage(path)) window.location.assign(path)
    else history.push(path)
  }, [history, path])
}

function useGreeting(path: string, goOn: () => void) {
  const toast = useToast()
  const [isLeaving, setLeaving] = useState(false)
  useEffect(() => {
    if (!isLeaving) return
    const timer = setTimeout(goOn, goOnMs)
    return () => clearTimeout(timer)
  }, [isLeaving, goOn])
  const greet = () => {
    track({ name: 'login' })
    const isMembers = /^\/members(?![^?#])/.test(path)
    const description = isMembers ? 'Redirecting to your members area...' : 'Taking you back to where you were.'
    toast({ title: 'Welcome back!', description, tone: 'ok' })
    setLeaving(true)
  }
  return { greet, isLeaving }
}

const AlreadyHere = ({ user, onGoOn }: { user: SessionUser; onGoOn: () => void }) => (
  <Banner
    tone="ok"
    title={`You are logged in as ${user.firstName ?? user.email}`}
    action={
      <Button isSmall icon="arrow" onClick={onGoOn}>
        Go on
      </Button>
    }
  >
    Or log in below as somebody else.
  </Banner>
)
