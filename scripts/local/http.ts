import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net';
import { StartError } from './errors.ts';

/** Without a host, at every address. */
export async function listen(server: NetServer, port: number, host?: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new StartError(`Port ${port} is taken: set PORT to another.`) : error),
    );
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Some clients take `localhost` for the IPv6 loopback address. A machine without it has to do with IPv4. */
export async function alsoListenOnIpv6(server: Server, port: number): Promise<void> {
  const second = createServer((socket) => server.emit('connection', socket));
  server.once('close', () => second.close());
  await new Promise<void>((resolve) => {
    second.once('error', () => resolve());
    second.listen(port, '::1', resolve);
  });
}

/** Stops listening, gives running requests their time, and then cuts the remaining connections. */
export async function close(server: Server, graceMilliseconds = 0): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
  await closed;
  clearTimeout(timer);
}

/** The whole body, or `null` if it has too many bytes. The rest is then left unread. */
export async function readBody(request: IncomingMessage, maximumBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (Number(request.headers['content-length'] ?? 0) > maximumBytes) return null;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maximumBytes) resolve(null);
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => {
      if (!request.complete) reject(new Error('The caller hung up.'));
    });
  });
}
