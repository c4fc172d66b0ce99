/** Logs the event that a schedule sends. */
export async function handler(event: unknown): Promise<void> {
  console.log(JSON.stringify({ level: 'INFO', message: 'tick', event }));
}
