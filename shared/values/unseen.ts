/**
 * Marks that nobody sees, from web pages, address books and messengers: soft hyphens, spaces and joiners without a width, and what
 * turns a text's direction. A name with one isn't found by its letters. Emoji are joined by another, which stays.
 */
const unseen = /[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g

export const withoutUnseen = (text: string): string => text.replace(unseen, '')
