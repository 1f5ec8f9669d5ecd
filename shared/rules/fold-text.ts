/** Folds text for searching, without case, accents and apostrophes: "oneill" finds "O’Néill". */
export const foldText = (text: string): string =>
  text
    // Before too: putting thousands of marks on one letter in order takes minutes.
    .replace(/\p{M}/gu, '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/['’‘ʼ]/g, '')
    .toLowerCase()
