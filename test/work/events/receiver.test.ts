import { expect, it, vi } from 'vitest';

it('no webhook is at a desk, where the service has no names, but for the one by which the request comes', async () => {
  vi.stubEnv('OWN_HOSTS', undefined);
  vi.resetModules();
  const { assertReceiver } = await import('#shared/work/events/receiver.ts');
  vi.unstubAllEnvs();
  const refused = expect.objectContaining({ code: 'validation_failed' });
  expect(() => assertReceiver('https://desk.example.com/v1', 'desk.example.com')).toThrow(refused);
  expect(() => assertReceiver('https://hooks.example.com/v1', 'desk.example.com')).not.toThrow();
});

it('no webhook is at a name of the service, by whichever the request comes', async () => {
  const names = ['a1b2c3.execute-api.eu-west-1.amazonaws.com', 'api.example.com', 'd111111abcdef8.cloudfront.net'];
  vi.stubEnv('OWN_HOSTS', names.join(' '));
  vi.resetModules();
  const { assertReceiver } = await import('#shared/work/events/receiver.ts');
  vi.unstubAllEnvs();
  const refused = expect.objectContaining({ code: 'validation_failed' });
  for (const host of names) {
    for (const name of names) {
      expect(() => assertReceiver(`https://${name}/v1`, host)).toThrow(refused);
      expect(() => assertReceiver(`https://${name.toUpperCase()}:443`, host)).toThrow(refused);
    }
    expect(() => assertReceiver('https://hooks.example.com/v1', host)).not.toThrow();
  }
});
