/** Fails to load. */
throw new Error('The environment lacks a valid SETTING.');

export function handler(): void {}
