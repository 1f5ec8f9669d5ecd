import { useState } from 'react'

/** For a dialog whose code loads when it's first opened: from then on it stays rendered (`wasOpened`), open or not. */
export function useOpenedOnce() {
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  const open = () => {
    setOpened(true)
    setOpen(true)
  }
  return { isOpen, wasOpened, open, close: () => setOpen(false) }
}
