import { useIsReadOnly } from '#pwa/sync/hooks.ts'
import { Button, type ButtonLook } from '#pwa/ui/button.tsx'
import { readOnlyReason } from './video-row.tsx'

type Props = { isCompleted: boolean; look?: ButtonLook; onTick: () => void }

export function TickButton({ isCompleted, look, onTick }: Props) {
  const isReadOnly = useIsReadOnly()
  return (
    <Button
      look={look}
      icon={isCompleted ? 'cross' : 'tick'}
      disabled={isReadOnly}
      title={isReadOnly ? readOnlyReason : undefined}
      onClick={onTick}
    >
      {isCompleted ? 'Mark Incomplete' : 'Mark Complete'}
    </Button>
  )
}
