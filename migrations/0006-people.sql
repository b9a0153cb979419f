-- People who are signed in, and set-ups of the app that are under way.

create table sessions (
  -- hex HMAC-SHA256 of the cookie's token under the service's session key: without that key a row opens nothing
  token_hash text primary key,
  user_id bigint not null,
  login text not null,
  avatar_url text not null,
  -- the organisations at sign-in, by name for people to read
  orgs text[] not null,
  -- the person's account and those of the organisations: what the session sees. By number, since a name that an
  -- organisation gave up may be another's tomorrow
  account_ids bigint[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

-- The form that makes an app at the code host was shown: the answer is taken once, and from that browser alone. In the
-- database, since a service without an app mostly has no lasting key to sign anything with.
create table setup_states (
  -- hex SHA-256 of the state that travels through the code host, with the browser's own secret
  state_hash text primary key,
  expires_at timestamptz not null
);

-- Who sees a repository is asked by the account that its installation is on.
create index installations_account on installations (account_id);
