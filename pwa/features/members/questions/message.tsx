import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useOnline } from '#pwa/lib/use-online.ts'
import { useIsKept } from '#pwa/sync/hooks.ts'
import { useFileAddress, useQuestions } from '#pwa/sync/questions/hooks.ts'
import type { ThreadFile, ThreadMessage } from '#pwa/sync/questions/shapes.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { formatMoment } from '#shared/rules/london.ts'
import { filesProgress, sendText, stateBadge } from './question-texts.ts'

const VoicePlayer = lazy(async () => ({
  default: (await loadFile(() => import('#pwa/features/questions/recorder/voice-player.tsx'))).VoicePlayer,
}))

type Props = { message: ThreadMessage; questionId: string }

export function Message({ message, questionId }: Props) {
  const { id, author, name, text, link, files, at } = message
  const isCoach = author === 'coach'
  const photos = files.filter(({ kind }) => kind === 'photo')
  const voice = files.filter(({ kind }) => kind === 'voice')
  return (
    <li id={id} className={isCoach ? 'sheet message message--coach' : 'sheet message'} tabIndex={-1}>
      <p className="label">
        {isCoach ? (name ?? 'Your coach') : 'You'} · {formatMoment(at)}
      </p>
      {text !== '' && (
        <p className="message__text" dir="auto">
          {text}
        </p>
      )}
      {photos.length > 0 && (
        <ul className="plain message__photos">
          {photos.map((file, index) => (
            <li key={file.id}>
              <Photo file={file} alt={`Photo ${index + 1} of ${photos.length}`} />
            </li>
          ))}
        </ul>
      )}
      {voice.map((file) => (
        <Voice key={file.id} file={file} isCoach={isCoach} />
      ))}
      {link && (
        <TextAnchor isTap href={link.path}>
          {link.kind === 'video' ? 'Watch' : 'Read'}: {link.title}
        </TextAnchor>
      )}
      {!isCoach && <Sending message={message} questionId={questionId} />}
    </li>
  )
}

/** Where the member's own message is on its way to the coach. */
function Sending({ message: { id, state, files }, questionId }: Props) {
  const questions = useQuestions()
  const navigate = useNavigate()
  const progress = filesProgress(files)
  const here = { hasNetwork: useOnline(), isKept: useIsKept() }
  if (state.kind === 'refused') {
    const mend = async () => {
      const key = await questions.mend(id)
      if (key) await navigate({ to: '/members/$place', params: { place: 'ask' }, search: { draft: key } })
    }
    return (
      <Banner
        tone="bad"
        title="Not sent"
        action={
          <>
            <Button isSmall look="line" icon="sync" onClick={() => void questions.retry(id).catch(reportError)}>
              Try again
            </Button>
            <Button isSmall look="line" icon="pencil" onClick={() => void mend().catch(reportError)}>
              Change it
            </Button>
            <Button isSmall look="bare" icon="bin" onClick={() => void questions.discard(id).catch(reportError)}>
              Delete it
            </Button>
          </>
        }
      >
        {state.message}
      </Banner>
    )
  }
  const { tone, label } = stateBadge({ state: state.kind === 'sent' ? { kind: 'sent', at: '' } : state, filesLeft: 0 })
  const why = sendText(state, here)
  return (
    <div className="message__state" data-question={questionId}>
      {state.kind !== 'sent' && <Badge tone={tone}>{label}</Badge>}
      {why && <p className="second">{why}</p>}
      {state.kind === 'sent' && progress && (
        <>
          <progress aria-label={progress.label} max={progress.of} value={progress.sent} />
          <p className="second">
            {progress.label}: {Math.floor((100 * progress.sent) / Math.max(progress.of, 1))}%
          </p>
        </>
      )}
    </div>
  )
}

/** On this phone, or at the server to be fetched. */
const isToBeHad = ({ isHere, state }: ThreadFile) => state !== 'refused' && (isHere || state === 'ready')

function Photo({ file, alt }: { file: ThreadFile; alt: string }) {
  const address = useFileAddress(file.id, isToBeHad(file))
  const [isLarge, setLarge] = useState(false)
  if (!address) return <NotHere file={file} what="photo" isLoading={address === undefined} />
  return (
    <>
      <button
        type="button"
        className="message__photo"
        aria-label={`${alt}: see it larger`}
        onClick={() => setLarge(true)}
      >
        <img src={address} alt="" decoding="async" width={file.width ?? undefined} height={file.height ?? undefined} />
      </button>
      <Dialog isOpen={isLarge} onClose={() => setLarge(false)} title={alt} isWide>
        <img className="message__large" src={address} alt={alt} />
      </Dialog>
    </>
  )
}

function Voice({ file, isCoach }: { file: ThreadFile; isCoach: boolean }) {
  const address = useFileAddress(file.id, isToBeHad(file))
  if (isCoach && file.state === 'refused')
    return <p className="second">Your coach’s voice note didn’t come through. Ask for it again.</p>
  if (isCoach && !isToBeHad(file)) return <p className="second">Your coach’s voice note is on its way.</p>
  if (!address) return <NotHere file={file} what="voice note" isLoading={address === undefined} />
  return (
    <Suspense fallback={<p role="status">Loading…</p>}>
      <VoicePlayer
        source={address}
        type={file.hasAac ? 'audio/mp4' : file.type}
        ms={file.durationMs}
        label={isCoach ? 'your coach’s voice note' : 'your voice note'}
      />
    </Suspense>
  )
}

type StateProps = { file: ThreadFile; what: 'photo' | 'voice note'; isLoading: boolean }

/** It was refused, it's still coming from elsewhere, or it can't be fetched. */
function NotHere({ file, what, isLoading }: StateProps) {
  const hasNetwork = useOnline()
  if (file.state === 'refused')
    return <p className="second">{file.refusal ?? `This ${what} didn’t come through. Send it again.`}</p>
  if (!isToBeHad(file)) return <p className="second">The {what} is on its way from another phone.</p>
  if (isLoading) return <p role="status">Loading…</p>
  return (
    <p className="second">
      {hasNetwork
        ? `We couldn’t get this ${what}. Open this question again in a minute.`
        : `You need signal for this ${what}.`}
    </p>
  )
}
