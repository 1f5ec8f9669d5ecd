/** Before the app has hydrated the page, its menus open and close by this. They keep how they stand. */

const buttonAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('button[aria-controls]') : null

const menuOf = (button: HTMLElement) => document.getElementById(button.getAttribute('aria-controls') || '')

/** The menu whose button this is in. */
export function menuAt(target: EventTarget | null): HTMLElement | null {
  const button = buttonAt(target)
  return button && menuOf(button)
}

/** Whether it was a menu's button. */
export function pressMenu(target: EventTarget | null): boolean {
  const [button, menu] = [buttonAt(target), menuAt(target)]
  if (button && menu) show(button, menu, menu.hidden !== false)
  return Boolean(menu)
}

function show(button: HTMLElement, menu: HTMLElement, isOpen: boolean): void {
  menu.hidden = !isOpen
  button.setAttribute('aria-expanded', String(isOpen))
  const icon = button.querySelector('[href="#i-menu"], [href="#i-cross"]')
  if (icon) icon.setAttribute('href', isOpen ? '#i-cross' : '#i-menu')
}

/** Escape closes what's open. A focus inside goes back to the button. */
export function workMenus(): () => void {
  const closeAll = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape') return
    for (const button of document.querySelectorAll<HTMLElement>('button[aria-controls][aria-expanded=true]')) {
      const menu = menuOf(button)
      if (!menu) continue
      if (menu.contains(document.activeElement)) button.focus()
      show(button, menu, false)
    }
  }
  addEventListener('keydown', closeAll, true)
  return () => removeEventListener('keydown', closeAll, true)
}
