import type { Locator } from '@playwright/test'

/** The buttons in here that open a dialog. */
export const openersIn = (scope: Locator) => scope.locator('button[aria-haspopup="dialog"]:enabled:visible')

/** Runs in the page: what's on each button. A list's rows all have the same. */
export const facesOf = (buttons: Element[]): string[] =>
  buttons.map((button) => button.textContent?.trim() || button.innerHTML)
