import { useEffect, useId, useRef, useState } from 'react'
import { seeBrowser } from '#pwa/lib/see-browser.ts'
import { tabStorage } from '#pwa/lib/storage.ts'
import { useKeptFocus } from '#pwa/lib/use-kept-focus.ts'
import type { Recording, VoiceKeeper, VoiceNote } from '#pwa/lib/voice/recording.ts'
import { mayRecordHere } from '#pwa/lib/voice/voice-document.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { maxVoiceMs } from '#shared/contract/questions.ts'
import { plural } from '#shared/rules/plural.ts'
import { clockLength, endText, pauseTexts, problemText, spokenLength } from './recorder-texts.ts'
import { type RecorderState, useRecorder } from './use-recorder.ts'
import { VoicePlayer, type VoiceSource } from './voice-player.tsx'
import './recorder.css'

type Props = {
  keeper: VoiceKeeper
  /** What's recorded, and not sent yet. */
  note: VoiceSource | null
  /** The note of this moment, with whether `keeper` has all of it. Null once it's thrown away. */
  onNote: (note: VoiceNote | null, isKept: boolean) => void
  /** Told while it's recording: what's said by then can't be sent yet. */
  onBusy?: (isBusy: boolean) => void
  /**
   * What's being added beside it. The page loads again before the first recording of who came from a public page: never over what isn't
   * kept yet, nor over the sentence that says why it couldn't be.
   */
  adding?: 'busy' | 'failed' | null
  /** Nobody but they hears it. */
  hearer: string
  device?: 'phone' | 'computer'
}

/** Records a voice note for a member’s phone, or for the page of a coach. */
export function VoiceRecorder({ keeper, note, onNote, onBusy, adding = null, hearer, device = 'phone' }: Props) {
  const box = useRef<HTMLElement>(null)
  const title = useId()
  const [said, say] = useState('')
  const { state, isUnkept, start } = useRecorder({
    keeper,
    onEnd: (recorded, why, isKept) => {
      if (recorded) say(endText(why, recorded.ms))
      else if (why === 'discarded') say('Thrown away.')
      onNote(recorded, isKept)
    },
  })
  const isBusy = state.kind !== 'idle'
  useEffect(() => {
    onBusy?.(isBusy)
    return () => onBusy?.(false)
  }, [isBusy, onBusy])
  useKeptFocus(box, `${state.kind} ${note === null}`)
  const wasLoaded = useLoadedFor(box)
  const [isLoadWanted, wantLoad] = useState(false)
  useEffect(() => {
    if (!isLoadWanted || adding === 'busy') return
    wantLoad(false)
    if (adding === null) loadToRecord()
    else say('')
  }, [isLoadWanted, adding])
  const record = async () => {
    if (mayRecordHere()) {
      say('')
      return start()
    }
    if (adding !== 'busy') return loadToRecord()
    say(savingText)
    wantLoad(true)
  }
  const throwAway = async () => {
    await keeper.discard()
    say('Thrown away.')
    onNote(null, true)
  }
  const problem = state.kind === 'idle' && state.problem ? problemText(state.problem, seeBrowser()) : null
  return (
    <section className="voice" ref={box} aria-labelledby={title}>
      <p className="label" id={title}>
        Voice note
      </p>
      {state.kind === 'recording' || state.kind === 'paused' ? (
        <Running state={state} onSay={say} />
      ) : note && !isBusy ? (
        <div className="voice__row">
          <VoicePlayer {...note} device={device} label="your voice note" isNext />
          <Button look="bare" isSmall icon="bin" onClick={() => void throwAway().catch(reportError)}>
            Throw it away
          </Button>
        </div>
      ) : (
        <div className="voice__row">
          <button
            type="button"
            className="btn btn--line"
            data-next
            aria-busy={state.kind === 'asking' || isLoadWanted || undefined}
            onClick={() => !isBusy && void record().catch(reportError)}
          >
            <span>{state.kind === 'asking' ? 'Waiting for the microphone…' : 'Record'}</span>
            <Microphone />
          </button>
          <p className="second">
            {state.kind === 'asking'
              ? 'Choose Allow if your browser asks.'
              : isLoadWanted
                ? savingText
                : wasLoaded
                  ? 'Ready. Press Record and talk.'
                  : `Up to ${spokenLength(maxVoiceMs)}. Only ${hearer} will hear it.`}
          </p>
        </div>
      )}
      {problem && (
        <Banner tone="bad" role="alert" title={problem.title}>
          {problem.text}
        </Banner>
      )}
      {isUnkept && (
        <Banner tone="bad" role="alert" title="We can’t save this voice note">
          Send it before you leave this page.
        </Banner>
      )}
      <p className="vh" role="status">
        {said}
      </p>
    </section>
  )
}

const savingText = 'We’re saving your photos first.'

const loadedKey = 'loaded-to-record'

function loadToRecord() {
  tabStorage.setItem(loadedKey, location.pathname)
  location.reload()
}

/** The page was loaded again so that it may record: says so, and begins where the person was. */
function useLoadedFor(box: React.RefObject<HTMLElement | null>): boolean {
  const [wasLoaded] = useState(() => tabStorage.getItem(loadedKey) === location.pathname)
  useEffect(() => {
    if (!wasLoaded) return
    tabStorage.removeItem(loadedKey)
    box.current?.querySelector<HTMLElement>('[data-next]')?.focus()
  }, [wasLoaded, box])
  return wasLoaded
}

type RunningProps = {
  state: Extract<RecorderState, { recording: Recording }>
  onSay: (text: string) => void
}

/** How much is left when it's said, in seconds. */
const warnings = [30, 10]

function Running({ state, onSay }: RunningProps) {
  const { recording } = state
  const isPaused = state.kind === 'paused'
  const seconds = useSeconds(recording)
  const left = maxVoiceMs / 1000 - seconds
  useEffect(() => {
    if (warnings.includes(left)) onSay(`${left} seconds left.`)
  }, [left, onSay])
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once at each change, with the time it happened at
  useEffect(() => {
    onSay(isPaused ? `${pauseTexts[state.why]} ${spokenLength(seconds * 1000)} so far.` : 'Recording.')
  }, [isPaused])
  return (
    <>
      <div className="voice__now">
        <p className="voice__time" role="timer" aria-label={`${spokenLength(seconds * 1000)} recorded`}>
          <span aria-hidden="true">{clockLength(seconds * 1000)}</span>
        </p>
        <p className="second">
          {isPaused
            ? pauseTexts[state.why]
            : left <= 30
              ? `${plural(left, 'second')} left`
              : `of ${clockLength(maxVoiceMs)}`}
        </p>
        {!isPaused && <Level recording={recording} />}
      </div>
      <div className="acts voice__acts">
        <Button icon="tick" data-next onClick={recording.end}>
          Done
        </Button>
        {isPaused ? (
          <Button look="line" icon="play" onClick={recording.resume}>
            Carry on
          </Button>
        ) : (
          <Button look="line" onClick={recording.pause}>
            Pause
          </Button>
        )}
        <Button look="bare" icon="bin" onClick={recording.discard}>
          Throw it away
        </Button>
      </div>
    </>
  )
}

function useSeconds(recording: Recording): number {
  const [seconds, setSeconds] = useState(() => Math.floor(recording.elapsedMs() / 1000))
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor(recording.elapsedMs() / 1000)), 200)
    return () => clearInterval(timer)
  }, [recording])
  return seconds
}

/** Moves with the voice, past React: sixty times a second. */
function Level({ recording }: { recording: Recording }) {
  const bar = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    let frame = requestAnimationFrame(function draw() {
      if (bar.current) bar.current.style.scale = `${recording.loudness().toFixed(3)} 1`
      frame = requestAnimationFrame(draw)
    })
    return () => cancelAnimationFrame(frame)
  }, [recording])
  return (
    <span className="voice__level" aria-hidden="true">
      <span ref={bar} />
    </span>
  )
}

/** Here, since the sprite with the icons is part of every page. */
const Microphone = () => (
  <svg className="i" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d="M12 15a3 3 0 0 0 3-3V6a3 3 0 0 0-6 0v6a3 3 0 0 0 3 3zM5.5 11.5v.5a6.5 6.5 0 0 0 13 0v-.5M12 18.5V22M8.5 22h7" />
  </svg>
)
