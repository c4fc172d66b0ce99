import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { startIssuer } from '#scripts/demo/issuer.ts';
import { type InstanceFile, readInstanceFile, writeInstanceFile } from '#scripts/local/instance-file.ts';
import { folderOfFile } from '#test/support/fixture-app/cloud.ts';
import { given } from '#test/support/given.ts';
import { addUser, newEmail, Person } from '#test/support/person.ts';
import { refusal, runScript } from '#test/support/programs.ts';

const script = join(import.meta.dirname, '../../scripts/token.ts');

const token = (dataDir: string, ...args: string[]) => runScript(script, args, { DATA_DIR: dataDir });

const elsewhere = await folderOfFile();

describe('npm run token', () => {
  it('prints a token that signs the user with the email in, alone or with --json in an object', async () => {
    const organization = await given.organization();
    const email = newEmail();
    const userId = await addUser(organization, email);
    const grant = ['--organization', organization.name.toUpperCase(), '--email', email.toUpperCase()];
    const begun = Date.now();
    const wishes = ['--name', 'Ana', '--expires-in-seconds', '90', '--json'];
    const { output } = await token(inject('dataDir'), ...grant, ...wishes);
    expect(output.trim().split('\n')).toHaveLength(1);
    const printed = JSON.parse(output);
    const { id: organizationId } = organization;
    expect(printed).toEqual({ token: expect.any(String), expiresAt: expect.any(String), organizationId });
    const seconds = (Date.parse(printed.expiresAt) - begun) / 1_000;
    expect(seconds).toBeGreaterThan(85);
    expect(seconds).toBeLessThan(120);
    expect((await new Person(printed.token, printed.organizationId).get('/v1/me')).body.data.userId).toBe(userId);
  });

  it('prints one for the same person each time, for an hour unless it is told otherwise', async () => {
    const organization = await given.organization();
    const email = newEmail();
    await addUser(organization, email);
    const payloadOf = async (address: string) => {
      const { output } = await token(inject('dataDir'), '--organization', organization.name, '--email', address);
      return JSON.parse(Buffer.from(output.split('.')[1] ?? '', 'base64url').toString());
    };
    const [first, second] = [await payloadOf(email), await payloadOf(email.toUpperCase())];
    expect(first.sub).toBe(second.sub);
    expect(first.exp - first.iat).toBe(3_600);
  });

  it.each([
    ['an email that nobody has there', ['--email', newEmail()], 'no active user with the email'],
    ['no organization', ['--organization', 'Nobody', '--email', newEmail()], 'no organization "Nobody"'],
    ['no email', [], '--email is required'],
    ['a wrong number of seconds', ['--email', 'a@b.example', '--expires-in-seconds', '0'], '--expires-in-seconds'],
  ])('says what is wrong with %s', async (_, args, complaint) => {
    const { name } = await given.organization();
    const refused = await token(inject('dataDir'), '--organization', name, ...args);
    expect(refused).toEqual(refusal(expect.stringContaining(complaint)));
  });

  it('is an error where people sign in at an issuer that is configured, or where no cloud runs', async () => {
    const grant = ['--organization', 'Demo', '--email', 'demo@example.com'];
    expect((await token(elsewhere, ...grant)).complaint).toContain('No local cloud runs');
    const running = readInstanceFile(inject('dataDir')) as InstanceFile;
    const operatorEnvironment = { ...running.operatorEnvironment, OIDC_ISSUER: 'https://issuer.example' };
    writeInstanceFile(elsewhere, { ...running, operatorEnvironment });
    const complaint = 'People sign in at https://issuer.example, which alone signs their tokens.\n';
    expect((await token(elsewhere, ...grant)).complaint).toBe(complaint);
    await (await startIssuer(elsewhere)).stop();
    expect((await token(elsewhere, ...grant)).complaint).toBe(complaint);
  });
});
