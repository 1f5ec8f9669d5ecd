import { CancelSection, MoveSection } from '#pwa/features/calendar/move-or-cancel.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import '#pwa/features/calendar/calendar.css'

type Props = {
  step: 'move' | 'cancel'
  token: string
  startsAt: string
  onChanged: () => void
  onKeep: () => void
}

export default function ChangeCallSection({ step, token, startsAt, onChanged, onKeep }: Props) {
  const toast = useToast()
  const done = (title: string) => () => {
    toast({ title, description: 'We’ve emailed you a copy.', tone: 'ok' })
    onChanged()
  }
  return (
    <div className="callpicker">
      {step === 'move' ? (
        <MoveSection token={token} startsAt={startsAt} onKeep={onKeep} onMoved={done('Call moved')} />
      ) : (
        <CancelSection token={token} onKeep={onKeep} onCancelled={done('Call cancelled')} />
      )}
    </div>
  )
}
