// A strict OpenID Connect provider on loopback: `node provider.mjs PORT CALLBACK`. Anybody may sign in by a name with any password.
import { Provider } from 'oidc-provider';

const [port, callback] = process.argv.slice(2);
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{
    client_id: 'ranklens',
    client_secret: 'a secret between the two of them only',
    redirect_uris: [callback],
    post_logout_redirect_uris: [callback],
  }],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  // Streamlit reads the ID token alone.
  conformIdTokenClaims: false,
  cookies: { keys: ['for the tests'] },
  pkce: { required: () => true },
  async findAccount(_, name) {
    const verified = !name.startsWith('unverified');
    return { accountId: name, claims: async () => ({ sub: name, email: `${name}@Example.test`, email_verified: verified, name }) };
  },
});
provider.listen(Number(port), '127.0.0.1', () => console.log('ready'));
