import { useLocation, useRouter } from '@tanstack/react-router'
import { useCallback, useRef } from 'react'
import * as v from 'valibot'
import type { MemberVideo } from '#shared/contract/video.ts'

const OpenVideo = v.object({ openVideo: v.string() })

function readOpenVideo(state: unknown): string | null {
  const { success, output } = v.safeParse(OpenVideo, state)
  return success ? output.openVideo : null
}

/** The open video. Opening one makes a history entry, so that Back closes it and leads nowhere else. */
export function useOpenVideo(videos: readonly MemberVideo[]) {
  const { navigate, history } = useRouter()
  const openId = useLocation({ select: ({ state }) => readOpenVideo(state) })
  const current = useRef(openId)
  // A press sets it immediately too: the history goes back later, and a second press mustn't go back twice.
  current.current = openId
  const open = useCallback(
    ({ id }: MemberVideo) => {
      const replace = current.current !== null
      current.current = id
      const state = { openVideo: id }
      navigate({ to: '.', search: true, state: (last) => ({ ...last, ...state }), replace, resetScroll: false })
    },
    [navigate],
  )
  const close = useCallback(() => {
    if (current.current === null) return
    current.current = null
    history.back()
  }, [history])
  return { playing: videos.find(({ id }) => id === openId) ?? null, open, close }
}
