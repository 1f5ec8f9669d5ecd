/** Folds text for searching, without case, accents and apostrophes: "oneill" finds "O’Néill". */
export const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/['’‘ʼ]/g, '')
    .toLowerCase()
