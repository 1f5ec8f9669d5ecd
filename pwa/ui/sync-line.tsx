import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import './styles/sync-line.css'

type Props = {
  isOnline: boolean
  /** There's a network, but our server doesn't respond: it may be one with a login page. */
  hasNetwork?: boolean
  isSending?: boolean
  waiting: number
  refused?: number
  /** A clock time such as 07:40; none before the first sync. */
  lastSynced?: string
  onSync: () => void
}

function count({ isSending, waiting, refused = 0 }: Pick<Props, 'isSending' | 'waiting' | 'refused'>) {
  const moving = isSending ? `Sending ${waiting || ''}`.trim() : waiting ? `${waiting} waiting` : ''
  const stuck = refused ? `${refused} not saved` : ''
  return [moving, stuck].filter(Boolean).join(', ') || 'Your ticks are saved'
}

/** What's waiting, sending, sent or refused, and when it last synced. Never hides waiting work. */
export function SyncLine({ isOnline, hasNetwork, isSending, waiting, refused, lastSynced, onSync }: Props) {
  const syncButton = (
    <Button look="line" isSmall isBusy={isSending} busyLabel={waiting ? 'Sending' : 'Updating'} onClick={onSync}>
      {waiting ? 'Send now' : 'Update now'}
    </Button>
  )
  if (!isOnline)
    return (
      <NoSignal waiting={waiting} refused={refused} lastSynced={lastSynced}>
        {hasNetwork && syncButton}
      </NoSignal>
    )
  const isAllSent = !waiting && !isSending && !refused
  return (
    <div className={isAllSent ? 'sync sync--sent' : 'sync'} role="status">
      <Vial isLevel={isAllSent} />
      <p>
        <b>{count({ isSending, waiting, refused })}</b>
        {lastSynced && ` · ${lastSynced}`}
      </p>
      {syncButton}
    </div>
  )
}

type NoSignalProps = Pick<Props, 'waiting' | 'refused' | 'lastSynced'> & {
  /** The button to try again, if there's a network. */
  children: ReactNode
}

const NoSignal = ({ waiting, refused, lastSynced, children }: NoSignalProps) => (
  <div className="sync sync--off" role="status">
    <Icon name="nosignal" />
    <p>
      <b>
        No signal.{waiting > 0 && ` ${waiting} waiting on this phone.`}
        {refused ? ` ${refused} not saved.` : ''}
      </b>
      <br />
      {waiting > 0 && `We’ll send ${waiting === 1 ? 'it' : 'them'} when you’re back in range. `}
      {children && 'Wi-Fi with a login page? Log in there first. '}
      {lastSynced && `Last updated ${lastSynced}`}
    </p>
    {children}
  </div>
)

/** A level's vial: a centred bubble is in sync, off centre is waiting. */
export const Vial = ({ isLevel }: { isLevel: boolean }) => (
  <span className={isLevel ? 'vial' : 'vial vial--off'} aria-hidden="true" />
)
