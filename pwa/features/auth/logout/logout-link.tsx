import type { MouseEvent } from 'react'
import { TextAnchor } from '#pwa/ui/link.tsx'

/** The way out of pages that have no header of the member. */
export const LogoutLink = ({ onLogout }: { onLogout: () => void }) => (
  <TextAnchor isTap href="/api/logout" onClick={(event) => isPlainClick(event) && onLogout()}>
    Logout
  </TextAnchor>
)

/** A plain click is handled by the page; a click for another tab or window is left to the browser. */
export function isPlainClick(event: MouseEvent): boolean {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false
  event.preventDefault()
  return true
}
