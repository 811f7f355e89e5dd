/** Of an address what people know it by. */
export const hostOf = (url: string) => /^\w+:\/\/([^/?#]+)/.exec(url)?.[1] ?? url
