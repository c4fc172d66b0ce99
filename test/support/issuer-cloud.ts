import { afterAll, beforeAll, inject } from 'vitest';
import { given } from './given.ts';
import { AUDIENCE, TestIssuer } from './issuer.ts';
import { type OwnCloud, useOwnCloud } from './own-cloud.ts';
import { addUser, Person } from './person.ts';

/** A cloud whose functions are processes of their own, and an issuer whose tokens they take. A user has their email. */
export async function useIssuerCloud(): Promise<{
  readonly issuer: TestIssuer;
  readonly own: OwnCloud;
  readonly personWith: (token: string) => Person;
}> {
  let organizationId = '';
  const issuer = new TestIssuer();
  await issuer.start();
  const remoteApiUrl = inject('remoteApiUrl');
  const own = useOwnCloud({
    startIssuer: undefined,
    parameters: { AllowedOrigins: '*', RemoteApiUrl: remoteApiUrl, OidcIssuer: issuer.url, OidcAudience: AUDIENCE },
    instances: true,
  });
  beforeAll(async () => {
    const organization = await given.organization();
    organizationId = organization.id;
    await addUser(organization, 'ana@example.com');
  });
  afterAll(() => issuer.stop());
  return { issuer, own, personWith: (token) => new Person(token, organizationId) };
}
