import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { KeepButton } from '#pwa/ui/keep-button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { LinkedCall } from '#shared/contract/calendar.ts'
import type { CallSlot } from '#shared/contract/call-slot.ts'
import { Failed } from './done.tsx'
import { cancelLinkedCall, linkedSlotsQuery, moveLinkedCall } from './queries.ts'
import { SlotSection } from './slot.tsx'

type Props = { token: string; startsAt: string; onMoved: (call: LinkedCall) => void; onKeep: () => void }

export function MoveSection({ token, startsAt: now, onMoved, onKeep }: Props) {
  const { data, error, isPending, refetch } = useQuery(linkedSlotsQuery(token))
  const [chosen, setChosen] = useState<CallSlot | null>(null)
  const move = useMutation({
    mutationFn: moveLinkedCall,
    onSuccess: onMoved,
    onError: (failed) => {
      if (failed instanceof RequestError && failed.code === 'slot_taken') void refetch()
    },
  })
  const slots = (data?.slots ?? []).filter(({ startsAt }) => startsAt !== now)
  const taken = move.error instanceof RequestError && move.error.code === 'slot_taken' ? chosen?.startsAt : null
  if (isPending) return <Skeleton size="block" />
  return (
    <>
      {(move.error ?? error) && <Failed error={move.error ?? error ?? new Error()} />}
      {data && slots.length === 0 && <EmptyState title="No other times free">Your call hasn’t changed.</EmptyState>}
      <SlotSection slots={slots} chosen={chosen} taken={taken} onChoose={setChosen} />
      <div className="acts">
        {slots.length > 0 && (
          <Button
            icon="tick"
            isBusy={move.isPending}
            disabled={chosen === null}
            onClick={() => chosen && move.mutate({ token, startsAt: chosen.startsAt })}
          >
            Move the call
          </Button>
        )}
        <KeepButton isBusy={move.isPending} onClick={onKeep}>
          Keep this time
        </KeepButton>
      </div>
    </>
  )
}

type CancelProps = { token: string; onCancelled: (call: LinkedCall) => void; onKeep: () => void }

export function CancelSection({ token, onCancelled, onKeep }: CancelProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: cancelLinkedCall, onSuccess: onCancelled })
  return (
    <>
      {error && <Failed error={error} />}
      <p>Cancel the call? Your time then goes to someone else.</p>
      <div className="acts">
        <Button look="bad" isBusy={isPending} onClick={() => mutate(token)}>
          Yes, cancel it
        </Button>
        <KeepButton isBusy={isPending} onClick={onKeep}>
          Keep the call
        </KeepButton>
      </div>
    </>
  )
}
