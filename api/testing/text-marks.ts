/** Removes the editor's invisible marks. */
export const withoutMarks = (text: string): string =>
  text.replaceAll(/\u2062(?:\u200c|\u200d|\u2060|\u2063)*\u2064/gu, '')
