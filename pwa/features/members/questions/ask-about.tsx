import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { isPlainClick } from '#pwa/features/auth/logout/logout-gate.tsx'
import { useIsReadOnly } from '#pwa/sync/hooks.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'

type Props = {
  videoId: string
  /** The second it stands at when it's pressed. */
  standsAt: RefObject<number>
}

export default function AskAbout({ videoId, standsAt }: Props) {
  const navigate = useNavigate()
  if (useIsReadOnly()) return null
  const place = { to: '/members/$place', params: { place: 'ask' } } as const
  return (
    <ButtonLink
      {...place}
      search={{ video: videoId }}
      look="line"
      icon="mail"
      onClick={(event) => {
        if (!isPlainClick(event)) return
        const at = Math.floor(standsAt.current)
        navigate({ ...place, search: at > 0 ? { video: videoId, at } : { video: videoId } }).catch(reportError)
      }}
    >
      Ask about this
    </ButtonLink>
  )
}
