import { type DragEvent, useState } from 'react'

/** Whether a file input with this `accept` would take it. */
export const isAccepted = ({ name }: File, accept: string): boolean =>
  accept.split(',').some((ending) => name.toLowerCase().endsWith(ending))

/** `isOver`: a file is held above it. Spread `zone` on the element; a button next to it has to do the same. */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [isOver, setOver] = useState(false)
  const zone = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      onFiles([...event.dataTransfer.files])
    },
  }
  return { isOver, zone }
}
