-- Credentials, and the record of who did what.

create table api_keys (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  -- hex SHA-256 of the whole key; the key itself is stored nowhere
  key_hash text not null unique,
  -- the first 10 characters of the key, to recognise it by
  prefix text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  last_used_at timestamptz
);

-- hashed ids of the runner tokens seen: each is good for one request
create table used_tokens (
  jti_hash text primary key,
  expires_at timestamptz not null
);
create index used_tokens_expiry on used_tokens (expires_at);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  target text not null,
  details jsonb not null default '{}'
);
create unique index audit_config_invalid on audit (target, (details->>'sha')) where action = 'config_invalid';
