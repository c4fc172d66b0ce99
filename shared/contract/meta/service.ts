export const SERVICE = {
  name: 'Billwright',
  version: '0.1.0',
  docs: '/docs',
  openapi: '/openapi.json',
  health: '/health',
} as const;
