import type { ReactNode } from 'react'
import { Badge } from './badge.tsx'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import './styles/row.css'

type Props = {
  number: number
  title: string
  minutes: number
  isCompleted: boolean
  /** `waiting`: on this phone only; `refused`: the server would not take it. */
  state?: 'settled' | 'waiting' | 'refused'
  /** Why it was refused. */
  reason?: string
  hasSignal: boolean
  onWatch: () => void
  /** Asked for the other state, or for another try after a refusal. */
  onToggle: () => void
}

/** A video's line in its category: number, title, minutes and state, then Watch and the tick. */
export const VideoRow = ({
  number,
  title,
  minutes,
  isCompleted,
  state = 'settled',
  reason,
  hasSignal,
  onWatch,
  onToggle,
}: Props) => (
  <li
    className={classNames(
      'row',
      state === 'settled' && isCompleted && 'row--done',
      state === 'waiting' && 'row--wait',
      state === 'refused' && 'row--bad',
    )}
  >
    <span className="row__no" aria-hidden="true">
      {number}
    </span>
    <div className="row__what">
      <h4>{title}</h4>
      <p className="row__meta">
        <span>{minutes} min</span> <RowState isCompleted={isCompleted} state={state} reason={reason} />
      </p>
    </div>
    <div className="row__acts">
      {hasSignal ? (
        <Action icon="play" title={title} onClick={onWatch}>
          Watch
        </Action>
      ) : (
        <span className="act" aria-disabled="true">
          <Icon name="nosignal" />
          Needs signal
        </span>
      )}
      <Tick title={title} isCompleted={isCompleted} isRefused={state === 'refused'} onToggle={onToggle} />
    </div>
  </li>
)

const RowState = ({
  isCompleted,
  state,
  reason,
}: Required<Pick<Props, 'isCompleted' | 'state'>> & { reason?: string }) => {
  if (state === 'refused')
    return (
      <>
        <b>Not saved.</b> {reason}
      </>
    )
  const said = isCompleted ? <b>Completed</b> : 'Not completed'
  return (
    <>
      {said}
      {state === 'waiting' && <Badge tone="wait">Waiting to send</Badge>}
    </>
  )
}

const Action = ({
  icon,
  title,
  onClick,
  children,
}: {
  icon: 'play'
  title: string
  onClick: () => void
  children: ReactNode
}) => (
  <button className="act" type="button" onClick={onClick}>
    <Icon name={icon} />
    {children}
    <span className="vh">: {title}</span>
  </button>
)

type TickProps = { title: string; isCompleted: boolean; isRefused: boolean; onToggle: () => void }

const Tick = ({ title, isCompleted, isRefused, onToggle }: TickProps) => {
  const word = isRefused ? 'Try again' : isCompleted ? 'Mark Incomplete' : 'Mark Complete'
  const box = isRefused ? 'cross' : isCompleted ? 'tick' : undefined
  return (
    <button className="act" type="button" aria-pressed={isRefused ? undefined : isCompleted} onClick={onToggle}>
      <span className="box">{box && <Icon name={box} />}</span>
      {word}
      <span className="vh">: {title}</span>
    </button>
  )
}
