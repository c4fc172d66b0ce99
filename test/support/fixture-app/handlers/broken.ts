/** Cannot even be loaded. */
throw new Error('The environment lacks a valid SETTING.');

export function handler(): void {}
