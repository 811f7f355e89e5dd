import { statement } from './statement.ts'

/** Who came from an identity provider is known by issuer and subject, never by a name or an address. */
export const providerAccounts = statement(`
  ALTER TABLE users ADD COLUMN oidc_issuer text, ADD COLUMN oidc_subject text,
    ADD CHECK ((oidc_issuer IS NULL) = (oidc_subject IS NULL));
  CREATE UNIQUE INDEX users_by_provider_account ON users (oidc_issuer, oidc_subject);
`)
