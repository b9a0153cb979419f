-- Signed-in people, and setups of the app in progress.

create table sessions (
  -- hex HMAC-SHA256 of the cookie's token under the service's session key: without that key a row opens nothing
  token_hash text primary key,
  user_id bigint not null,
  login text not null,
  avatar_url text not null,
  -- the organisations at sign-in, by name, for people to read
  orgs text[] not null,
  -- the person's account and those of the organisations: these decide what the session sees. By number, since an organisation
  -- may give up a name and another account may take it
  account_ids bigint[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

-- The form that creates an app at the code host was shown: its answer is accepted once, and only from that browser. In the
-- database, since a service without an app usually has no lasting key to sign anything with.
create table setup_states (
  -- hex SHA-256 of the state that travels through the code host, together with the browser's own secret
  state_hash text primary key,
  expires_at timestamptz not null
);

-- Whether a caller sees a repository depends on the account of its installation.
create index installations_account on installations (account_id);
