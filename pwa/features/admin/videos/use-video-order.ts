import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { allVideosQuery } from '#pwa/features/admin/kit/video-queries.ts'
import { api } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { type AdminVideo, AdminVideoList } from '#shared/contract/admin-video.ts'
import { useMoves } from './use-moves.ts'

const idsOf = (videos: readonly AdminVideo[]) => videos.map(({ id }) => id)

/** Videos missing from `order` come last. */
function inOrder(videos: readonly AdminVideo[], order: readonly string[]): AdminVideo[] {
  const place = ({ id }: AdminVideo) => (order.includes(id) ? order.indexOf(id) : order.length)
  return videos.toSorted((one, other) => place(one) - place(other))
}

/**
 * Reorders one category by keyboard or dragging, and saves on drop. If the category has changed in between, `conflict` holds both
 * orders and the owner chooses.
 */
export function useVideoOrder(videos: readonly AdminVideo[]) {
  const [sent, setSent] = useState<readonly string[]>([])
  const { action, conflict, takeTheirs } = useOrderAction()
  const save = (order: readonly string[], from: readonly AdminVideo[] = videos) => {
    setSent(order)
    action.mutate(inOrder(from, order))
  }
  const moves = useMoves(idsOf(videos), (order) => save(order))
  return {
    moves: { ...moves, ids: moves.heldId === null && action.isPending ? idsOf(inOrder(videos, sent)) : moves.ids },
    isSaving: action.isPending,
    problem: conflict ? null : action.problem,
    conflict: conflict && { mine: inOrder(conflict, sent), theirs: conflict },
    saveMine: () => conflict && save(sent, conflict),
    takeTheirs,
  }
}

function useOrderAction() {
  const queryClient = useQueryClient()
  const action = useAdminAction({
    schema: AdminVideoList,
    send: (ordered: readonly AdminVideo[]) =>
      api.api.admin.videos.order.put({ videos: ordered.map(({ id, version }) => ({ id, version })) }),
    failure: 'Failed to update video',
    done: { title: 'Order saved' },
    onDone: (stored) =>
      queryClient.setQueryData(allVideosQuery.queryKey, (all) =>
        all?.map((video) => stored.find(({ id }) => id === video.id) ?? video),
      ),
  })
  const versions = action.error instanceof RequestError ? action.error.versions : undefined
  const current = v.safeParse(AdminVideoList, versions?.current)
  const takeTheirs = () => {
    queryClient.invalidateQueries({ queryKey: allVideosQuery.queryKey }).catch(reportError)
    action.reset()
  }
  return { action, conflict: current.success ? current.output : null, takeTheirs }
}

export type VideoOrder = ReturnType<typeof useVideoOrder>
